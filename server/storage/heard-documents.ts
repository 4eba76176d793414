/** Fields of stored documents that a recogniser's words bring (src/domain/heard-text.ts). */
import { suppressions } from '../../src/domain/heard-text.ts';
import { array, integer, number, object, oneOf, string } from '../../src/contract/schema.ts';
import { SoundGap } from '../../src/contract/sound-gap.ts';

/** Text that the recogniser gave and nobody seems to have said (src/domain/heard-text.ts). */
export const Suppressed = object(
  { text: string(), at: integer({ minimum: 0 }), reason: oneOf(suppressions) },
  { from: number(), to: number() },
);
/** Words that are neither of the language nor of medicine (src/domain/heard-text.ts). */
export const UnknownWords = object(
  { start: integer({ minimum: 0 }), end: integer({ minimum: 0 }) },
  { term: string(), near: array(string()) },
);
/** Other facts of a part of the text (src/domain/heard-text.ts). */
export const OtherReading = object({
  start: integer({ minimum: 0 }),
  end: integer({ minimum: 0 }),
  text: string(),
  doubt: number(),
});
/** Facts about the sound from the recogniser, other than its words (src/domain/heard-text.ts). */
export const HeardSound = object(
  {},
  {
    voiced: number(),
    gaps: array(SoundGap),
    ends: oneOf(['cut', 'in_word']),
    unheard: array(object({ from: number(), to: number() })),
    once: array(object({ from: number(), to: number() })),
    unchecked: array(object({ from: number(), to: number() })),
    foreign: array(object({ from: number(), to: number(), language: string() })),
    language: string(),
  },
);
