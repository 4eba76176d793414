/** How a recording begins: the page listens first, and says that it records when something is kept. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallInput } from '../../../desktop/bridge/calls.ts';
import { addTimeouts } from '../../../desktop/renderer/audio/add-timeouts.ts';
import type { OpenMicrophone } from '../../../desktop/renderer/audio/microphone.ts';
import { dictations, removeDictation } from '../../../desktop/renderer/state/recorder/dictations.ts';
import { chooseFace } from '../../../desktop/renderer/state/recorder/recorder-face.ts';
import { alarmOf, gapsOf } from '../../../desktop/renderer/state/recorder/recorder-state.ts';
import type { Recorder } from '../../../desktop/renderer/state/recorder/recorder.ts';
import { keepWarm } from '../../../desktop/renderer/state/recorder/warm-microphone.ts';
import { rate } from './fake-sound-service.ts';
import { createRecorderBench, settle } from './recorder-bench.ts';

type Bench = ReturnType<typeof createRecorderBench>;
let service: Bench['service'];
let sound: Bench['sound'];
let clock: Bench['clock'];
let browser: Bench['browser'];
let build: Bench['build'];
let pass: Bench['pass'];
let recorder: Recorder;

beforeEach(() => {
  ({ service, sound, clock, browser, build, pass } = createRecorderBench());
  recorder = build();
});
afterEach(() => {
  recorder.close();
  for (const { id } of dictations.value) removeDictation(id, 0);
});

const face = () => chooseFace(recorder.state.value);
const alarm = () => alarmOf(recorder.state.value);

test('every word since the key is on disk, however slowly the exam, the dictation and the take are answered', async () => {
  const { call } = service.bridge;
  const slowly = async () => new Promise<void>((resolve) => void clock.schedule(clock.now() + 1900, resolve));
  service.bridge.call = async (...asked) => {
    if (asked[0] !== 'dictation.block') await slowly();
    return call(...asked);
  };
  recorder = build({ takeExam: async () => slowly().then(() => true) });
  const recording = recorder.record();
  await settle();
  expect([face(), sound.seen.opened]).toEqual(['starting', 1]);
  await pass(5000, () => sound.speak(1));
  // All of it is in the page only, and nothing says that it records.
  expect([face(), alarm(), sound.seen.beeps > 0]).toEqual(['starting', 'not_begun', true]);
  await pass(2000, () => sound.speak(1));
  await recording;
  expect([face(), alarm(), sound.seen.heard]).toEqual(['recording', null, 7 * rate]);
  expect(service.seconds()).toBeCloseTo(7);
});

test('a take ended during its start keeps the audio so far, and records nothing after that', async () => {
  const begin = Promise.withResolvers<void>();
  const { call } = service.bridge;
  service.bridge.call = async (...asked) => {
    if (asked[0] === 'dictation.start') await begin.promise;
    return call(...asked);
  };
  const recording = recorder.record();
  await settle();
  sound.speak(4);
  const ended = recorder.toggle();
  await settle();
  sound.speak(4);
  begin.resolve();
  await Promise.all([recording, ended]);
  expect([face(), sound.seen.heard / rate]).toEqual(['paused', 0.4]);
  expect(service.seconds()).toBeCloseTo(0.4);
});

test('nothing starts if another person has the exam', async () => {
  recorder = build({ mayTake: () => false });
  await recorder.record();
  expect(face()).toBe('idle');
  expect(sound.seen.opened).toBe(0);
});

test('audio from before the service reports that another person has the exam is not sent', async () => {
  recorder = build({ takeExam: async () => (sound.speak(3), false) });
  await recorder.record();
  expect([face(), service.asked, sound.tell(), sound.seen.beeps]).toEqual(['idle', [], undefined, 1]);
  await pass(21_000);
  expect([sound.seen.closed, browser.waiting()]).toEqual([1, 0]);
});

test.for(['denied', 'missing', 'busy', 'insecure'] as const)(
  'explains why there is no microphone, aloud, and leaves the exam free: %s',
  async (problem) => {
    let isTaken = false;
    recorder = build({ takeExam: () => (isTaken = true) });
    sound.fail(problem);
    await recorder.record();
    expect([face(), sound.seen.beeps, isTaken]).toEqual(['not_heard', 1, false]);
    expect(recorder.state.value.problem).toBe(problem);
    expect(service.asked).toEqual([]);
  },
);

test.for([
  ['answer', 60_000, 'unanswered', 'asking'],
  ['open', 10_000, 'silent', 'starting'],
  ['start', 5000, 'silent', 'starting'],
] as const)(
  'a browser that leaves a step unanswered (%s) is reported after %i ms, aloud, and nothing is recorded',
  async ([step, ms, problem, meanwhile]) => {
    sound.hang(step);
    const recording = recorder.record();
    await settle();
    const faces = new Set<string>();
    await pass(ms - 1000, () => faces.add(face()));
    expect([...faces]).toEqual([meanwhile]);
    await pass(1000);
    await recording;
    expect([face(), recorder.state.value.problem]).toEqual(['not_heard', problem]);
    expect([service.asked, sound.seen.beeps > 0]).toEqual([[], true]);
    // It may be tried again.
    sound.hang('nothing');
    await recorder.record();
    expect([face(), sound.seen.opened]).toEqual(['starting', step === 'start' ? 2 : 1]);
  },
);

test('a microphone that opens too late is closed, and records nothing', async () => {
  const late = Promise.withResolvers<void>();
  const open: OpenMicrophone = async (wanted) => late.promise.then(() => sound.open(wanted));
  recorder = build({ microphone: keepWarm(addTimeouts(open, clock), clock, sound.alarm) });
  const recording = recorder.record();
  await settle();
  await pass(60_000);
  await recording;
  late.resolve();
  await settle();
  expect([face(), sound.seen.closed, sound.tell()]).toEqual(['not_heard', 1, undefined]);
});

test('an open microphone without audio is reported, and nothing says that it records', async () => {
  await recorder.record();
  await pass(2300);
  expect([face(), alarm(), sound.seen.beeps]).toEqual(['starting', 'no_sound', 1]);
});

test('audio not captured while the computer slept is reported at its place, aloud, and saved with it', async () => {
  await recorder.record();
  await pass(4000, () => sound.speak(1));
  sound.sleep(15_000);
  await pass(400, () => sound.speak(1));
  expect(gapsOf(recorder.state.value)).toEqual([]);
  await pass(3000, () => sound.speak(1));
  expect(gapsOf(recorder.state.value)).toEqual([{ at: expect.closeTo(4), seconds: expect.closeTo(15, 0) }]);
  expect(sound.seen.beeps).toBe(1);
  await recorder.pause();
  expect(service.seconds()).toBeCloseTo(7.4);
  const blocks = service.asked.filter(({ name }) => name === 'dictation.block').map(({ input }) => input);
  const told = blocks.filter((input) => (input as CallInput<'dictation.block'>).missing !== undefined);
  expect(told).toMatchObject([{ from: 4 * rate, missing: expect.closeTo(15 * rate, -4) }]);
});

test.each(['the service is away', 'the page dies'])(
  'a gap is not lost while %s: it waits in the browser with its sound',
  async (what) => {
    await recorder.record();
    await pass(2000, () => sound.speak(1));
    service.refuse('dictation.block', 'NETWORK', 999);
    await pass(1000, () => sound.speak(1));
    sound.sleep(5000);
    await pass(3000, () => sound.speak(1));
    const [take] = await browser.backlog().list();
    if (what === 'the service is away') {
      service.refuseNoMore();
      await pass(5000, () => sound.speak(1));
      await recorder.pause();
      const told = service.asked.flatMap(({ input }) => (input as CallInput<'dictation.block'>).missing ?? []);
      expect(new Set(told)).toEqual(new Set([expect.closeTo(5 * rate, -4)]));
    }
    const after = await browser.backlog().read(take!.take, 3 * rate * 2, 1e6);
    const before = await browser.backlog().read(take!.take, 2 * rate * 2, 1e6);
    if (what === 'the page dies') {
      expect([before?.missing, before?.samples.byteLength]).toEqual([undefined, rate * 2]);
      expect(after).toMatchObject({ from: 3 * rate * 2, missing: expect.closeTo(5 * rate, -4) });
    }
  },
);
