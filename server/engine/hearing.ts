/** Decides which recogniser hears whose speech, and how much at once. No other module decides this, or calls a recogniser. */
import { noRecogniser, notLive } from '../../src/contract/engine.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Heard, LiveHeard } from '../../src/domain/heard.ts';
import { createFairPlaces } from '../queue/fair-places.ts';
import type { ListenInput, LiveRecogniser, Recogniser, TranscribeInput } from './recogniser.ts';

/** Whether the speech comes from a test client or concerns real patients. */
export interface Spoken {
  readonly test_mode: boolean;
}

/** Whose whole dictation it is. */
export interface Speaker extends Spoken {
  readonly space: string;
  readonly user_id?: string;
}

export interface Hearing {
  /** `undefined`: there is no recogniser for this speech. */
  recogniserOf(spoken: Spoken): Recogniser | undefined;
  /** Throws ENGINE_UNAVAILABLE if there is no recogniser. */
  require(spoken: Spoken): void;
  /** Waits while too many others are heard; speakers take turns. Rejects with ENGINE_UNAVAILABLE if there is no recogniser. */
  transcribe(speaker: Speaker, input: TranscribeInput, signal: AbortSignal): Promise<Heard>;
  /** Throws ENGINE_UNAVAILABLE if nobody hears this speech while it is spoken. */
  requireLive(spoken: Spoken): void;
  /** Rejects as `requireLive` throws, and as `LiveRecogniser.listen` does. */
  listen(spoken: Spoken, input: ListenInput, onHeard: (heard: LiveHeard) => void, signal: AbortSignal): Promise<void>;
}

/**
 * Beside the queued dictations as many of callers who wait are heard at once, and at least so many. Each takes a process that
 * decodes it.
 */
const besidesQueued = 2;

/**
 * `forTests` hears test clients, `forPatients` all others. A simulated recogniser never hears a patient. `queued`: how many
 * dictations of jobs are heard at once; default: as many as the recogniser takes.
 */
export function createHearing(
  forTests: Recogniser | undefined,
  forPatients: Recogniser | undefined,
  queued = forPatients?.atOnce ?? 1,
): Hearing {
  const places = createFairPlaces(queued + Math.max(besidesQueued, queued));
  if (forPatients?.simulated) throw new Error(`${forPatients.name} is for test clients alone.`);
  const recogniserOf = ({ test_mode }: Spoken): Recogniser | undefined => (test_mode ? forTests : forPatients);
  const requireRecogniser = (spoken: Spoken): Recogniser => {
    const recogniser = recogniserOf(spoken);
    if (!recogniser) throw nobodyHears();
    return recogniser;
  };
  const requireLive = (spoken: Spoken): LiveRecogniser => {
    const { live } = requireRecogniser(spoken);
    if (!live) throw nobodyListens();
    return live;
  };
  return {
    recogniserOf,
    require: (spoken) => void requireRecogniser(spoken),
    requireLive: (spoken) => void requireLive(spoken),
    listen: async (spoken, input, onHeard, signal) => requireLive(spoken).listen(input, onHeard, signal),
    async transcribe(speaker, input, signal) {
      const recogniser = requireRecogniser(speaker);
      if (recogniser.simulated) return recogniser.transcribe(input, signal);
      const leave = await places.enter(`${speaker.space} ${speaker.user_id ?? ''}`, signal);
      try {
        return await recogniser.transcribe(input, signal);
      } finally {
        leave();
      }
    },
  };
}

/** Seconds after which a client may find a recogniser. */
const retryAfter = 3600;

const nobodyHears = (): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: 'This server does not recognise speech, so the server kept none of the audio.',
    details: { reason: noRecogniser },
    hint: 'Keep the audio and send the words as text, or start the server with a recogniser (laudio serve --recogniser). A dictation sent with mode "async" waits for one as a job.',
    retryAfter,
  });

const nobodyListens = (): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: 'The recogniser of this server hears whole dictations, and nothing while somebody speaks.',
    details: { reason: notLive },
    hint: 'Record the dictation, and send the audio when it is complete.',
    retryAfter,
  });
