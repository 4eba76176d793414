/** However many callers wait for their words, only so many sounds are decoded and heard at once, and people take turns. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSpeechRecognition } from '../../../server/speech/speech-recognition.ts';
import type { Recogniser, TranscribeInput } from '../../../server/speech/recogniser.ts';
import { createSimulatedRecogniser } from '../../../server/speech/simulated/simulated-recogniser.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';

const input: TranscribeInput = {
  audio: { blob: 'b', bytes: 1, sha256: 'a', content_type: 'audio/wav', seconds: 1 },
  read: async () => Readable.from([]),
  language: 'pt-BR',
  template: templateIn('pt-BR', 'chest_ct', shippedTemplates['chest_ct']!),
  exam: null,
  purpose: 'record',
};
const never = new AbortController().signal;

/** A hearing whose recogniser works until it is told to end, and what it works on. */
function slowHearing(queued?: number) {
  const working: PromiseWithResolvers<{ text: string }>[] = [];
  let most = 0;
  const recogniser = {
    name: 'slow',
    simulated: false,
    atOnce: 2,
    probe: async () => {},
    close: async () => {},
    async transcribe() {
      const work = Promise.withResolvers<{ text: string }>();
      working.push(work);
      most = Math.max(most, working.length);
      return work.promise;
    },
  } as unknown as Recogniser;
  const hearing = createSpeechRecognition(createSimulatedRecogniser(), recogniser, queued);
  const order: string[] = [];
  return {
    hearing,
    order,
    most: () => most,
    working: () => working.length,
    ask: async (user_id: string, signal = never) => {
      await hearing.transcribe({ test_mode: false, space: 'production', user_id }, input, signal);
      order.push(user_id);
    },
    async end(failure?: Error) {
      const work = working.shift()!;
      if (failure) work.reject(failure);
      else work.resolve({ text: '' });
      for (let turn = 0; turn < 5; turn++) await setImmediate();
    },
  };
}

test('of a hundred at once four are heard, one person has half of that, and each gets a turn', async () => {
  const { ask, end, most, working, order } = slowHearing();
  const asked = Array.from({ length: 100 }, () => ask('busy'));
  await setImmediate();
  expect(working()).toBe(2);
  asked.push(ask('other'), ask('third'), ask('other'));
  await setImmediate();
  expect(working()).toBe(4);
  while (working() > 0) await end();
  await Promise.all(asked);
  expect(most()).toBe(4);
  expect(order.slice(0, 6).filter((name) => name !== 'busy')).toHaveLength(3);
});

test('a client that hangs up or fails leaves the place to the next', async () => {
  const { ask, end, working, order } = slowHearing(1);
  const [first, second] = [ask('busy'), ask('busy')];
  const controller = new AbortController();
  const [gone, last] = [ask('busy', controller.signal), ask('busy')];
  await setImmediate();
  controller.abort(new Error('hung up'));
  await expect(gone).rejects.toThrow('hung up');
  const failed = expect(first).rejects.toThrow('no');
  await end(new Error('no'));
  await failed;
  while (working() > 0) await end();
  await Promise.all([second, last]);
  expect(order).toEqual(['busy', 'busy']);
});

test('as many queued dictations as the operator allows are heard at once', async () => {
  const { ask, end, working } = slowHearing(6);
  const asked = Array.from({ length: 20 }, (_, at) => ask(`user ${at}`));
  await setImmediate();
  expect(working()).toBe(12);
  while (working() > 0) await end();
  await Promise.all(asked);
});

test('a simulation is no bottleneck', async () => {
  const hearing = createSpeechRecognition(createSimulatedRecogniser(), undefined);
  const asked = Array.from({ length: 50 }, () => hearing.transcribe({ test_mode: true, space: 'test' }, input, never));
  expect((await Promise.all(asked)).every(({ text }) => text !== '')).toBe(true);
});

test('another recogniser hears from now on, and the former hears to the end what it had begun', async () => {
  const { hearing, ask, end, working, order } = slowHearing();
  const begun = ask('first');
  await setImmediate();
  const heard: string[] = [];
  let told = 0;
  hearing.onReplaced(() => (told += 1));
  let isReleased = false;
  const replaced = hearing.replace({
    name: 'next',
    simulated: false,
    atOnce: 1,
    probe: async () => {},
    close: async () => {},
    transcribe: async () => (heard.push('next'), { text: '' }),
  } as unknown as Recogniser);
  void replaced.then(() => (isReleased = true));
  await ask('second');
  expect([heard, working(), told, isReleased]).toEqual([['next'], 1, 1, false]);
  await end();
  await Promise.all([begun, replaced]);
  expect(order).toEqual(['second', 'first']);
  // A test client keeps the simulation.
  expect(hearing.findRecogniser({ test_mode: true })?.simulated).toBe(true);
});
