/** The default recogniser: an installed model, if the operator chose none. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasPart, withoutPart } from '../../../src/node/optional-packages.ts';
import type { DefaultRecogniser } from '../engine.ts';

/**
 * Returns the best intact model in the data directory; `none` if there is none or the optional package is missing.
 * Checks only names and sizes; checksums are verified when the model is loaded.
 */
export async function findDefaultRecogniser(
  dataDir: string | undefined,
  hasPackage = () => hasPart('models'),
): Promise<DefaultRecogniser> {
  const models = dataDir === undefined ? undefined : join(dataDir, 'models');
  const names = models === undefined ? [] : await readdir(models).catch(() => []);
  if (models === undefined || names.every((name) => name.startsWith('.'))) return { use: 'none', problems: [] };
  const { compareByUse: byUse, listModels } = await import('./library.ts');
  const listed = await listModels(models);
  const problems = listed
    .filter(({ state }) => state === 'damaged')
    .map(({ id }) => ({
      message: `The speech model ${id} is damaged and not used.`,
      hint: `Install it again: laudio engine pull ${id}`,
    }));
  const [best] = listed.filter(({ state }) => state === 'installed').toSorted(byUse);
  if (best && hasPackage()) return { use: `local:${best.id}`, problems };
  const { message, hint = '' } = withoutPart('models', 'CONFIGURATION');
  return { use: 'none', problems: best ? [...problems, { message, hint }] : problems };
}
