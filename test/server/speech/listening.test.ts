/** Words while somebody speaks, with an engine that hears a piece at a time: when they come, and that each comes once. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairPlaces } from '../../../server/runtime/queue/fair-places.ts';
import type { Answer, Ear, HearingContext } from '../../../server/speech/hearing/ear.ts';
import type { Stretch } from '../../../server/speech/hearing/hear-again.ts';
import { createListening } from '../../../server/speech/hearing/listen.ts';
import { createTranscription } from '../../../server/speech/hearing/transcribe.ts';
import { createSoundNotes } from '../../../server/speech/sound/sound-notes.ts';
import { soundRate } from '../../../server/speech/sound/samples.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { joinHeard } from '../../../src/domain/heard-text.ts';
import type { LiveHeard } from '../../../src/domain/heard-text.ts';
import { explored } from '../../support/explored.ts';
import * as fc from '../../support/properties.ts';
import { saidInTones, toneLexicon, toneWords } from '../../support/tone-words.ts';
import type { ToneWord } from '../../support/tone-words.ts';

const never = new AbortController().signal;
const step = 0.1;

interface Play {
  readonly words: readonly ToneWord[];
  readonly seconds: number;
  /** Seconds that the engine takes. */
  readonly delay: number | ((request: number) => number);
  readonly maxPiece?: number;
  readonly atOnce?: number;
  readonly hearsOpen?: boolean;
  /** May change an answer, or throw. */
  readonly answer?: (answer: Answer, asked: { stretch: Stretch; context: HearingContext; request: number }) => Answer;
}

interface Event {
  /** Seconds since the sound began. */
  readonly at: number;
  readonly heard: LiveHeard;
}

/** Says the words in steps of a tenth of a second to an engine that answers after its delay; time is counted, not waited for. */
async function listenTo(play: Play) {
  const { seconds, delay, maxPiece = 28, atOnce = 2 } = play;
  const sound = saidInTones(play.words, seconds);
  let now = 0;
  let requests = 0;
  const due: { readonly at: number; readonly answer: () => void }[] = [];
  const hear = async (stretch: Stretch, context: HearingContext): Promise<Answer> => {
    const request = (requests += 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    due.push({ at: now + (typeof delay === 'number' ? delay : delay(request)), answer: resolve });
    await promise;
    const words = toneWords(stretch.samples).map(({ text, from, to }) => ({ text, data: { from, to } }));
    const answer = { words, suppressed: [] };
    return play.answer?.(answer, { stretch, context, request }) ?? answer;
  };
  const ear: Ear<HearingContext> = {
    places: createFairPlaces({ perLane: atOnce, total: atOnce }),
    seconds: () => maxPiece,
    hear,
    ...(play.hearsOpen && { hearsOpen: true }),
  };
  const events: Event[] = [];
  const arrived: Int16Array[] = [];
  let bell = Promise.withResolvers<void>();
  let isOver = false;
  async function* live(): AsyncGenerator<Int16Array> {
    for (;;) {
      const next = arrived.shift();
      if (next) yield next;
      else if (isOver) return;
      else await bell.promise;
    }
  }
  let end: { at: number; error?: unknown } | undefined;
  const listening = createListening(ear)(
    live(),
    { language: 'pt-BR' },
    (heard) => events.push({ at: now, heard }),
    never,
  );
  void listening.then(
    () => (end = { at: now }),
    (error: unknown) => (end = { at: now, error }),
  );
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 4; turns += 1) await turn();
  };
  const samples = Math.round(step * soundRate);
  for (let tick = 0; !end && tick < 20_000; tick += 1) {
    now = tick * step;
    const first = tick * samples;
    if (first < sound.length)
      arrived.push(Int16Array.from(sound.subarray(first, first + samples), (sample) => Math.round(sample * 32_767)));
    isOver = first >= sound.length;
    bell.resolve();
    bell = Promise.withResolvers();
    for (const each of due.splice(0)) {
      if (each.at <= now + 1e-9) each.answer();
      else due.push(each);
    }
    await settle();
  }
  const finals = events.flatMap(({ heard }) => (heard.kind === 'final' ? [heard] : []));
  const checks = events.flatMap(({ heard }) => (heard.kind === 'checked' ? [heard] : []));
  return {
    events,
    finals,
    checks,
    text: joinHeard(finals.map(({ heard }) => ({ heard, by: 0 }))).text,
    requests,
    end,
    whole: () =>
      createTranscription({ ...ear, hear: async (stretch) => ({ words: heardIn(stretch), suppressed: [] }) })(
        (async function* () {
          yield sound;
        })(),
        createSoundNotes(),
        { language: 'pt-BR' },
        never,
      ),
  };
}

const heardIn = ({ samples }: Stretch) =>
  toneWords(samples).map(({ text, from, to }) => ({ text, data: { from, to } }));

/** Words of 0.3 seconds, 0.1 apart, and pauses where a number says how long. */
function say(script: readonly (string | number)[], from = 0.5): { words: ToneWord[]; seconds: number } {
  let at = from;
  const words: ToneWord[] = [];
  for (const each of script) {
    if (typeof each === 'number') at += each;
    else {
      words.push({ text: each, from: at, to: at + 0.3 });
      at += 0.4;
    }
  }
  return { words, seconds: at + 0.2 };
}
const textOf = ({ words }: { words: readonly ToneWord[] }): string => words.map(({ text }) => text).join(' ');
const sentence = 'sem derrame nódulo direita esquerda cisto fígado normal'.split(' ');
const withFacts = 'nódulo dois milímetros lobo direita sem derrame rim'.split(' ');

test('words come within 0.3 seconds and the engine’s time of a pause, and stay', async () => {
  const spoken = say([...sentence, 1, ...sentence, 1, ...sentence]);
  const delay = 0.7;
  const { events, finals, text, end } = await listenTo({ ...spoken, delay });
  expect(text).toBe(textOf(spoken));
  expect(end).toEqual({ at: expect.any(Number) });
  const pause = spoken.words[sentence.length - 1]!.to;
  expect(events[0]).toMatchObject({ heard: { kind: 'final', heard: { text: sentence.join(' ') } } });
  expect(events[0]!.at).toBeLessThanOrEqual(pause + 0.3 + delay + 2 * step);
  expect(finals).toHaveLength(3);
  expect(finals.flatMap(({ heard }) => heard.words ?? []).map(({ from }) => from)).toEqual(
    spoken.words.map((word) => expect.closeTo(word.from, 1)),
  );
});

const longSpeech: [number, number][] = [
  [30, 1],
  [84, 1],
  [84, 5],
];

test.each(explored.isOn ? [...longSpeech, [300, 1] as const, [300, 5] as const] : longSpeech)(
  '%i seconds of facts have their words 2 seconds and the %i of the engine after the last sound',
  async (long, delay) => {
    const script = Array.from({ length: Math.ceil(long / (withFacts.length * 0.4 + 0.6)) }, () => [...withFacts, 0.6]);
    const spoken = say(script.flat());
    const { text, events, requests, checks, whole } = await listenTo({ ...spoken, delay });
    expect(text).toBe(textOf(spoken));
    expect((await whole()).text).toBe(text);
    const complete = events.find(({ heard }) => heard.kind === 'complete')!;
    expect(complete.at - spoken.words.at(-1)!.to).toBeLessThanOrEqual(2 + delay);
    // All are checked, and a pause of each sentence is a request; facts are heard again several sentences at a time.
    expect(
      checks
        .flatMap(({ finals }) => finals)
        .map((heard) => heard.text)
        .join(' '),
    ).toBe(text);
    expect(requests).toBeLessThanOrEqual(2 * script.length);
  },
);

const drawnSpeech = fc
  .array(
    fc.record({
      text: fc.constantFrom(...toneLexicon),
      long: fc.integer({ min: 20, max: 40 }),
      gap: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 6, max: 15 }) }, fc.integer({ min: 30, max: 250 })),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((drawn) => {
    let at = 0.4;
    const words = drawn.map(({ text, long, gap }): ToneWord => {
      const from = at;
      at += (long + gap) / 100;
      return { text, from, to: from + long / 100 };
    });
    return { words, seconds: at + 0.3 };
  });

test('no word is lost or doubled at a seam, however it is cut and however slow the engine is', async () => {
  await fc.assert(
    fc.asyncProperty(
      drawnSpeech,
      fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(5, 9, 28),
      fc.boolean(),
      async (spoken, delays, maxPiece, hearsOpen) => {
        const delay = (request: number): number => delays[request % delays.length]! / 10;
        const { text, finals, checks, end } = await listenTo({ ...spoken, delay, maxPiece, hearsOpen, atOnce: 1 });
        expect(end).toEqual({ at: expect.any(Number) });
        expect(text).toBe(textOf(spoken));
        let until = 0;
        for (const final of finals) {
          for (const { from = until, to = from } of final.heard.words ?? []) {
            expect(from).toBeGreaterThanOrEqual(until - 0.01);
            expect(to).toBeLessThanOrEqual(final.until + 0.01);
          }
          until = final.until;
        }
        expect(checks.flatMap((check) => check.finals).map((heard) => heard.text)).toEqual(
          finals.map(({ heard }) => heard.text),
        );
        expect(checks.at(-1)!.sound.unheard).toBeUndefined();
      },
    ),
    { numRuns: 25 },
  );
});

test('words of somebody who never pauses come too', async () => {
  const spoken = say(Array.from({ length: 10 }, () => sentence).flat());
  const { events, text } = await listenTo({ ...spoken, delay: 0.5, maxPiece: 120 });
  expect(events[0]!.at).toBeLessThan(12);
  expect(text).toBe(textOf(spoken));
});

test('a few words between two pauses are a text of their own, as commands are, even if the engine is busy', async () => {
  const spoken = say([...sentence, 0.9, 'lobo', 'rim', 0.9, ...sentence]);
  const { finals } = await listenTo({ ...spoken, delay: 2.5 });
  const alone = finals.find(({ heard }) => heard.text === 'lobo rim')!;
  expect(alone.until - alone.heard.words!.at(-1)!.to!).toBeGreaterThan(0.3);
  expect(alone.until).toBeLessThan(spoken.words[sentence.length + 2]!.from);
});

test('an engine that hears the open piece shows words before the pause, and hears nothing twice when it comes', async () => {
  const spoken = say([...sentence, ...sentence, 1.5, ...sentence]);
  const { events, text, requests } = await listenTo({ ...spoken, delay: 0.2, hearsOpen: true });
  const partials = events.flatMap(({ at, heard }) => (heard.kind === 'partial' ? [{ at, text: heard.text }] : []));
  expect(partials[0]!.at).toBeLessThan(2.5);
  expect(partials[0]!.text).toBe(sentence.slice(0, partials[0]!.text.split(' ').length).join(' '));
  expect(text).toBe(textOf(spoken));
  expect(requests).toBeLessThan(30);
});

test('speech of an engine that leaves words out is heard again, and what stays empty is asked about', async () => {
  const spoken = say([...sentence, ...sentence, 1, ...sentence]);
  const lacking = await listenTo({
    ...spoken,
    delay: 0.2,
    answer: (answer, { request }) => (request === 1 ? { ...answer, words: answer.words.slice(0, 2) } : answer),
  });
  expect(lacking.text).toBe(textOf(spoken));
  expect(lacking.checks.at(-1)!.sound.unheard).toBeUndefined();
  const deaf = await listenTo({
    ...spoken,
    delay: 0.2,
    answer: (answer, { stretch }) =>
      stretch.voiced > 3 || stretch.voiced < 1 ? answer : { words: [], suppressed: [] },
  });
  expect(deaf.checks.at(-1)!.sound.unheard).toEqual([
    { from: expect.closeTo(spoken.words[2 * sentence.length]!.from, 0), to: expect.closeTo(spoken.seconds - 0.3, 0) },
  ]);
});

test('facts that are heard otherwise the second time are other readings of words that stay', async () => {
  const spoken = say([...withFacts, 0.6, ...sentence, 0.6, ...withFacts]);
  const { text, checks } = await listenTo({
    ...spoken,
    delay: 0.2,
    answer: (answer, { context }) =>
      context.isRepeated
        ? { ...answer, words: answer.words.map((word) => (word.text === 'dois' ? { ...word, text: 'seis' } : word)) }
        : answer,
  });
  expect(text).toBe(textOf(spoken));
  const readings = checks.flatMap(({ finals }) =>
    finals.flatMap((heard) =>
      (heard.otherReadings ?? []).map((each) => [heard.text.slice(each.start, each.end), each.text]),
    ),
  );
  expect(readings).toEqual([
    [expect.stringContaining('dois'), expect.stringMatching(/seis|6/)],
    [expect.stringContaining('dois'), expect.stringMatching(/seis|6/)],
  ]);
});

test('an engine that fails leaves the final words, with their check, and says where to go on', async () => {
  const spoken = say([...withFacts, 1, ...withFacts, 1, ...withFacts]);
  const failure = new AppError('ENGINE_UNAVAILABLE');
  let first = 0;
  const { text, finals, checks, end } = await listenTo({
    ...spoken,
    delay: 0.2,
    answer: (answer, { context }) => {
      if (!context.isRepeated && (first += 1) === 2) throw failure;
      return answer;
    },
  });
  expect(end!.error).toBe(failure);
  expect(text).toBe(withFacts.join(' '));
  expect(finals[0]!.until).toBeGreaterThanOrEqual(spoken.words[withFacts.length - 1]!.to);
  expect(finals[0]!.until).toBeLessThanOrEqual(spoken.words[withFacts.length]!.from);
  expect(checks).toHaveLength(1);
  expect(checks[0]!.sound.once).toBeUndefined();
});
