/**
 * Tracks whether the recogniser is available. After a refusal it is probed with growing delays until it answers; then
 * it gets a single dictation, and after a success its full load.
 */
import { backoffDelay } from '../../../src/domain/backoff.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Recogniser } from '../../speech/recogniser.ts';
import type { Log } from '../../runtime/log.ts';

/** Short delays, because probes are cheap and dictations are waiting. */
const backoff = { base: 2000, factor: 2, max: 60_000 };

/** ms after which a probe has failed. */
const probeLimit = 30_000;

export interface EngineWatch {
  /**
   * `absent`: there is no recogniser. `down`: it refused and hasn't answered a probe since. `tried`: it answered a
   * probe but has transcribed nothing since.
   */
  readonly state: 'absent' | 'up' | 'down' | 'tried';
  /** When it became absent or down, in ms since 1970. */
  readonly since: number;
  /** Time of the next probe in ms since 1970, if it is down. */
  readonly nextProbe: number | undefined;
  /** The recogniser refused a dictation because it is unavailable. */
  refused(): void;
  /** The recogniser transcribed a dictation. */
  served(): void;
  /** Ends the probes; the next dictation is tried even if the recogniser was down. */
  stop(): void;
}

/** Calls `back` when the recogniser may get dictations again. `random` returns 0 to 1 for the jitter. */
export function watchEngine(
  recogniser: Pick<Recogniser, 'name' | 'probe'> | undefined,
  { clock, random, log }: { readonly clock: Clock; readonly random: () => number; readonly log: Log },
  back: () => void,
): EngineWatch {
  let since = clock.now();
  if (!recogniser) return { state: 'absent', since, nextProbe: undefined, refused() {}, served() {}, stop() {} };
  const engine = recogniser;
  let state: EngineWatch['state'] = 'up';
  let failures = 0;
  let nextProbe: number | undefined;
  /** Cancels the next probe or ends the current one. */
  let callOff = () => {};

  function fail(): void {
    if (failures === 0) {
      since = clock.now();
      log({ level: 'warn', event: 'recogniser_down', engine: engine.name });
    }
    state = 'down';
    const at = clock.now() + backoffDelay(++failures, { ...backoff, random });
    nextProbe = at;
    callOff = clock.schedule(at, probe);
  }

  async function probe(): Promise<void> {
    const controller = new AbortController();
    const answer = Promise.withResolvers<boolean>();
    const machine = machineClockOf(clock);
    const endLimit = machine.schedule(machine.now() + probeLimit, () => answer.resolve(false));
    // The canceller has set the next state.
    let isCalledOff = false;
    callOff = () => {
      isCalledOff = true;
      answer.resolve(false);
    };
    engine.probe(controller.signal).then(
      () => answer.resolve(true),
      () => answer.resolve(false),
    );
    const answers = await answer.promise;
    endLimit();
    controller.abort();
    if (isCalledOff) return;
    if (!answers) return fail();
    state = 'tried';
    nextProbe = undefined;
    back();
  }

  return {
    get state() {
      return state;
    },
    get since() {
      return since;
    },
    get nextProbe() {
      return nextProbe;
    },
    refused() {
      if (state === 'up' || state === 'tried') fail();
    },
    served() {
      callOff();
      const wasUp = state === 'up';
      state = 'up';
      failures = 0;
      nextProbe = undefined;
      if (wasUp) return;
      log({ level: 'info', event: 'recogniser_back', engine: engine.name });
      back();
    },
    stop() {
      callOff();
      state = 'up';
      failures = 0;
      nextProbe = undefined;
    },
  };
}
