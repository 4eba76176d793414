/** Who hears whose sound. This is the only place that decides it, and the only one that calls a recogniser. */
import { noRecogniser } from '../../src/contract/engine.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Heard } from '../../src/domain/heard.ts';
import type { Recogniser, TranscribeInput } from './recogniser.ts';

/** Whose sound it is: of a test client, or of real patients. */
export interface Spoken {
  readonly test_mode: boolean;
}

export interface Hearing {
  /** `undefined`: nobody hears it. */
  recogniserOf(spoken: Spoken): Recogniser | undefined;
  /** Throws ENGINE_UNAVAILABLE where nobody hears it: before sound is taken that would come to nothing. */
  require(spoken: Spoken): void;
  /** ENGINE_UNAVAILABLE where nobody hears it. */
  transcribe(spoken: Spoken, input: TranscribeInput, signal: AbortSignal): Promise<Heard>;
}

/** `forTests` hears test clients, `forPatients` everybody else. A simulation never hears a patient. */
export function createHearing(forTests: Recogniser, forPatients: Recogniser | undefined): Hearing {
  if (forPatients?.simulated) throw new Error(`${forPatients.name} is for test clients alone.`);
  const recogniserOf = ({ test_mode }: Spoken): Recogniser | undefined => (test_mode ? forTests : forPatients);
  const found = (spoken: Spoken): Recogniser => {
    const recogniser = recogniserOf(spoken);
    if (!recogniser) throw nobodyHears();
    return recogniser;
  };
  return {
    recogniserOf,
    require: (spoken) => void found(spoken),
    transcribe: async (spoken, input, signal) => found(spoken).transcribe(input, signal),
  };
}

/** Seconds after which somebody who asks again may find one. */
const retryAfter = 3600;

const nobodyHears = (): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: 'This server does not recognise speech, so it took nothing of the sound.',
    details: { reason: noRecogniser },
    hint: 'Keep the sound, and send the words as text. A test client gets a simulated transcript.',
    retryAfter,
  });
