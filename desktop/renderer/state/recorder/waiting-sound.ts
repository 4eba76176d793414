/**
 * Audio recorded in this browser that is not on disk and belongs to no running recording: its page was closed or
 * crashed, or the person did not wait. One page sends it automatically, under the login of the person who spoke.
 */
import { computed, signal } from '@preact/signals';
import type { Clock } from '../../../../src/domain/clock.ts';
import { bytesPerSample } from '../../../bridge/sound.ts';
import type { Bridge, BridgeError } from '../../../bridge/bridge.ts';
import type { Backlog, WaitingTake } from '../../backlog/backlog.ts';
import { asBridgeError } from '../bridge.ts';
import { createDelivery } from './delivery.ts';
import { putDictation } from './dictations.ts';
import { pause } from '../time/pause.ts';
import { callBytes, takeCalls } from './take-calls.ts';

export interface WaitingSound {
  readonly take: string;
  readonly dictation: string;
  readonly item_id: string;
  readonly desk: string;
  readonly seconds: number;
  /** Why the audio waits; `null`: it is being sent, by this or another page. */
  readonly trouble: BridgeError | null;
  /** Whether waiting alone won't help. */
  readonly isRefused: boolean;
}

/** Waiting takes of all people who dictated in this browser, including takes that a page is recording. */
const all = signal<readonly WaitingTake[]>([]);
const looked = Promise.withResolvers<void>();
/** Resolves when the page first knows what waits. */
export const firstLook: Promise<void> = looked.promise;
type Trouble = Pick<WaitingSound, 'trouble' | 'isRefused'>;
const smooth: Trouble = { trouble: null, isRefused: false };
const troubles = signal<ReadonlyMap<string, Trouble>>(new Map());

export const waitingSound = computed<readonly WaitingSound[]>(() =>
  all.value.map(({ take, dictation, desk, from, to, beginning: { item_id, sample_rate } }) => ({
    take,
    dictation,
    desk,
    item_id,
    seconds: (to - from) / bytesPerSample / sample_rate,
    ...(troubles.value.get(take) ?? smooth),
  })),
);

const waits = (dictation: string): boolean => waitingSound.peek().some((sound) => sound.dictation === dictation);

/** Resolves when no audio of the dictation waits. */
export async function waitUntilSent(dictation: string): Promise<void> {
  if (!waits(dictation)) return;
  await new Promise<void>((resolve) => {
    const stop = waitingSound.subscribe(() => {
      if (waits(dictation)) return;
      stop();
      resolve();
    });
  });
}

export interface WaitingDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  readonly backlog: Backlog;
  /** Identifies this page among the windows of one person. */
  readonly page: string;
  /** The desk of the person who is logged in; `null`: nobody is, and nothing is sent. */
  readonly desk: string | null;
}

/** Interval of the check for waiting audio, in ms. */
const lookMs = 1000;

/** Finds waiting audio and sends that of this person. The returned function stops. */
export function followWaitingSound(deps: WaitingDeps): () => void {
  const { backlog, clock, desk } = deps;
  const ending = new AbortController();
  const { signal } = ending;
  /** Takes that this page sends, or will send once no other page does. */
  const queued = new Set<string>();
  let callOff = (): void => undefined;
  let isLooking = false;

  const look = async (): Promise<void> => {
    if (isLooking || signal.aborted) return;
    isLooking = true;
    // In a browser that stores nothing, nothing waits.
    const takes = await backlog.list().catch(() => []);
    isLooking = false;
    if (signal.aborted) return;
    all.value = takes;
    looked.resolve();
    for (const take of takes) if (take.desk === desk) void queue(take.take);
    callOff();
    if (takes.length > 0) callOff = clock.schedule(clock.now() + lookMs, () => void look());
  };
  const queue = async (take: string): Promise<void> => {
    if (queued.has(take)) return;
    queued.add(take);
    // After a failure the next check finds the take again.
    const isSent = await backlog
      .hold(take, signal, () => sendWaiting(deps, take, signal))
      .then(
        () => true,
        () => false,
      );
    queued.delete(take);
    if (isSent) await look();
  };
  const stopChanges = backlog.onChange(() => void look());
  void look();
  return () => {
    ending.abort();
    stopChanges();
    callOff();
    troubles.value = new Map();
  };
}

const noteTrouble = (take: string, trouble: Trouble): void => {
  troubles.value = new Map(troubles.peek()).set(take, trouble);
};

/** Sends the waiting audio of one take, from the first byte to the last, and ends the take. */
async function sendWaiting(
  { bridge, clock, backlog, page }: WaitingDeps,
  take: string,
  signal: AbortSignal,
): Promise<void> {
  // The page that recorded the take may have sent it while this page waited for its turn.
  const waiting = (await backlog.list()).find((each) => each.take === take);
  if (!waiting) return;
  const calls = takeCalls(bridge, waiting, { page, moved: putDictation });
  const delivery = createDelivery({
    clock,
    from: waiting.from,
    next: (from) => backlog.read(take, from, callBytes(waiting.beginning.sample_rate)),
    send: async (piece, ended) => (await calls.send(piece, ended)).stored,
    resume: calls.resume,
    stored: (bytes) => void backlog.forget(take, bytes).catch(() => undefined),
    trouble: (trouble) => noteTrouble(take, { trouble, isRefused: false }),
    refused: (trouble) => noteTrouble(take, { trouble, isRefused: true }),
  });
  signal.addEventListener('abort', () => delivery.stop());
  delivery.kick();
  await delivery.idle();
  while (!signal.aborted) {
    try {
      putDictation(await calls.end(!waiting.ended));
      break;
    } catch (thrown) {
      if (asBridgeError(thrown).code === 'NOT_FOUND') break;
      await pause(clock, lookMs, signal);
    }
  }
  if (!signal.aborted) await backlog.forget(take);
}
