/** `database.json`, in which earlier versions kept everything: read once, then kept under another name. */
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import { ofFile } from '../../../src/node/system-error.ts';
import { createTables, isIndexable } from '../transactions/tables.ts';
import type { AnyDocument, Tables } from '../transactions/tables.ts';
import type { DataFiles } from './data-files.ts';
import { hasCode } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import { linkAs } from './quarantine.ts';

const file = 'database.json';
const aside = `${file}.imported`;
/** Those versions knew one schema. */
const schema = 1;

export const hasFormerFile = async (fs: FileSystem, directory: string): Promise<boolean> =>
  (await fs.readdir(directory)).includes(file);

/** `null` where there is none. AppError DATA_DAMAGED where it is not what it was; what the system says where it refuses. */
export async function readFormerFile(fs: FileSystem, directory: string): Promise<Tables | null> {
  try {
    return parseFormerFile(await fs.readFile(join(directory, file), 'utf8'));
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return null;
    throw ofFile(file, cause);
  }
}

/**
 * A crash may have left it between the import and its last step. But if anything came after the import, an earlier version
 * has written it since: AppError CONFIGURATION.
 */
export function refuseLaterFile({ sequence }: { sequence: number }, { snapshots: [first] }: DataFiles): void {
  if (sequence === 1 && first?.sequence === 1) return;
  throw new AppError('CONFIGURATION', {
    message: `The data directory holds ${file}, which an earlier version wrote after this one had begun.`,
    hint: `Only one of both can be right. Move ${file} away, or the other files.`,
    details: { file },
  });
}

/** Call this once the documents of the file are durable elsewhere. */
export async function setFormerFileAside(fs: FileSystem, directory: string): Promise<void> {
  await linkAs(fs, join(directory, file), join(directory, aside));
  await fs.unlink(join(directory, file));
  await syncDirectory(directory, fs);
}

/** Removes the file that was set aside: no plain copy may remain with encrypted data. */
export async function removeImported(fs: FileSystem, directory: string): Promise<void> {
  const names = (await fs.readdir(directory)).filter((name) => name.startsWith(aside));
  for (const name of names) await fs.unlink(join(directory, name));
  if (names.length > 0) await syncDirectory(directory, fs);
}

const damaged = (): AppError =>
  new AppError('DATA_DAMAGED', {
    message: `The file ${file} in the data directory is damaged.`,
    hint: 'The file is unchanged. Put a copy in its place, or move the file away to begin with no data.',
    details: { file },
  });

function parseFormerFile(text: string): Tables {
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw damaged();
  }
  if (!isObject(kept) || kept['schema'] !== schema || !isObject(kept['collections'])) throw damaged();
  const tables = createTables();
  for (const [name, documents] of Object.entries(kept['collections'])) {
    // One that is not known would be lost.
    if (!Object.hasOwn(tables, name) || !Array.isArray(documents)) throw damaged();
    const table = tables[name as keyof Tables];
    for (const document of documents as unknown[]) {
      if (!isObject(document) || typeof document['id'] !== 'string' || table.has(document['id'])) throw damaged();
      const known = document as unknown as AnyDocument;
      if (!isIndexable(name as keyof Tables, known)) throw damaged();
      table.set(known.id, known);
    }
  }
  return tables;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
