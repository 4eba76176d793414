/** The words of a dictation while somebody speaks, as the report that they will become. */
import { array, boolean, named, nullable, object, oneOf, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { call } from './call.ts';
import { byId, revised } from './shapes.ts';

export const LiveSection = object({
  key: string(),
  title: string(),
  pieces: array(
    object({
      text: string(),
      partial: boolean({ description: 'The words may still change.' }),
    }),
    { description: 'The text of the section, in order.' },
  ),
});
export type LiveSection = TypeOf<typeof LiveSection>;

/**
 * `hearing`: words come. `missing`: somebody records, and no words come now; the sound is safe, and the report comes from
 * the whole of it. `still`: nobody records.
 */
export const LiveWords = named(
  'LiveWords',
  object({
    id: Id,
    item_id: Id,
    state: oneOf(['hearing', 'missing', 'still']),
    sections: array(LiveSection),
    latest: string({ description: 'What was said last, of what does not change any more.' }),
    ...revised,
  }),
);
export type LiveWords = TypeOf<typeof LiveWords>;

export const liveCalls = {
  'live.get': call({
    summary: 'The words of a dictation so far; `null` where none were asked for',
    input: byId,
    output: object({ words: nullable(LiveWords), ...revised }),
  }),
} as const;
