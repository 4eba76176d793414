/** The second hearing of sound with facts: its failures leave the words of the first one. */
import { expect, test } from 'vitest';
import { createFairPlaces } from '../../../server/runtime/queue/fair-places.ts';
import type { Stretch } from '../../../server/speech/hearing/hear-again.ts';
import { createLanguageCheck } from '../../../server/speech/hearing/language-check.ts';
import { createTranscription } from '../../../server/speech/hearing/transcribe.ts';
import type { Answer, HearingContext } from '../../../server/speech/hearing/ear.ts';
import { createLiveTranscription } from '../../../server/speech/local/live-transcription.ts';
import { createLocalEar } from '../../../server/speech/local/local-ear.ts';
import { crash } from '../../../server/speech/local/model-failures.ts';
import type { ModelProcess } from '../../../server/speech/local/model-process.ts';
import { createSoundNotes } from '../../../server/speech/sound/sound-notes.ts';
import type { LiveHeard } from '../../../src/domain/heard-text.ts';
import { AppError } from '../../../src/contract/errors.ts';
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
  // A person is asked about what was heard only once.
  expect(heard.sound?.once).toEqual([{ from: 0, to: expect.closeTo(seconds, 1) }]);
  expect(() => ear.check(context)).not.toThrow();
});

test('a streaming model hears facts again once the sound has ended, and asks where they differ', async () => {
  const order: string[] = [];
  const stream = {
    hear: async () => (order.push('words'), []),
    finish: async () => [{ ...decoded, until: seconds }],
    drop: () => {},
  };
  const decode = async () => {
    order.push('again');
    return { ...decoded, tokens: decoded.tokens.map((token) => token.replace('5', '9')) };
  };
  const process = { open: async () => stream } as unknown as ModelProcess;
  const listen = createLiveTranscription(process, createLocalEar({ decode }), {}, () => {});
  const told: LiveHeard[] = [];
  const spoken = Int16Array.from(sound, (sample) => Math.round(sample * 32_767));
  const input = { language: 'pt-BR', before: '', template: { sections: [] } as never, exam: null } as const;
  const halves = (async function* () {
    yield spoken.subarray(0, spoken.length / 2);
    yield spoken.subarray(spoken.length / 2);
  })();
  await listen({ ...input, sound: halves }, (heard) => void told.push(heard), never);
  expect(order.slice(0, 3)).toEqual(['words', 'words', 'again']);
  expect(told.map(({ kind }) => kind)).toEqual(['final', 'complete', 'checked']);
  expect(told[0]).toMatchObject({ heard: { text: said.join(' ') }, isUnchecked: true });
  const otherReadings: unknown = expect.arrayContaining([expect.objectContaining({ text: '9 mm' })]);
  expect(told[2]).toMatchObject({ finals: [{ text: said.join(' '), otherReadings }] });
});

test('a word that is heard the same twice is surer, and one that only the first hearing has is not', async () => {
  const hear = async (_stretch: Stretch, { isRepeated }: HearingContext): Promise<Answer> => {
    const words = decoded.times.map((from, at) => ({
      text: said[at]!,
      data: { from, to: from + 0.5, confidence: 0.4 },
    }));
    return { words: words.filter(({ text }) => isRepeated !== true || text !== 'superior'), suppressed: [] };
  };
  const places = createFairPlaces({ perLane: 1, total: 1 });
  const { text, words = [] } = await createTranscription({ places, seconds: () => 28, hear })(
    (async function* () {
      yield sound;
    })(),
    createSoundNotes(),
    context,
    never,
  );
  const unsure = words.filter(({ confidence = 1 }) => confidence < 0.5).map(({ start, end }) => text.slice(start, end));
  expect(unsure).toEqual(['superior']);
});

test('an engine that is away at the second hearing leaves the words of the first, and the rest is heard once', async () => {
  const pieces = 3;
  let [first, again] = [0, 0];
  const hear = async (_stretch: Stretch, { isRepeated }: HearingContext): Promise<Answer> => {
    if (isRepeated === true) {
      again += 1;
      throw new AppError('ENGINE_UNAVAILABLE');
    }
    first += 1;
    const words = decoded.times.map((from, at) => ({ text: said[at]!, data: { from, to: from + 0.5 } }));
    return { words, suppressed: [] };
  };
  const places = createFairPlaces({ perLane: 1, total: 1 });
  const heard = await createTranscription({ places, seconds: () => 5, hear })(
    (async function* () {
      for (let n = 0; n < pieces; n++) yield sound;
    })(),
    createSoundNotes(),
    context,
    never,
  );
  expect(first).toBeGreaterThan(1);
  expect(again).toBe(1);
  expect(heard.text).toContain('nódulo de 5 mm');
  expect(heard.sound?.once?.length).toBeGreaterThan(1);
});

test('a hearing that is called off is not taken for an engine that is away', async () => {
  const caller = new AbortController();
  const ear = createLocalEar({
    async decode(_samples, _language, signal) {
      if (!caller.signal.aborted) return (caller.abort(new AppError('INTERRUPTED')), decoded);
      signal.throwIfAborted();
      return decoded;
    },
  });
  const transcribed = createTranscription(ear)(
    (async function* () {
      yield sound;
    })(),
    createSoundNotes(),
    context,
    caller.signal,
  );
  await expect(transcribed).rejects.toMatchObject({ code: 'INTERRUPTED' });
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

test('words in a language that models confuse with ours are no reading, and no other language', async () => {
  const asked: (string | undefined)[] = [];
  const hear = async ({ samples }: Stretch, { anyLanguage = false }: HearingContext): Promise<Answer> => {
    const isConfused = anyLanguage && samples === sound;
    const [language, text] = isConfused ? ['gl', 'non hai nódulo'] : ['pt', 'não há nódulo'];
    asked.push(language);
    const words = text.split(' ').map((word) => ({ text: word }));
    return { words, suppressed: [], language };
  };
  const { hear: hearChecked } = createLanguageCheck(hear);
  const { words, foreign } = await hearChecked({ samples: sound, voiced: seconds }, context, never);
  expect(words.map(({ text }) => text)).toEqual(['não', 'há', 'nódulo']);
  expect(foreign).toBeUndefined();
  // Between them the sentence that shows that it detects languages.
  expect(asked).toEqual(['gl', 'pt', 'pt']);
});
