/** A recorder beside a service, a microphone, a clock and a browser that a test decides. */
import { addTimeouts } from '../../../desktop/renderer/audio/add-timeouts.ts';
import type { RecorderDeps } from '../../../desktop/renderer/state/recorder/recorder-parts.ts';
import { createRecorder } from '../../../desktop/renderer/state/recorder/recorder.ts';
import type { Recorder } from '../../../desktop/renderer/state/recorder/recorder.ts';
import { createWaitingReports } from '../../../desktop/renderer/state/recorder/waiting-reports.ts';
import { keepWarm } from '../../../desktop/renderer/state/recorder/warm-microphone.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { memoryBrowser } from '../../support/memory-backlog.ts';
import { fakeMicrophone } from './fake-microphone.ts';
import { fakeSoundService, rate } from './fake-sound-service.ts';

export const settle = async (): Promise<void> => {
  for (let n = 0; n < 30; n++) await Promise.resolve();
};

export function createRecorderBench() {
  const service = fakeSoundService();
  const sound = fakeMicrophone(rate);
  const clock = manualClock(1_000_000);
  const browser = memoryBrowser();
  const build = (change: Partial<RecorderDeps> = {}): Recorder => {
    const deps = { bridge: service.bridge, clock, backlog: browser.backlog() };
    return createRecorder('wli_1', {
      ...deps,
      reports: createWaitingReports({ ...deps, refused: () => undefined }),
      microphone: keepWarm(addTimeouts(sound.open, clock), clock, sound.alarm),
      player: { play: async () => undefined, stop: () => undefined },
      settings: () => ({ microphone: null, document_language: 'pt-BR', template_id: null, upload_format: 'wav' }),
      mayTake: () => true,
      takeExam: async () => true,
      page: 'one',
      desk: () => 'ana',
      moved: () => undefined,
      elsewhere: () => undefined,
      littleRoom: () => undefined,
      encoder: { can: async () => false, encode: async () => Promise.reject(new Error('not here')) },
      ...change,
    });
  };
  /** Lets time pass in steps, as timers and answers take turns. */
  const pass = async (ms: number, each: () => void = () => undefined): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      each();
      clock.advance(100);
      await settle();
    }
  };
  return { service, sound, clock, browser, build, pass };
}
