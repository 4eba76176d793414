/** Models on the disk: a folder each, with its files and their manifest. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { createValidation } from '../../runtime/validation.ts';
import { catalogue } from './catalogue.ts';
import { Manifest } from './manifest.ts';

export interface InstalledModel {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Files of each kind besides `tokens`. */
const roles = {
  'nemo-ctc': ['model'],
  transducer: ['encoder', 'decoder', 'joiner'],
  'nemo-transducer': ['encoder', 'decoder', 'joiner'],
} as const satisfies Record<Manifest['kind'], readonly (keyof Manifest['files'])[]>;

/**
 * The model of this id in the folder of models; `undefined`: there is none. Without a manifest the catalogue's counts, so that
 * an unpacked archive is a model.
 */
export const readModel = (models: string, id: string): Promise<InstalledModel | undefined> =>
  readFolder(join(models, id), id);

/** The same of the folder itself, whatever its name. */
export async function readFolder(folder: string, id: string): Promise<InstalledModel | undefined> {
  const offered = findEntry(catalogue, id);
  try {
    const manifest: unknown = await readFile(join(folder, 'model.json'), 'utf8').then(
      JSON.parse,
      () => offered?.files && stat(folder).then(() => ({ ...offered.manifest, files: offered.files })),
    );
    if (!createValidation()(Manifest)(manifest)) return undefined;
    const { id: own, kind, files } = manifest as Manifest;
    return own === id && roles[kind].every((role) => files[role])
      ? { folder, manifest: manifest as Manifest }
      : undefined;
  } catch {
    return undefined;
  }
}
