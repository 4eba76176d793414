/**
 * Decides which recogniser transcribes whose speech, and how many dictations at a time. Only this module calls
 * recognisers.
 */
import { noRecogniser, notLive } from '../../src/contract/engine.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { HeardText, LiveHeard } from '../../src/domain/heard-text.ts';
import { createListeners } from '../../src/domain/listeners.ts';
import { createFairPlaces } from '../runtime/queue/fair-places.ts';
import type { ListenInput, LiveRecogniser, Recogniser, TranscribeInput } from './recogniser.ts';

/** Whether the speech comes from a test client or concerns real patients. */
export interface Speech {
  readonly test_mode: boolean;
}

/** Whose dictation it is. */
export interface Speaker extends Speech {
  readonly space: string;
  readonly user_id?: string;
}

export interface SpeechRecognition {
  /** `undefined` if this speech has no recogniser. */
  findRecogniser(spoken: Speech): Recogniser | undefined;
  /** Throws ENGINE_UNAVAILABLE if there is no recogniser. */
  require(spoken: Speech): void;
  /** Waits for a free place; speakers take turns. Rejects with ENGINE_UNAVAILABLE if there is no recogniser. */
  transcribe(speaker: Speaker, input: TranscribeInput, signal: AbortSignal): Promise<HeardText>;
  /** Throws ENGINE_UNAVAILABLE if this speech cannot be transcribed live. */
  requireLive(spoken: Speech): void;
  /** Rejects as `requireLive` throws, and as `LiveRecogniser.listen` does. */
  listen(spoken: Speech, input: ListenInput, onHeard: (heard: LiveHeard) => void, signal: AbortSignal): Promise<void>;
  /** Makes this the recogniser of patients. Resolves once the previous one has finished the work that it had begun. */
  replace(forPatients: Recogniser | undefined): Promise<void>;
  /** Calls the listener when the recogniser of patients changes. */
  onReplaced(listener: () => void): void;
}

/**
 * Places for callers who wait, in addition to the queued dictations: at least these, and as many as there are queued.
 * Each takes a decoder process.
 */
const callerPlaces = 2;

/**
 * `forTests` transcribes test clients, `forPatients` all others; if both are the same, they stay the same. A simulated
 * recogniser never transcribes patients. `queued`: concurrent dictations of jobs; by default as many as the recogniser
 * supports.
 */
export function createSpeechRecognition(
  forTests: Recogniser | undefined,
  forPatients: Recogniser | undefined,
  queued?: number,
): SpeechRecognition {
  const testsAreReal = forTests === forPatients;
  const listeners = createListeners();
  let current = trackWork(forPatients, queued);
  const findRecogniser = ({ test_mode }: Speech): Recogniser | undefined =>
    test_mode && !testsAreReal ? forTests : current.recogniser;
  const requireRecogniser = (spoken: Speech): Recogniser => {
    const recogniser = findRecogniser(spoken);
    if (!recogniser) throw recogniserMissing();
    return recogniser;
  };
  const requireLive = (spoken: Speech): LiveRecogniser => {
    const { live } = requireRecogniser(spoken);
    if (!live) throw liveRecogniserMissing();
    return live;
  };
  return {
    findRecogniser,
    require: (spoken) => void requireRecogniser(spoken),
    requireLive: (spoken) => void requireLive(spoken),
    async listen(spoken, input, onHeard, signal) {
      const live = requireLive(spoken);
      const { withoutLiveNoise } = await noise();
      const listening = live.listen(input, (heard) => onHeard(withoutLiveNoise(heard)), signal);
      return findRecogniser(spoken) === current.recogniser ? current.note(listening) : listening;
    },
    async transcribe(speaker, input, signal) {
      const recogniser = requireRecogniser(speaker);
      if (recogniser.simulated) return recogniser.transcribe(input, signal);
      // Text that nobody said is detected here, whatever the recogniser.
      const { note, places } = current;
      return note(
        (async () => {
          const leave = await places.enter(`${speaker.space} ${speaker.user_id ?? ''}`, signal);
          try {
            const { withoutNoise } = await noise();
            return withoutNoise(await recogniser.transcribe(input, signal));
          } finally {
            leave();
          }
        })(),
      );
    },
    async replace(next) {
      const previous = current;
      current = trackWork(next, queued);
      listeners.notify();
      await previous.idle();
    },
    onReplaced: listeners.add,
  };
}

/** Imported with the first speech. */
const noise = () => import('../../src/domain/recogniser-noise.ts');

/** The recogniser of patients while it is in use, with its running work. */
function trackWork(recogniser: Recogniser | undefined, queued = recogniser?.atOnce ?? 1) {
  if (recogniser?.simulated) throw new Error(`${recogniser.name} is for test clients alone.`);
  const underWay = new Set<Promise<unknown>>();
  const total = queued + Math.max(callerPlaces, queued);
  return {
    recogniser,
    // A speaker gets at most half of the places.
    places: createFairPlaces({ perLane: Math.ceil(total / 2), total }),
    note<T>(work: Promise<T>): Promise<T> {
      const noted = work.finally(() => underWay.delete(noted));
      underWay.add(noted);
      return noted;
    },
    idle: async (): Promise<void> => void (await Promise.allSettled(underWay)),
  };
}

/** Seconds after which a client may find a recogniser. */
const retryAfter = 3600;

const recogniserMissing = (): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: 'This server does not recognise speech. The audio was not stored.',
    details: { reason: noRecogniser },
    hint: 'Keep the audio and send the words as text, or start the server with a recogniser (laudio serve --recogniser). A dictation sent with mode "async" waits for one as a job.',
    retryAfter,
  });

const liveRecogniserMissing = (): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: 'The recogniser of this server transcribes only complete dictations, not live speech.',
    details: { reason: notLive },
    hint: 'Record the dictation, and send the audio when it is complete.',
    retryAfter,
  });
