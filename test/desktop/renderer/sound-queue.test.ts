/** The sound of a take between the microphone and the disk: what is sent, what is kept, and when that is too much. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createSoundQueue } from '../../../desktop/renderer/state/recorder/sound-queue.ts';
import type { SoundQueueDeps, SoundStore } from '../../../desktop/renderer/state/recorder/sound-queue.ts';
import { manualClock } from '../../../src/domain/clock.ts';

const settle = async (): Promise<void> => {
  for (let n = 0; n < 30; n++) await Promise.resolve();
};
const network = { code: 'NETWORK', message: '' };

let clock: ReturnType<typeof manualClock>;
let events: string[];
beforeEach(() => {
  clock = manualClock(0);
  events = [];
});

/** One that takes everything at once, and keeps everything, unless it is said otherwise. */
function queue(change: Partial<SoundQueueDeps & SoundStore> = {}) {
  const note = (name: string) => (value?: unknown) => void events.push(value === undefined ? name : `${name} ${value}`);
  const sound = createSoundQueue({
    clock,
    callBytes: 40,
    maxBytes: 100,
    saved: () => undefined,
    kept: () => undefined,
    trouble: () => undefined,
    refused: note('refused'),
    full: note('full'),
    ...change,
  });
  const store: SoundStore = {
    send: async ({ from, samples }) => from + samples.byteLength,
    resume: async (from) => from,
    keep: async ({ from, samples }) => note('keep')(`${from}+${samples.byteLength}`),
    forget: async (before) => note('forget')(before),
    ...change,
  };
  return { ...sound, open: () => sound.open(store) };
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    clock.advance(50);
    await settle();
  }
}

test('audio that waited during a slow call is sent in one, as large as a call may be', async () => {
  const sent: number[] = [];
  const answers: (() => void)[] = [];
  const sound = queue({
    send: ({ from, samples }) => {
      sent.push(samples.byteLength);
      return new Promise((resolve) => answers.push(() => resolve(from + samples.byteLength)));
    },
  });
  sound.open();
  for (let n = 0; n < 7; n++) sound.add(new ArrayBuffer(10));
  await settle();
  for (let n = 0; n < 3; n++) {
    answers.shift()?.();
    await settle();
  }
  expect(sent).toEqual([40, 30]);
  expect(await sound.settled()).toBe('saved');
  expect(events).toEqual([]);
});

describe('the browser', () => {
  test('stores late audio only; audio on disk is removed', async () => {
    let isUp = true;
    const sound = queue({
      send: async ({ from, samples }) => {
        if (!isUp) throw network;
        return from + samples.byteLength;
      },
    });
    sound.open();
    sound.add(new ArrayBuffer(10));
    await pass(500);
    expect(events).toEqual([]);
    isUp = false;
    sound.add(new ArrayBuffer(10));
    await pass(200);
    expect(events).toEqual([]);
    await pass(100);
    sound.add(new ArrayBuffer(10));
    await pass(100);
    expect(events).toEqual(['keep 10+10', 'keep 20+10']);
    isUp = true;
    await pass(2000);
    expect(events.slice(2)).toEqual(['forget']);
    expect(await sound.settled()).toBe('saved');
  });

  test('has all of it when the person did not want to wait for the disk', async () => {
    const sound = queue({ send: async () => Promise.reject(network) });
    sound.open();
    sound.add(new ArrayBuffer(70));
    const settled = sound.settled();
    let how: string | undefined;
    void settled.then((said) => (how = said));
    await pass(4900);
    expect(how).toBeUndefined();
    await pass(200);
    expect([how, events]).toEqual(['kept', ['keep 0+40', 'keep 40+30']]);
  });

  test('that stores nothing is tried again, and until then nothing is reported as stored', async () => {
    let fails = true;
    const kept: number[] = [];
    const sound = queue({
      send: async () => Promise.reject(network),
      keep: async () => {
        if (fails) throw new Error('The quota is exceeded.');
      },
      kept: (to) => kept.push(to),
    });
    sound.open();
    sound.add(new ArrayBuffer(10));
    let isSettled = false;
    void sound.settled().then(() => (isSettled = true));
    await pass(9000);
    expect([kept, isSettled]).toEqual([[], false]);
    fails = false;
    await pass(6000);
    expect([kept, isSettled]).toEqual([[10], true]);
  });

  test('that keeps only a part of it is not left with that part', async () => {
    let room = 40;
    const sound = queue({
      send: async () => Promise.reject(network),
      keep: async ({ samples }) => {
        if (samples.byteLength > room) throw new Error('The quota is exceeded.');
        room -= samples.byteLength;
      },
    });
    sound.open();
    sound.add(new ArrayBuffer(70));
    let how: string | undefined;
    void sound.settled().then((said) => (how = said));
    await pass(20_000);
    expect([room, how]).toEqual([0, undefined]);
    room = 100;
    await pass(6000);
    expect([room, how]).toEqual([70, 'kept']);
  });
});

test('reports once that more waits than memory should hold, and loses nothing', async () => {
  let isUp = false;
  const sent: number[] = [];
  const sound = queue({
    send: async ({ from, samples }) => {
      if (!isUp) throw network;
      sent.push(samples.byteLength);
      return from + samples.byteLength;
    },
  });
  sound.open();
  for (let n = 0; n < 12; n++) sound.add(new ArrayBuffer(10));
  await settle();
  expect(events).toEqual(['full']);
  isUp = true;
  await pass(3000);
  expect(sent.reduce((sum, bytes) => sum + bytes)).toBe(120);
});

test('a permanent refusal is reported, and retried all the same', async () => {
  let refuses = true;
  const sound = queue({
    send: async ({ from, samples }) => {
      if (refuses) throw { code: 'PAYLOAD_TOO_LARGE', message: '' };
      return from + samples.byteLength;
    },
  });
  sound.open();
  sound.add(new ArrayBuffer(10));
  await pass(5000);
  expect(events.filter((event) => event.startsWith('refused'))).toHaveLength(1);
  refuses = false;
  await pass(15_000);
  expect(await sound.settled()).toBe('saved');
});

test('an answer that does not come is not waited for, nor is time a browser does not give to hidden pages', async () => {
  const asked: number[] = [];
  const sound = queue({
    clock: { ...clock, schedule: (at, task) => clock.schedule(at + (asked.length > 1 ? 60_000 : 0), task) },
    send: ({ from, samples }, signal) => {
      asked.push(clock.now());
      if (asked.length === 1)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(network)));
      if (asked.length === 2) return Promise.reject(network);
      return Promise.resolve(from + samples.byteLength);
    },
  });
  sound.open();
  sound.add(new ArrayBuffer(10));
  await pass(10_000);
  await pass(300);
  expect(asked).toHaveLength(2);
  // Timers come a minute late; sound does not.
  await pass(600);
  sound.add(new ArrayBuffer(10));
  await settle();
  expect(asked.length).toBeGreaterThan(2);
});
