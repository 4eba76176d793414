/** A model in a folder of the operator, also one without a manifest whose files have the names of the catalogue. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfferedModel } from '../catalogue.ts';
import type { Manifest } from '../manifest.ts';
import { hashFile } from '../model-files.ts';
import { readFolder } from '../models.ts';
import type { InstalledModel } from '../models.ts';

export interface DescribedFolder extends InstalledModel {
  /** Installed name → name in the folder, if they differ. */
  readonly names?: Readonly<Record<string, string>>;
}

/** `undefined` if the folder has no such model. */
export async function describeFolder(
  folder: string,
  id: string,
  offered: OfferedModel | undefined,
): Promise<DescribedFolder | undefined> {
  return (await readFolder(folder, id)) ?? (offered && !offered.files ? readFiles(folder, offered) : undefined);
}

/** Checksums of the files as they are: the operator vouches for a folder. */
async function readFiles(
  folder: string,
  { manifest, names: offered }: OfferedModel,
): Promise<DescribedFolder | undefined> {
  const present = new Set(await readdir(folder));
  const files: [string, Manifest['files']['tokens']][] = [];
  const names: Record<string, string> = {};
  for (const [role, name] of Object.entries(offered)) {
    // Converters name files with the size of the model, or without it.
    const found = [name, name.replace(/^[a-z0-9]+-/, '')].find((each) => present.has(each));
    if (found === undefined) return undefined;
    const path = join(folder, found);
    files.push([role, { name, bytes: (await stat(path)).size, sha256: await hashFile(path) }]);
    names[name] = found;
  }
  return { folder, manifest: { ...manifest, files: Object.fromEntries(files) as Manifest['files'] }, names };
}
