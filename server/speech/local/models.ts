/** Models on disk: a folder each, with the files and their manifest. */
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

/** Required files of each kind, in addition to `tokens`. */
const roles = {
  'nemo-ctc': ['model'],
  transducer: ['encoder', 'decoder', 'joiner'],
  'nemo-transducer': ['encoder', 'decoder', 'joiner'],
  whisper: ['encoder', 'decoder'],
} as const satisfies Record<Manifest['kind'], readonly (keyof Manifest['files'])[]>;

/**
 * Reads the model with this id; `undefined` if there is none. Without a manifest the catalogue's is used, so that an
 * unpacked archive is a valid model.
 */
export const readModel = (models: string, id: string): Promise<InstalledModel | undefined> =>
  readFolder(join(models, id), id);

/** Reads the model in this folder, whatever the folder's name. */
export async function readFolder(folder: string, id: string): Promise<InstalledModel | undefined> {
  const offered = findEntry(catalogue, id);
  try {
    const manifest: unknown = await readFile(join(folder, 'model.json'), 'utf8').then(
      JSON.parse,
      () => offered?.files && stat(folder).then(() => ({ ...offered.manifest, files: offered.files })),
    );
    if (createValidation()(Manifest)(manifest).length > 0) return undefined;
    const { id: own, kind, files } = manifest as Manifest;
    return own === id && roles[kind].every((role) => files[role])
      ? { folder, manifest: manifest as Manifest }
      : undefined;
  } catch {
    return undefined;
  }
}
