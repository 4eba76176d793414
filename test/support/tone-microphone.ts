/** What a browser test needs to speak to a model on this computer. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { organs, tones, wavOf } from './sound.ts';
import { installToneModel } from './tone-model.ts';

/**
 * A folder with the live tone model `tone-live`, and a WAV file for a browser's microphone: the four words, and a pause of as
 * many words, by default one in which they become final. `tokens`: what is heard in place of the Portuguese words (tone-model.ts). `says`: the tones in place
 * of those; `null` is silence.
 * Both are removed after the file's tests.
 */
export async function toneMicrophone({
  pause = 4,
  tokens,
  says = [...organs, ...Array<null>(pause).fill(null)],
}: {
  readonly pause?: number;
  readonly tokens?: readonly string[];
  readonly says?: readonly (number | null)[];
} = {}): Promise<{
  readonly models: string;
  readonly microphone: string;
}> {
  const models = await mkdtemp(join(tmpdir(), 'laudio-tones-'));
  afterAll(() => rm(models, { recursive: true, force: true }));
  await installToneModel(models, { id: 'tone-live', live: true, ...(tokens && { tokens }) });
  const microphone = join(models, 'organs.wav');
  await writeFile(microphone, wavOf([tones(says)]));
  return { models, microphone };
}
