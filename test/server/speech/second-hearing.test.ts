/** The second hearing of sound with facts: its failures leave the words of the first one. */
import { expect, test } from 'vitest';
import { createTranscription } from '../../../server/speech/hearing/transcribe.ts';
import { createLocalEar } from '../../../server/speech/local/local-ear.ts';
import { crash } from '../../../server/speech/local/model-failures.ts';
import { createSoundNotes } from '../../../server/speech/sound/sound-notes.ts';
import { tones, toneSeconds } from '../../support/sound.ts';

const never = new AbortController().signal;
const context = { language: 'pt-BR', sha256: 'a'.repeat(64) } as const;
const said = 'nódulo de 5 mm à direita no lobo superior'.split(' ');
const seconds = 6;
const sound = tones(
  Array.from({ length: Math.round(seconds / toneSeconds) }, (_, at) => (at % 4 === 3 ? null : at % 7)),
);
const decoded = {
  tokens: said.map((word) => ` ${word}`),
  times: said.map((_, at) => (at * seconds) / said.length),
  durations: said.map(() => seconds / said.length),
};

test('a model that crashes in the second hearing leaves the first one, and the sound is not bad', async () => {
  let calls = 0;
  const ear = createLocalEar({
    decode: async () => {
      calls += 1;
      if (calls > 1) throw crash();
      return decoded;
    },
  });
  const transcribe = createTranscription(ear);
  const heard = await transcribe(
    (async function* () {
      yield sound;
    })(),
    createSoundNotes(),
    context,
    never,
  );
  expect(calls).toBeGreaterThan(1);
  expect(heard.text).toBe(said.join(' '));
  expect(() => ear.check(context)).not.toThrow();
});

test('one that crashes twice in the first hearing is not given the sound again', async () => {
  const ear = createLocalEar({ decode: () => Promise.reject(crash()) });
  const transcribed = createTranscription(ear)(
    (async function* () {
      yield sound;
    })(),
    createSoundNotes(),
    context,
    never,
  );
  await expect(transcribed).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(() => ear.check(context)).toThrow('crashed twice');
});
