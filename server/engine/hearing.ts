/** Decides which recogniser hears whose speech. No other module decides this, or calls a recogniser. */
import { noRecogniser, notLive } from '../../src/contract/engine.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Heard, LiveHeard } from '../../src/domain/heard.ts';
import type { ListenInput, LiveRecogniser, Recogniser, TranscribeInput } from './recogniser.ts';

/** Whether the speech comes from a test client or concerns real patients. */
export interface Spoken {
  readonly test_mode: boolean;
}

export interface Hearing {
  /** `undefined`: there is no recogniser for this speech. */
  recogniserOf(spoken: Spoken): Recogniser | undefined;
  /** Throws ENGINE_UNAVAILABLE if there is no recogniser. */
  require(spoken: Spoken): void;
  /** Rejects with ENGINE_UNAVAILABLE if there is no recogniser. */
  transcribe(spoken: Spoken, input: TranscribeInput, signal: AbortSignal): Promise<Heard>;
  /** Throws ENGINE_UNAVAILABLE if nobody hears this speech while it is spoken. */
  requireLive(spoken: Spoken): void;
  /** Rejects as `requireLive` throws, and as `LiveRecogniser.listen` does. */
  listen(spoken: Spoken, input: ListenInput, onHeard: (heard: LiveHeard) => void, signal: AbortSignal): Promise<void>;
}

/** `forTests` hears test clients, `forPatients` all others. A simulated recogniser never hears a patient. */
export function createHearing(forTests: Recogniser | undefined, forPatients: Recogniser | undefined): Hearing {
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
    transcribe: async (spoken, input, signal) => requireRecogniser(spoken).transcribe(input, signal),
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
