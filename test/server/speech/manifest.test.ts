/** Manifests of models on disk. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFolder } from '../../../server/speech/local/models.ts';
import { installToneModel } from '../../support/tone-model.ts';

test('a manifest that names a file outside of its folder is none', async () => {
  const folder = await installToneModel(await mkdtemp(join(tmpdir(), 'laudio-manifest-')));
  expect(await readFolder(folder, 'tone')).toBeDefined();
  const path = join(folder, 'model.json');
  const outside = (await readFile(path, 'utf8')).replace('"tokens.txt"', '"../tokens.txt"');
  await writeFile(path, outside);
  expect(await readFolder(folder, 'tone')).toBeUndefined();
});
