/** The recogniser of a server whose operator chose none: a model that is installed. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { UsualRecogniser } from '../engine.ts';
import type { ListedModel } from './library.ts';

/**
 * The best of the models in the data directory that are whole; `none` where there is no such model, or the optional package
 * is missing. Looks at names and sizes alone: the files are compared with their checksums before they are loaded.
 */
export async function usualRecogniser(
  dataDir: string | undefined,
  hasPackage?: () => boolean,
): Promise<UsualRecogniser> {
  const models = dataDir === undefined ? undefined : join(dataDir, 'models');
  const names = models === undefined ? [] : await readdir(models).catch(() => []);
  if (models === undefined || names.every((name) => name.startsWith('.'))) return { use: 'none', problems: [] };
  const [{ listModels }, { hasAddon, withoutAddon }] = await Promise.all([
    import('./library.ts'),
    import('./addon.ts'),
  ]);
  const listed = await listModels(models);
  const problems = listed
    .filter(({ state }) => state === 'damaged')
    .map(({ id }) => ({
      message: `The speech model ${id} is damaged and not used.`,
      hint: `Install it again: laudio engine pull ${id}`,
    }));
  const [best] = listed.filter(({ state }) => state === 'installed').toSorted(byUse);
  if (best && (hasPackage ?? hasAddon)()) return { use: `local:${best.id}`, problems };
  const { message, hint = '' } = withoutAddon();
  return { use: 'none', problems: best ? [...problems, { message, hint }] : problems };
}

/** Those that hear live come first, then those of more languages, then those of the catalogue. */
const byUse = (a: ListedModel, b: ListedModel): number =>
  Number(b.live) - Number(a.live) ||
  b.languages.length - a.languages.length ||
  Number(b.archive_bytes !== null) - Number(a.archive_bytes !== null) ||
  (a.id < b.id ? -1 : 1);
