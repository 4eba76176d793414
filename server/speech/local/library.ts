/** The installed and available models, as an operator sees them. */
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import type { Choice } from '../../../src/domain/choice.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';
import { holdLock } from '../../../src/node/files/file-lock.ts';
import { catalogue } from './catalogue.ts';
import type { OfferedModel } from './catalogue.ts';
import { createValidation } from '../../runtime/validation.ts';
import { modelId } from './manifest.ts';
import type { Manifest, ModelKind } from './manifest.ts';
import { readModel } from './models.ts';

export interface ListedModel {
  readonly id: string;
  /** `damaged`: a file is missing or has the wrong size. Only `engine test` compares checksums. */
  readonly state: 'installed' | 'damaged' | 'available';
  readonly kind: ModelKind | null;
  /** Offered without a checksum: nobody tried this model with Laudio. */
  readonly untried: boolean;
  readonly live: boolean | null;
  readonly languages: readonly string[];
  /** SPDX identifier; `null` if unknown. */
  readonly licence: string | null;
  /** On disk; `null` if unknown. */
  readonly bytes: number | null;
  /** Size of the archive; `null` if none is offered. */
  readonly archive_bytes: number | null;
}

/** Lists the models in the folder and those on offer, by id. */
export async function listModels(
  models: string,
  offers: Readonly<Record<string, OfferedModel>> = catalogue,
): Promise<ListedModel[]> {
  const folders = await readdir(models, { withFileTypes: true }).catch(() => []);
  const found = folders.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
  const ids = [...new Set([...Object.keys(offers), ...found])].toSorted();
  return Promise.all(ids.map((id) => listModel(models, id, found.includes(id), findEntry(offers, id))));
}

async function listModel(
  models: string,
  id: string,
  isThere: boolean,
  offered: OfferedModel | undefined,
): Promise<ListedModel> {
  const installed = isThere ? await readModel(models, id) : undefined;
  const manifest = installed?.manifest ?? offered?.manifest;
  const files = installed?.manifest.files ?? offered?.files;
  const isWhole = installed !== undefined && (await hasAllFiles(installed.folder, installed.manifest));
  return {
    id,
    state: !isThere ? 'available' : isWhole ? 'installed' : 'damaged',
    kind: manifest?.kind ?? null,
    untried: offered !== undefined && offered.archive.sha256 === undefined,
    live: manifest?.live ?? null,
    languages: manifest?.languages ?? [],
    licence: manifest?.licence ?? null,
    bytes: files ? Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0) : null,
    archive_bytes: offered?.archive.bytes ?? null,
  };
}

async function hasAllFiles(folder: string, { files }: Manifest): Promise<boolean> {
  const sizes = await Promise.all(
    Object.values(files).map(
      async ({ name, bytes }) => (await stat(join(folder, name)).catch(() => undefined))?.size === bytes,
    ),
  );
  return !sizes.includes(false);
}

/** Ids are file names as well. AppError USAGE for other texts. */
export function requireModelId(id: string): void {
  if (createValidation()(modelId)(id).length === 0) return;
  throw new AppError('USAGE', {
    message: 'A model id has lower-case letters, digits and, after the first character, any of . _ -',
  });
}

/** Sorts live models first, then by number of languages, then those on offer. */
export const compareByUse = (a: ListedModel, b: ListedModel): number =>
  Number(b.live) - Number(a.live) ||
  b.languages.length - a.languages.length ||
  Number(b.archive_bytes !== null) - Number(a.archive_bytes !== null) ||
  (a.id < b.id ? -1 : 1);

/** Paths of a model and of its temporary files. */
export function workPaths(models: string, id: string) {
  const folder = join(models, '.pulls');
  return {
    models,
    /** Parent of the temporary files. */
    folder,
    place: join(models, id),
    part: join(folder, `${id}.part`),
    unpacked: join(folder, `${id}.unpacked`),
    former: join(folder, `${id}.former`),
    lock: join(folder, `${id}.lock`),
  };
}

/** REQUEST_IN_PROGRESS if another process pulls or removes the model. */
export async function lockModel(models: string, id: string, clock: Clock): Promise<() => Promise<void>> {
  try {
    return await holdLock(workPaths(models, id).lock, { clock, timeout: 0 });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('REQUEST_IN_PROGRESS', {
      message: `Another process is busy with the model ${id}.`,
      hint: 'Wait until it has ended, or end it.',
      cause: error,
    });
  }
}

/** Removes the model and its partial downloads. NOT_FOUND if there is neither. */
export async function removeModel(models: string, id: string, clock: Clock): Promise<void> {
  requireModelId(id);
  const { place, part, unpacked, former } = workPaths(models, id);
  const unlock = await lockModel(models, id, clock);
  try {
    const paths = [part, unpacked, former, place];
    const there = await Promise.all(
      paths.map((path) =>
        stat(path).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!there.includes(true)) {
      const installed = (await listModels(models)).filter(({ state }) => state !== 'available');
      const ids = installed.map((model) => model.id);
      throw unknownWord(`The model ${id} is not installed.`, id, ids, 'See `laudio engine list`.', 'NOT_FOUND');
    }
    // The rename is atomic, so a crash leaves the model whole or gone.
    await rm(former, { recursive: true, force: true });
    if (there.at(-1)) await rename(place, former);
    await Promise.all(
      [former, part, `${part}.json`, unpacked].map((path) => rm(path, { recursive: true, force: true })),
    );
  } finally {
    await unlock();
  }
}

/** The models folder of a recogniser choice: `models=FOLDER`, otherwise the one in the data directory. */
export function modelsFolder(recogniser: Choice | undefined, dataDir: string): string {
  const own = recogniser?.use.startsWith('local') ? recogniser.options?.['models'] : undefined;
  return typeof own === 'string' ? resolve(own) : join(dataDir, 'models');
}
