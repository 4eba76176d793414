/** The recorder of an exam, from the key to the disk and on to the service. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { CallInput } from '../../../desktop/bridge/calls.ts';
import { followCompressing } from '../../../desktop/renderer/state/recorder/compressing.ts';
import {
  dictations,
  putDictation,
  recoveredDictations,
  removeDictation,
} from '../../../desktop/renderer/state/recorder/dictations.ts';
import type { Recorder } from '../../../desktop/renderer/state/recorder/recorder.ts';
import { chooseFace } from '../../../desktop/renderer/state/recorder/recorder-face.ts';
import { pageName } from '../../../desktop/renderer/state/page-name.ts';
import { alarmOf, freshRecorder, lengthOf } from '../../../desktop/renderer/state/recorder/recorder-state.ts';
import { rate } from './fake-sound-service.ts';
import { createRecorderBench, settle } from './recorder-bench.ts';

type Bench = ReturnType<typeof createRecorderBench>;
let service: Bench['service'];
let sound: Bench['sound'];
let browser: Bench['browser'];
let build: Bench['build'];
let pass: Bench['pass'];
let recorder: Recorder;

beforeEach(() => {
  ({ service, sound, browser, build, pass } = createRecorderBench());
  recorder = build();
});
afterEach(() => {
  recorder.close();
  for (const { id } of dictations.value) removeDictation(id, 0);
});

const face = () => chooseFace(recorder.state.value);
const alarm = () => alarmOf(recorder.state.value);

describe('recording', () => {
  test('that ends after the speaker has left shows nothing of it to the next person', async () => {
    let desk: string | null = 'ana';
    const { call } = service.bridge;
    const hers = build({ desk: () => desk });
    await hers.record();
    desk = null;
    service.bridge.call = async (...asked) =>
      asked[0] === 'dictation.pause' ? new Promise(() => undefined) : call(...asked);
    for (const { id } of dictations.value) removeDictation(id, 0);
    void hers.pause();
    await pass(30_000);
    expect([hers.state.peek().phase, dictations.value]).toEqual(['off', []]);
    hers.close();
  });

  test('shows "recording" only when the first sound is on disk', async () => {
    const faces: string[] = [];
    const call = service.bridge.call;
    service.bridge.call = async (...request) => {
      faces.push(`${request[0]} ${face()}`);
      return call(...request);
    };
    await recorder.record();
    expect(face()).toBe('starting');
    sound.speak(1);
    await settle();
    const calls = ['dictation.start', 'dictation.take', 'dictation.room', 'dictation.block'];
    expect(faces.slice(0, 4)).toEqual(calls.map((name) => `${name} starting`));
    expect(face()).toBe('recording');
  });

  test.each([
    [3600, []],
    [1199, [19]],
  ])('a disk that takes %i s more: said in minutes, where that is less than an hour', async (seconds, said) => {
    const spoken: number[] = [];
    const { call } = service.bridge;
    service.bridge.call = async (...asked) => (asked[0] === 'dictation.room' ? ({ seconds } as never) : call(...asked));
    await build({ littleRoom: (minutes) => void spoken.push(minutes) }).record();
    await settle();
    expect(spoken).toEqual(said);
  });

  test('unsaved audio of another window does not concern this one', async () => {
    await recorder.record();
    await recorder.pause();
    const rest = { seconds: 0.4, trouble: null, isRefused: false };
    const dictation = { ...recorder.state.value.dictation!, state: 'recording', recorded_by: 'another' } as const;
    expect(chooseFace({ ...freshRecorder, dictation, rest })).toBe('paused');
    expect(chooseFace({ ...freshRecorder, dictation: { ...dictation, recorded_by: pageName }, rest })).toBe('pausing');
  });

  test('a dictation that another window records is left to it, with an offer to take over', async () => {
    const call = service.bridge.call;
    const elsewhere = { code: 'INVALID_TRANSITION', message: 'Elsewhere.', details: { reason: 'other_window' } };
    const asked: unknown[] = [];
    service.bridge.call = async (...request) => {
      const isTake = request[0] === 'dictation.take';
      if (isTake && asked.push((request[1] as { take_over?: boolean }).take_over) === 1) throw elsewhere;
      return call(...request);
    };
    const offers: ((() => void) | undefined)[] = [];
    recorder = build({ elsewhere: (takeOver) => void offers.push(takeOver) });
    await recorder.record();
    expect([face(), offers.length, recorder.state.value.problem]).toEqual([
      expect.not.stringMatching('recording'),
      1,
      null,
    ]);
    offers[0]?.();
    await settle();
    sound.speak(1);
    await settle();
    expect([face(), asked]).toEqual(['recording', [undefined, true]]);

    // Now the other one takes it back; what was said here until then is kept.
    service.restart();
    service.bridge.call = async (...request) => {
      if (request[0] === 'dictation.take') throw elsewhere;
      return call(...request);
    };
    sound.speak(3);
    await settle();
    await pass(500);
    expect([offers.slice(1), face(), service.seconds()]).toEqual([[undefined], 'paused', expect.closeTo(0.4)]);
  });

  test('audio captured while the disk is prepared is not lost', async () => {
    const call = service.bridge.call;
    service.bridge.call = async (...request) => {
      if (request[0] === 'dictation.take') sound.speak(3);
      return call(...request);
    };
    await recorder.record();
    await settle();
    expect(service.seconds()).toBeCloseTo(0.3);
    expect(lengthOf(recorder.state.value)).toBeCloseTo(0.3);
  });

  test('everything said is on disk when "paused" shows', async () => {
    await recorder.record();
    sound.speak(12);
    await recorder.toggle();
    expect(face()).toBe('paused');
    expect(service.seconds()).toBeCloseTo(1.2);
    expect(recorder.state.value.cursor).toBeCloseTo(1.2);
  });

  test('a refused start is reported, and the microphone is released', async () => {
    service.refuse('dictation.start', 'STORAGE_UNAVAILABLE');
    await recorder.record();
    expect(recorder.state.value.refused?.code).toBe('STORAGE_UNAVAILABLE');
    expect(face()).toBe('idle');
    await pass(21_000);
    expect(sound.seen.closed).toBe(1);
  });

  test('goes on where the cursor is, in the way chosen, with the microphone still open', async () => {
    await recorder.record();
    sound.speak(40);
    await recorder.back(3);
    expect(recorder.state.value.cursor).toBeCloseTo(1);
    recorder.setMode('overwrite');
    await recorder.record();
    expect(service.asked.findLast(({ name }) => name === 'dictation.take')?.input).toMatchObject({
      mode: 'overwrite',
      at: 1,
    });
    sound.speak(10);
    await settle();
    // Written over, not added.
    expect(lengthOf(recorder.state.value)).toBeCloseTo(4);
    expect(sound.seen.opened).toBe(1);
  });
});

describe('when saving fails', () => {
  test('audio waits in the page, is reported after 2 s, and is sent in order when the service is back', async () => {
    await recorder.record();
    service.refuse('dictation.block', 'NETWORK', 4);
    await pass(2100, () => sound.speak(1));
    expect(alarm()).toBe('unsaved');
    expect(sound.seen.beeps).toBeGreaterThan(0);
    await pass(3000, () => sound.speak(1));
    expect(alarm()).toBeNull();
    await recorder.pause();
    expect(service.seconds()).toBeCloseTo(5.1);
  });

  test('a service that was started again goes on with the take where it was cut off', async () => {
    await recorder.record();
    await pass(1000, () => sound.speak(1));
    service.restart();
    await pass(2000, () => sound.speak(1));
    await recorder.pause();
    expect(service.seconds()).toBeCloseTo(3);
    const takes = service.asked.filter(({ name }) => name === 'dictation.take').map(({ input }) => input);
    expect(takes).toMatchObject([{}, { resumed: { from: expect.closeTo(rate, -4) } }]);
    expect(new Set(takes.map((input) => (input as CallInput<'dictation.take'>).take)).size).toBe(1);
  });

  test('a service that stops accepting audio stops the recorder, aloud; the audio so far is kept', async () => {
    await recorder.record();
    await pass(500, () => sound.speak(1));
    service.refuse('dictation.block', 'VALIDATION_FAILED', 99);
    await pass(2000, () => sound.speak(1));
    const said = sound.seen.beeps;
    await pass(8000, () => sound.speak(1));
    expect([alarm(), face(), said > 0, sound.tell()]).toEqual(['stopped', 'paused', true, undefined]);
    // Nothing was heard after that: it is in the browser, or on disk.
    const heard = sound.seen.heard / rate;
    expect(browser.waiting() / 2 / rate).toBeCloseTo(heard - service.seconds());
    expect(heard).toBeLessThan(3);
  });

  test('if the browser stores nothing, the alarm is louder', async () => {
    browser.keepsNothing = true;
    await recorder.record();
    service.refuse('dictation.block', 'NETWORK', 9);
    await pass(2300, () => sound.speak(1));
    expect(alarm()).toBe('unkept');
    browser.keepsNothing = false;
    await pass(6000, () => sound.speak(1));
    expect([null, 'unsaved']).toContain(alarm());
  });

  test('if the browser stores nothing for half a minute, it stops, aloud; the audio is saved later', async () => {
    browser.keepsNothing = true;
    await recorder.record();
    await pass(1000, () => sound.speak(1));
    service.refuse('dictation.block', 'NETWORK', 999);
    await pass(29_000, () => sound.speak(1));
    expect([alarm(), sound.tell()]).toEqual(['unkept', expect.anything()]);
    await pass(6000, () => sound.speak(1));
    const said = sound.seen.beeps;
    const { heard } = sound.seen;
    expect([alarm(), face(), sound.tell()]).toEqual(['stopped', 'pausing', undefined]);
    await pass(60_000, () => sound.speak(1));
    expect(sound.seen.beeps).toBeGreaterThan(said);
    expect(sound.seen.heard).toBe(heard);
    service.refuseNoMore();
    await pass(20_000, () => undefined);
    expect(service.seconds()).toBeCloseTo(heard / rate);
    expect([alarm(), face()]).toEqual(['stopped', 'paused']);
  });

  test('a start that is refused is heard', async () => {
    service.refuse('dictation.take', 'NETWORK');
    await recorder.record();
    expect([face(), sound.seen.beeps]).toEqual(['paused', 1]);
  });
});

describe('alarms', () => {
  test('digital silence within 2 s, with a tone', async () => {
    await recorder.record();
    await pass(1000, () => sound.speak(1));
    await pass(2300, () => sound.speak(1, { peak: 0, rms: 0 }));
    expect(alarm()).toBe('dead');
    expect(sound.seen.beeps).toBe(1);
  });

  test('a pause for thought is none', async () => {
    await recorder.record();
    await pass(1000, () => sound.speak(1));
    await pass(10_000, () => sound.speak(1, { peak: 0.001, rms: 0.0005 }));
    expect(alarm()).toBeNull();
    await pass(12_000, () => sound.speak(1, { peak: 0.001, rms: 0.0005 }));
    expect(alarm()).toBe('quiet');
    expect(sound.seen.beeps).toBe(0);
  });

  test('no voice from the beginning', async () => {
    await recorder.record();
    await pass(2300, () => sound.speak(1, { peak: 0.001, rms: 0.0005 }));
    expect(alarm()).toBe('faint');
  });

  test('no samples for 2 s', async () => {
    await recorder.record();
    sound.speak(1);
    await pass(2300);
    expect(alarm()).toBe('no_sound');
  });

  test('muted by the system', async () => {
    await recorder.record();
    sound.tell()?.muted(true);
    expect(alarm()).toBe('muted');
    sound.tell()?.muted(false);
    expect(alarm()).toBeNull();
  });

  test('unplugging a device ends the take with all audio so far, and stays reported', async () => {
    await recorder.record();
    sound.speak(5);
    sound.tell()?.ended();
    await pass(500);
    expect(face()).toBe('paused');
    expect(alarm()).toBe('lost');
    expect(service.seconds()).toBeCloseTo(0.5);
    await recorder.record();
    expect(alarm()).toBeNull();
    // Opened anew: the old one is dead.
    expect(sound.seen.opened).toBe(2);
  });
});

describe('the recorder follows the dictation', () => {
  beforeEach(async () => {
    await recorder.record();
    sound.speak(10);
  });

  test('sending ends the recording first', async () => {
    await recorder.send();
    expect(
      service
        .names()
        .filter((name) => name !== 'dictation.peaks')
        .slice(-2),
    ).toEqual(['dictation.pause', 'dictation.send']);
    expect(face()).toBe('queued');
    await recorder.record();
    expect(face()).toBe('queued');
  });

  describe.for([true, false])('where Opus was chosen, and the browser can make it: %s', (can) => {
    test('is sent so, or as WAV with a word about it', async () => {
      recorder.close();
      const asked: string[] = [];
      const encode = async (address: string) => {
        asked.push(address);
        return { contentType: 'audio/webm' as const, bytes: new ArrayBuffer(8) };
      };
      recorder = build({
        settings: () => ({ microphone: null, document_language: 'pt-BR', template_id: null, upload_format: 'opus' }),
        encoder: { can: async () => can, encode },
      });
      onTestFinished(followCompressing((dictation) => void recorder.compress(dictation)));
      await recorder.record();
      sound.speak(1);
      await recorder.send();
      await settle();
      expect(service.asked.find(({ name }) => name === 'dictation.send')?.input).toMatchObject({
        format: can ? 'opus' : 'wav',
      });
      expect(asked).toEqual(can ? ['/app/files/dictations/dic_1.wav'] : []);
      expect(service.names().includes('dictation.encoded')).toBe(can);
      expect(recorder.cannotEncode.value).toBe(!can);
    });
  });

  test('is not sent before the last of it is on disk, even if it is being paused already', async () => {
    service.refuse('dictation.block', 'NETWORK', 3);
    sound.speak(2);
    void recorder.pause();
    await settle();
    expect(face()).toBe('pausing');
    void recorder.send();
    await settle();
    expect(service.names()).not.toContain('dictation.send');
    await pass(3000);
    expect(face()).toBe('queued');
    expect(service.seconds()).toBeCloseTo(1.2);
  });

  test('a failed one can be sent again, and a cancelled one edited', async () => {
    await recorder.send();
    putDictation({ ...recorder.state.value.dictation!, state: 'failed', error: { code: 'JOB_FAILED', message: 'no' } });
    expect(face()).toBe('failed');
    await recorder.retry();
    expect(face()).toBe('queued');
    await recorder.cancel();
    expect(face()).toBe('paused');
  });

  test('discarded and brought back', async () => {
    await recorder.discard();
    expect(face()).toBe('discarded');
    await recorder.restore();
    expect(face()).toBe('paused');
    expect(lengthOf(recorder.state.value)).toBeCloseTo(1);
  });

  test('the last phrase can be undone and redone; the next word goes there', async () => {
    await recorder.undo();
    expect(lengthOf(recorder.state.value)).toBe(0);
    expect(recorder.state.value.cursor).toBe(0);
    await recorder.redo();
    expect(lengthOf(recorder.state.value)).toBeCloseTo(1);
    expect(recorder.state.value.cursor).toBeCloseTo(1);
  });

  test('a dictation that this page continues is no longer reported as recovered', async () => {
    await recorder.pause();
    putDictation({ ...recorder.state.value.dictation!, recovered: true });
    expect(face()).toBe('paused');
    expect(recoveredDictations.value).toEqual([]);
  });

  test('a recovered one is offered when the exam is opened again', async () => {
    await recorder.pause();
    const { dictation } = recorder.state.value;
    removeDictation('dic_1', 0);
    putDictation({ ...dictation!, id: 'dic_0', recovered: true });
    recorder.close();
    recorder = build();
    expect(face()).toBe('recovered');
    expect(recorder.state.value.cursor).toBeCloseTo(1);
  });
});
