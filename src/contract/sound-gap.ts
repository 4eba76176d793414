/** Speech that was not recorded (extension). */
import { array, named, number, object } from './schema.ts';
import type { TypeOf } from './schema.ts';

export const SoundGap = named(
  'SoundGap',
  object({
    at: number({
      minimum: 0,
      description: 'Where sound is missing, in seconds of the sound that there is.',
      examples: [4.2],
    }),
    seconds: number({ minimum: 0, description: 'About how many seconds are missing.', examples: [15] }),
  }),
  'A place at which sound was not recorded, though somebody may have spoken: the computer slept, or the app stood still.',
);
export type SoundGap = TypeOf<typeof SoundGap>;

export const SoundGaps = array(SoundGap, {
  'x-empty-is-absent': true,
  maxItems: 1000,
  description:
    'Where sound is missing in `audio` or in the transcriptions, in the order of the places: `findings_to_review` asks about each. Default: nowhere.',
});
