/** Hears stretches of sound with the model in its process. */
import { validationFailed } from '../../../src/contract/errors.ts';
import type { AppError } from '../../../src/contract/errors.ts';
import { removeOldest } from '../../../src/domain/oldest.ts';
import { createFairPlaces } from '../../runtime/queue/fair-places.ts';
import type { Ear, HearingContext } from '../hearing/ear.ts';
import { toTranscript } from '../hearing/transcripts.ts';
import { soundRate } from '../sound/samples.ts';
import { isLackOfMemory } from './memory.ts';
import { isCrash } from './model-failures.ts';
import type { ModelProcess } from './model-process.ts';
import { joinTokens } from './words.ts';

/** Shared by all pieces of a dictation. */
export interface LocalContext extends HearingContext {
  /** Identifies the sound. Absent: it is spoken now. */
  readonly sha256?: string;
}

/** The longest piece for the model. */
const maxPieceSeconds = 28;
/** Audio that crashed the process twice and is not tried again; the oldest entries are evicted. */
const maxBadSounds = 1000;

export interface LocalEar extends Ear<LocalContext> {
  /** Throws VALIDATION_FAILED if the sound crashed the model before. */
  check(context: LocalContext): void;
}

export function createLocalEar(process: Pick<ModelProcess, 'decode'>): LocalEar {
  const badSounds = new Set<string>();
  return {
    places: createFairPlaces({ perLane: 1, total: 1 }),
    seconds: () => maxPieceSeconds,
    hearsOpen: true,
    check({ sha256 }) {
      if (sha256 !== undefined && badSounds.has(sha256)) throw badSound();
    },
    async hear({ samples, voiced }, { language, anyLanguage = false, sha256, isRepeated }, signal) {
      const decode = () => process.decode(samples, anyLanguage ? undefined : language, signal);
      // The process may have crashed for other reasons, so each stretch gets a second try.
      const tokens = await decode()
        .catch((error: unknown) => {
          if (isCrash(error) || isLackOfMemory(error)) return decode();
          throw error;
        })
        .catch((error: unknown) => {
          if (!isCrash(error)) throw error;
          if (isRepeated === true || sha256 === undefined) throw badSound();
          badSounds.add(sha256);
          if (badSounds.size > maxBadSounds) removeOldest(badSounds);
          throw badSound();
        });
      const seconds = samples.length / soundRate;
      const words = joinTokens(tokens).map(({ text, from, to }) => ({ text, data: { from, to } }));
      const last = words.findIndex(({ data }) => data.from >= seconds);
      const [said, beyond] = last < 0 ? [words, []] : [words.slice(0, last), words.slice(last)];
      const segments = [said, beyond].map((each) => ({ words: each, ...each[0]?.data }));
      return {
        ...toTranscript(segments, { terms: [], seconds, voiced }),
        ...(tokens.language !== undefined && { language: tokens.language }),
      };
    },
  };
}

const badSound = (): AppError =>
  validationFailed(
    [{ field: 'audio', message: 'the recogniser crashes on this audio', code: 'INVALID_VALUE' }],
    'The recogniser crashed twice on this audio. Other audio is not affected. Send the words of this one as text.',
  );
