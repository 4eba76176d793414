/**
 * Whatever happens between the microphone and the disk, what was spoken is there in the end, once and in order; or the
 * recorder has said that it is not kept, or has stopped. The page and the app behind it are real, on a disk; the way
 * between them is not, nor is the browser's storage.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { otherPerson } from '../../../desktop/bridge/session.ts';
import type { Bridge, BridgeError } from '../../../desktop/bridge/bridge.ts';
import type { Dictation } from '../../../desktop/bridge/dictation.ts';
import { setBridge } from '../../../desktop/renderer/state/bridge.ts';
import { dictations, readDictations, removeDictation } from '../../../desktop/renderer/state/recorder/dictations.ts';
import { createRecorder } from '../../../desktop/renderer/state/recorder/recorder.ts';
import type { Recorder } from '../../../desktop/renderer/state/recorder/recorder.ts';
import { alarmOf, unsaved } from '../../../desktop/renderer/state/recorder/recorder-state.ts';
import { followWaitingSound, waitingSound } from '../../../desktop/renderer/state/recorder/waiting-sound.ts';
import { keepWarm } from '../../../desktop/renderer/state/recorder/warm-microphone.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { memoryBrowser } from '../../support/memory-backlog.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { openDesk, startOfTest } from '../app/dictations/open-dictations.ts';
import { fakeMicrophone } from './fake-microphone.ts';

/** What happens to a call on its way. `late`: it takes effect, and is answered, seconds later. */
const faults = ['ok', 'lost before', 'lost after', 'slow', 'late', 'never answered'] as const;
type Fault = (typeof faults)[number];

type PlainStep = 'record' | 'pause' | 'reload' | 'restart' | 'outage' | 'back' | 'seal';
type Step =
  | { readonly do: 'speak'; readonly blocks: number }
  | { readonly do: PlainStep }
  | { readonly do: 'at the beginning' }
  | { readonly do: 'login'; readonly who: 'ana' | 'bruno' }
  | { readonly do: 'keeps'; readonly nothing: boolean };

/** Samples a second: few, so that a whole day's work is small. */
const rate = 100;
const blockSamples = rate / 10;
const network: BridgeError = { code: 'NETWORK', message: 'Laudio is not responding.' };

interface Spoken {
  readonly values: number[];
  /** So many of them the recorder said to be kept when its page died; all of them where it didn't. */
  kept: number;
}

async function startWorld(faultsToCome: Fault[]) {
  const clock = manualClock(startOfTest);
  const browser = memoryBrowser();
  const copies: string[] = [];
  const openAt = (directory?: string) =>
    openDesk({ clock, sealing: undefined, ...(directory !== undefined && { directory }) });
  let desk = await openAt();
  let isUp = true;
  let who: 'ana' | 'bruno' = 'ana';
  let isCalm = false;
  const pending = new Set<Promise<unknown>>();
  const takes: Spoken[] = [];
  let value = 0;

  const exec: Bridge['call'] = async (name, input, bytes) => {
    // All that is asked here is asked as Ana.
    if (who !== 'ana') throw { code: 'FORBIDDEN', message: '', details: { reason: otherPerson } } satisfies BridgeError;
    const handlers = desk.call as unknown as Record<string, (input: unknown, bytes?: Uint8Array) => Promise<unknown>>;
    const work = handlers[name]!(input, bytes && new Uint8Array(bytes));
    pending.add(work);
    return work.finally(() => pending.delete(work)) as never;
  };
  const later = (ms: number): Promise<void> => new Promise((resolve) => void clock.schedule(clock.now() + ms, resolve));
  const call: Bridge['call'] = async (name, input, bytes) => {
    if (!isUp) throw network;
    const sent = bytes?.slice(0);
    const fault = isCalm || name === 'dictation.peaks' ? 'ok' : (faultsToCome.shift() ?? 'ok');
    if (fault === 'lost before') throw network;
    if (fault === 'late') await later(3000);
    if (!isUp) throw network;
    const answer = exec(name, input, sent);
    answer.catch(() => undefined);
    if (fault === 'slow') await later(12_000);
    if (fault === 'lost after') {
      await answer.catch(() => undefined);
      throw network;
    }
    if (fault === 'never answered') {
      await answer.catch(() => undefined);
      return new Promise(() => undefined);
    }
    return answer;
  };
  const bridgeOf = (page: { isClosed: boolean }): Bridge => ({
    async call(...asked) {
      const answer = page.isClosed ? new Promise<never>(() => undefined) : call(...asked);
      const told = await answer.catch((error: unknown) => Promise.reject(error as Error));
      // Nobody is there to hear of it.
      return page.isClosed ? new Promise(() => undefined) : told;
    },
    on: () => () => undefined,
    onGap: () => () => undefined,
    address: (file) => file,
  });

  /** Everything that needs no more time has happened. */
  const idle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 4;) {
      if (pending.size > 0) await Promise.allSettled(pending);
      quiet = pending.size === 0 ? quiet + 1 : 0;
      await new Promise((resolve) => void setImmediate(resolve));
    }
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await idle();
    }
  };

  function openPage() {
    const backlog = browser.backlog();
    const microphone = fakeMicrophone(rate);
    const name = `page ${Math.random()}`;
    const self = { isClosed: false };
    const bridge = bridgeOf(self);
    setBridge(bridge);
    const recorder = createRecorder('wli_1', {
      bridge,
      clock,
      backlog,
      reports: { ask: async () => undefined, withdraw: () => false },
      microphone: keepWarm(microphone.open, clock, microphone.alarm),
      player: { play: async () => undefined, stop: () => undefined },
      settings: () => ({ microphone: null, document_language: 'pt-BR', template_id: null, upload_format: 'wav' }),
      mayTake: () => true,
      takeExam: async () => true,
      page: name,
      desk: () => (who === 'ana' ? 'ana' : null),
      elsewhere: () => undefined,
      moved: () => undefined,
      littleRoom: () => undefined,
      encoder: { can: async () => false, encode: () => Promise.reject(new Error('not here')) },
    });
    const send = () => followWaitingSound({ bridge, clock, backlog, page: name, desk: who === 'ana' ? 'ana' : null });
    let stop = send();
    return {
      recorder,
      microphone,
      login() {
        stop();
        stop = send();
      },
      close() {
        self.isClosed = true;
        stop();
        backlog.close();
        recorder.close();
        microphone.tell()?.ended();
        for (const { id, revision } of dictations.value) removeDictation(id, revision);
      },
    };
  }

  let page: ReturnType<typeof openPage> | undefined = openPage();
  let spoken: Spoken | undefined;
  /** Of the running take, samples of which the recorder says that they are kept. */
  const keptSamples = ({ state }: Recorder): number => {
    const { take } = state.peek();
    return take ? Math.round(Math.max(take.saved, take.kept) * rate) : Infinity;
  };
  const closePage = (): void => {
    if (!page) return;
    const { state } = page.recorder;
    if (spoken && state.peek().take) {
      spoken.kept = Math.min(keptSamples(page.recorder), spoken.values.length);
      // Little is lost with a page that has not said that it is in it alone.
      const isTold = ['unkept', 'stopped'].includes(alarmOf(state.peek()) ?? '');
      if (!isTold) expect(spoken.values.length - spoken.kept).toBeLessThanOrEqual(2.3 * rate);
    } else if (spoken && state.peek().phase !== 'off') spoken.kept = 0;
    spoken = undefined;
    // Its calls may still take effect, its hands are gone.
    page.close();
    page = undefined;
  };
  /** The page comes from the app itself: without that there is none. */
  const openAgain = async (): Promise<void> => {
    if (page || !isUp) return;
    page = openPage();
    await look();
  };
  /** As the page does when it has missed something. */
  const look = async (): Promise<void> => {
    readDictations().catch(() => undefined);
    await idle();
  };

  const steps = {
    async speak({ blocks }: { readonly blocks: number }) {
      for (let n = 0; n < blocks; n++) {
        const samples = Int16Array.from({ length: blockSamples }, () => (value += 1));
        if (page?.microphone.tell() && spoken) spoken.values.push(...samples);
        page?.microphone.speak(1, { samples: samples.buffer });
        await pass(100);
        const state = page?.recorder.state.peek();
        if (state?.phase === 'recording' && unsaved(state) > 2.3) expect(alarmOf(state)).not.toBeNull();
      }
    },
    async record() {
      if (!page || page.recorder.state.peek().phase !== 'off') return;
      const begun: Spoken = { values: [], kept: Infinity };
      spoken = begun;
      void page.recorder.record().then(() => {
        // Refused, aloud: nothing of it counts.
        if (page?.recorder.state.peek().take === null && begun.kept === Infinity && !takes.includes(begun))
          begun.values.length = 0;
        else takes.push(begun);
      });
      await idle();
    },
    async pause() {
      void page?.recorder.pause();
      await idle();
    },
    async reload() {
      closePage();
      await openAgain();
    },
    async restart() {
      // As after SIGKILL: the files as they are, and nothing of what was in memory.
      await idle();
      const copy = await temporaryDirectory();
      copies.push(copy);
      await cp(join(desk.directory, 'dictations'), join(copy, 'dictations'), { recursive: true });
      const former = desk;
      desk = await openAt(copy);
      await former.close();
      await look();
    },
    async outage() {
      isUp = false;
    },
    async back() {
      isUp = true;
      await openAgain();
      await look();
    },
    async seal() {
      const { items } = await desk.call['dictation.list']({});
      for (const { id } of items) await desk.send(id).catch(() => undefined);
    },
    async 'at the beginning'() {
      page?.recorder.moveTo(0);
    },
    async login({ who: next }: { readonly who: 'ana' | 'bruno' }) {
      who = next;
      if (next === 'bruno') void page?.recorder.pause();
      page?.login();
      await idle();
    },
    async keeps({ nothing }: { readonly nothing: boolean }) {
      browser.keepsNothing = nothing;
    },
  } satisfies { [K in Step['do']]: (step: Extract<Step, { do: K }>) => Promise<void> };
  return {
    run: (step: Step) => (steps[step.do] as (step: Step) => Promise<void>)(step),
    /** All is well again, and there is time. */
    async settle(): Promise<void> {
      isCalm = true;
      browser.keepsNothing = false;
      await steps.login({ who: 'ana' });
      await steps.back();
      await steps.pause();
      const isBusy = () => page?.recorder.state.peek().phase !== 'off' || waitingSound.value.length > 0;
      for (let n = 0; n < 40 && isBusy(); n++) await pass(5000);
      expect(page?.recorder.state.peek().phase).toBe('off');
    },
    /** Values in each dictation, the oldest first. */
    async heard(): Promise<number[][]> {
      const { items } = await desk.call['dictation.list']({});
      const inOrder = items.toSorted((a: Dictation, b: Dictation) => a.created_at.localeCompare(b.created_at));
      return Promise.all(inOrder.map(({ id }) => desk.heard(id)));
    },
    takes,
    browser,
    page: () => page,
    desk: () => desk,
    close: () => page?.close(),
  };
}

const plain = (...names: readonly PlainStep[]): fc.Arbitrary<Step> =>
  fc.constantFrom(...names).map((name) => ({ do: name }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('speak' as const), blocks: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 6, arbitrary: plain('record', 'pause', 'outage', 'back') },
  { weight: 3, arbitrary: plain('reload', 'restart') },
  { weight: 1, arbitrary: plain('seal') },
  { weight: 1, arbitrary: fc.constant({ do: 'at the beginning' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('login' as const), who: fc.constantFrom('ana' as const, 'bruno' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('keeps' as const), nothing: fc.boolean() }) },
);

test('through outages, restarts, reloads, other logins and answers of every kind', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constant('ok' as const), fc.constantFrom(...faults)), {
        maxLength: 60,
      }),
      fc.array(step, { minLength: 4, maxLength: 24 }),
      async (faultsToCome, steps) => {
        const world = await startWorld([...faultsToCome]);
        try {
          await world.run({ do: 'record' });
          for (const each of steps) await world.run(each);
          await world.settle();
          const heard = await world.heard();
          for (const { values, kept } of world.takes) {
            const known = new Set(values);
            const found = heard.flat().filter((sample) => known.has(sample));
            expect(found).toEqual(values.slice(0, found.length));
            expect(found.length).toBeGreaterThanOrEqual(Math.min(kept, values.length));
          }
          const spoken = new Set(world.takes.flatMap(({ values }) => values));
          expect(heard.flat().filter((sample) => !spoken.has(sample))).toEqual([]);
          expect(world.browser.waiting()).toBe(0);
        } finally {
          world.close();
        }
      },
    ),
    { numRuns: 25 },
  );
});
