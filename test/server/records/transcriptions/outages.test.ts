/**
 * Whatever happens while somebody speaks (the server dies, the recogniser breaks down, requests are lost, repeated or come in
 * the wrong order), all sound that was acknowledged is in the record once, and all that was said is in the words once.
 */
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { createSpeechRecognition } from '../../../../server/speech/speech-recognition.ts';
import type { Caller } from '../../../../server/http/call.ts';
import { createLoneMember } from '../../../../server/storage/members.ts';
import { createIds } from '../../../../server/storage/ids.ts';
import { openBlobs } from '../../../../server/storage/blobs/blobs.ts';
import type { Blobs } from '../../../../server/storage/blobs/blobs.ts';
import { createMemoryBlobs } from '../../../../server/storage/memory/memory-blobs.ts';
import { createMemoryStore } from '../../../../server/storage/memory/memory-documents.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { createTemplates } from '../../../../server/records/templates/templates.ts';
import type { Session, Transcriptions } from '../../../../server/records/transcriptions/transcriptions.ts';
import { createTranscriptions } from '../../../../server/records/transcriptions/live-transcriptions.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { shippedTemplates } from '../../../../src/reporting/templates/shipped/index.ts';
import { createSimulatedRecogniser } from '../../../../server/speech/simulated/simulated-recogniser.ts';
import { bytesOfNumber, doubted, numberedSound, numberListener, numbers } from '../../../support/numbered-sound.ts';
import type { Whim } from '../../../support/numbered-sound.ts';

const grant_id = 'grt_1';
const caller: Caller = {
  client_id: 'ris',
  client_name: 'RIS São Lucas',
  grant_id,
  token_id: 'tok_1',
  user: { id: 'usr_1', username: 'helena', display_name: 'Dra. Helena Prado' },
  space: 'local',
  scopes: ['transcriptions:write'],
  test_mode: false,
  expires_at: Infinity,
};
const { signal } = new AbortController();

async function findOwn(transcriptions: Transcriptions, id: string): Promise<Session> {
  const session = await transcriptions.find(id, caller);
  if (!session) throw new Error('Another member has it.');
  return session;
}

/** A process over the store and the blobs, until it dies: from then on it changes nothing. */
function mortal({ store, blobs }: { store: Store; blobs: Blobs }) {
  let isDead = false;
  const alive = (): void => {
    if (isDead) throw new AppError('STORAGE_UNAVAILABLE');
  };
  return {
    refuse: () => void (isDead = true),
    store: {
      ...store,
      transact: (async (work) =>
        store.transact(async (tx) => {
          alive();
          return work(tx);
        })) as Store['transact'],
    },
    blobs: {
      ...blobs,
      write: (async (...input) => {
        alive();
        return blobs.write(...input);
      }) as Blobs['write'],
    },
  };
}

/** Goes straight to the end of pauses between attempts, and waits for nothing that takes minutes. */
function impatientClock() {
  const clock = manualClock(Date.parse('2026-03-02T11:30:00Z'));
  const schedule: typeof clock.schedule = (at, task) => {
    const ms = at - clock.now();
    if (ms < 60_000) void setImmediate().then(() => clock.advance(ms));
    return clock.schedule(at, task);
  };
  return { ...clock, schedule };
}

async function hospital(whims: () => Whim, checksEvery?: number, live = numberListener(whims, checksEvery)) {
  const clock = impatientClock();
  const disk = { store: createMemoryStore({ clock }), blobs: await openBlobs(createMemoryBlobs()) };
  const at = new Date(clock.now()).toISOString();
  await disk.store.transact(async (tx) =>
    tx.put('grants', {
      id: grant_id,
      client_id: 'ris',
      user_id: 'usr_1',
      issuer: '',
      scope: [],
      space: 'local',
      revoked_at: null,
      revoked_tokens: [],
      created_at: at,
      expires_at: at,
    }),
  );
  const recogniser = { ...createSimulatedRecogniser(), simulated: false, live };
  const start = async () => {
    const { refuse, store, blobs } = mortal(disk);
    const transcriptions = createTranscriptions({
      store,
      members: createLoneMember('member'),
      blobs,
      clock,
      recognition: createSpeechRecognition(recogniser, recogniser),
      templates: createTemplates(shippedTemplates, store),
      ids: createIds(clock),
      log: () => {},
      isMetered: false,
      random: Math.random,
    });
    await transcriptions.start();
    const die = (): Promise<void> => {
      refuse();
      // Nothing goes on in the background, and nothing is written on the way.
      return transcriptions.stop();
    };
    return { transcriptions, die };
  };
  return { disk, start };
}

const whim = fc.constantFrom<Whim>('goes on', 'goes on', 'goes on', 'final', 'final', 'breaks down');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ post: fc.nat(5), back: fc.nat(3), length: fc.integer({ min: 1, max: 5000 }) }) },
  { weight: 1, arbitrary: fc.constant('killed' as const) },
  { weight: 1, arbitrary: fc.constant('pause' as const) },
);

test('all sound and all words are there once, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.array(whim, { minLength: 1 }), async (steps, moods) => {
      let asked = 0;
      let breakdowns = 0;
      const { disk, start } = await hospital(() => {
        const mood = moods[asked++ % moods.length]!;
        // Who breaks down again and again is given up, which is another test.
        return mood === 'breaks down' && ++breakdowns > 6 ? 'goes on' : mood;
      });
      const sound = numberedSound(30);
      let { transcriptions, die } = await start();
      const begun = await transcriptions.begin({ language: 'en-US' }, caller);
      await disk.store.transact((tx) => transcriptions.put(tx, begun));
      const find = () => findOwn(transcriptions, begun.id);
      let acknowledged = 0;
      for (const each of steps) {
        if (each === 'killed') {
          const present = await find();
          const last = present.append(acknowledged, sound.subarray(acknowledged, acknowledged + 400)).catch(() => 0);
          await die();
          acknowledged = Math.max(acknowledged, await last);
          ({ transcriptions, die } = await start());
          expect((await find()).sound.size).toBeGreaterThanOrEqual(acknowledged);
        } else if (each === 'pause') await setImmediate();
        else {
          // Sound that is there already, that follows, or that leaves a gap; several at once.
          const offsets = [acknowledged - 2 * 1000 * each.back, acknowledged, acknowledged + 2 * each.post];
          const session = await find();
          const posts = offsets.map(async (from) => {
            const offset = Math.max(0, Math.min(sound.length, from));
            return session.append(offset, sound.subarray(offset, offset + 2 * each.length));
          });
          for (const post of await Promise.allSettled(posts)) {
            if (post.status === 'fulfilled') acknowledged = Math.max(acknowledged, post.value);
            else expect(post.reason).toMatchObject({ code: 'OFFSET_CONFLICT' });
          }
          expect(session.sound.size).toBe(acknowledged);
        }
      }
      await (await find()).append(acknowledged, sound.subarray(acknowledged));
      const pieces = [{ id: begun.id }];
      const { audio } = await transcriptions.dictate(pieces, caller);
      const stored = await disk.blobs.read(audio.blob, { sha256: audio.sha256 });
      expect((await buffer(stored!.stream)).subarray(44).equals(sound)).toBe(true);
      const heard = await transcriptions.heard(pieces, 'en-US', signal);
      expect(heard?.text).toBe(numbers(30));
      expect(heard?.words?.map(({ from }) => Math.round(from! * 10))).toEqual(
        Array.from({ length: 30 }, (_, at) => at),
      );
      await transcriptions.stop();
    }),
    { numRuns: 12 },
  );
});

test('what a check finds is at its words, in whatever pieces, and words that nobody checked are heard again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(whim, { minLength: 1 }), fc.nat(20), fc.nat(9), async (moods, killedAt, cutAt) => {
      let [asked, breakdowns] = [0, 0];
      const { disk, start } = await hospital(() => {
        const mood = moods[asked++ % moods.length]!;
        return mood === 'breaks down' && ++breakdowns > 6 ? 'goes on' : mood;
      }, 3);
      const sound = numberedSound(20);
      let { transcriptions, die } = await start();
      const begun = await transcriptions.begin({ language: 'en-US' }, caller);
      await disk.store.transact((tx) => transcriptions.put(tx, begun));
      await (await findOwn(transcriptions, begun.id)).append(0, sound.subarray(0, killedAt * bytesOfNumber));
      if (killedAt > 0) {
        for (let turns = 0; turns < killedAt; turns += 1) await setImmediate();
        await die();
        ({ transcriptions, die } = await start());
      }
      await (
        await findOwn(transcriptions, begun.id)
      ).append(killedAt * bytesOfNumber, sound.subarray(killedAt * bytesOfNumber));
      const pieces = [
        { id: begun.id, start: 1 },
        { id: begun.id, end: cutAt / 10 + 0.1 },
      ];
      await transcriptions.dictate(pieces, caller);
      const heard = await transcriptions.heard(pieces, 'en-US', signal);
      const phrases = await disk.store.find('phrases', { is: { transcription: begun.id } });
      // A breakdown or a death comes before the check of the last words.
      expect(heard === undefined).toBe(phrases.some(({ unchecked }) => unchecked));
      if (heard) {
        const said = [
          ...Array.from({ length: 10 }, (_, at) => at + 11),
          ...Array.from({ length: cutAt + 1 }, (_, at) => at + 1),
        ];
        expect(heard.text).toBe(said.map((number) => `n${number}`).join(' '));
        const readings = (heard.otherReadings ?? []).map((each) => [heard.text.slice(each.start, each.end), each.text]);
        expect(readings).toEqual(said.map((number) => [`n${number}`, doubted(number)]));
        expect(heard.sound?.unheard).toEqual(
          said.map((_, at) => ({ from: expect.closeTo(at / 10 + 0.09), to: expect.closeTo(at / 10 + 0.1) })),
        );
      }
      await transcriptions.stop();
    }),
    { numRuns: 12 },
  );
});

test('what a model made up over silence is kept with the words around it', async () => {
  const madeUp = (text: string, from: number) =>
    ({ text: '', suppressed: [{ text, at: 0, from, to: from + 0.1, reason: 'silence' }] }) as const;
  const texts = [madeUp('Thank you.', 0), { text: 'clear lungs' }, madeUp('Bye.', 0.2)];
  const { disk, start } = await hospital(() => 'goes on', 1, {
    chunkMs: 100,
    async listen({ sound }, onHeard) {
      for await (const _ of sound);
      for (const [at, heard] of texts.entries())
        onHeard({ kind: 'final', heard, until: at / 10 + 0.1, isUnchecked: true });
      onHeard({ kind: 'checked', finals: texts, sound: {} });
    },
  });
  const { transcriptions } = await start();
  const begun = await transcriptions.begin({ language: 'en-US' }, caller);
  await disk.store.transact((tx) => transcriptions.put(tx, begun));
  await (await findOwn(transcriptions, begun.id)).append(0, numberedSound(3));
  await transcriptions.dictate([{ id: begun.id }], caller);
  expect(await transcriptions.heard([{ id: begun.id }], 'en-US', signal)).toMatchObject({
    text: 'clear lungs',
    suppressed: [
      { text: 'Thank you.', at: 0, from: 0 },
      { text: 'Bye.', at: 11, from: 0.2 },
    ],
  });
  await transcriptions.stop();
});

test('a recogniser that is slower than the sound gets all of it, and little is in memory meanwhile', async () => {
  const gate = Promise.withResolvers<Whim>();
  let heardNumbers = 0;
  const { disk, start } = await hospital(() => (heardNumbers++ === 0 ? (gate.promise as never) : 'goes on'));
  const { transcriptions } = await start();
  const begun = await transcriptions.begin({ language: 'en-US' }, caller);
  await disk.store.transact((tx) => transcriptions.put(tx, begun));
  const session = await findOwn(transcriptions, begun.id);
  const sound = numberedSound(400);
  for (let at = 0; at < sound.length; at += bytesOfNumber) {
    await session.append(at, sound.subarray(at, at + bytesOfNumber));
  }
  await session.sound.idle();
  // Small pieces became larger ones, behind the back of the recogniser that has not read them.
  expect((await disk.store.find('sounds', {})).length).toBeLessThan(70);
  gate.resolve('goes on');
  await session.end();
  await session.settled(signal);
  expect(session.phrases.map(({ text }) => text).join(' ')).toBe(numbers(400));
  const blobs = (await disk.store.find('sounds', {})).filter(({ sha256 }) => sha256 !== undefined);
  expect((await disk.blobs.list()).toSorted()).toEqual(blobs.map(({ id }) => id).toSorted());
  await transcriptions.stop();
});

test('a recogniser that always breaks down takes no sound away: the whole audio is heard instead', async () => {
  const { disk, start } = await hospital(() => 'breaks down');
  const { transcriptions } = await start();
  const begun = await transcriptions.begin({ language: 'en-US' }, caller);
  await disk.store.transact((tx) => transcriptions.put(tx, begun));
  const session = await findOwn(transcriptions, begun.id);
  const sound = numberedSound(3);
  await session.append(0, sound.subarray(0, bytesOfNumber));
  await session.settled(signal);
  expect(session.show()).toMatchObject({ status: 'open', error: { code: 'INTERNAL_ERROR' } });
  expect(await session.append(bytesOfNumber, sound.subarray(bytesOfNumber))).toBe(sound.length);
  const pieces = [{ id: begun.id }];
  const { audio } = await transcriptions.dictate(pieces, caller);
  expect(audio.bytes).toBe(44 + sound.length);
  expect(session.show().status).toBe('ended');
  expect(await transcriptions.heard(pieces, 'en-US', signal)).toBeUndefined();
  await transcriptions.stop();
});

test('pieces of several transcriptions become one, with the words that were said in them', async () => {
  const { disk, start } = await hospital(() => 'goes on');
  const { transcriptions } = await start();
  const speak = async (count: number): Promise<string> => {
    const begun = await transcriptions.begin({ language: 'en-US' }, caller);
    await disk.store.transact((tx) => transcriptions.put(tx, begun));
    await (await findOwn(transcriptions, begun.id)).append(0, numberedSound(count));
    return begun.id;
  };
  const [first, second] = [await speak(10), await speak(4)];
  const pieces = [
    { id: first, end: 0.3 },
    { id: second, start: 0.1 },
    { id: first, start: 0.8, end: 99 },
  ];
  const { audio } = await transcriptions.dictate(pieces, caller);
  expect(audio.seconds).toBeCloseTo(0.3 + 0.3 + 0.2);
  const heard = await transcriptions.heard(pieces, 'en-US', signal);
  expect(heard?.text).toBe('n1 n2 n3 n2 n3 n4 n9 n10');
  expect(heard?.words?.map(({ from }) => from)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
  const stored = await disk.blobs.read(audio.blob);
  const samples = (await buffer(stored!.stream)).subarray(44);
  expect(heard?.words?.map(({ from }) => samples.readInt16LE(Math.round(from! * 32_000)))).toEqual([
    1, 2, 3, 2, 3, 4, 9, 10,
  ]);
  // Another language than the one in which they were heard: the sound counts, not the words.
  expect(await transcriptions.heard(pieces, 'pt-BR', signal)).toBeUndefined();
  await expect(transcriptions.dictate([{ id: second, start: 2 }], caller)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
  await transcriptions.stop();
});
