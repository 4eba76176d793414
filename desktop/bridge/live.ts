/** The live words of a dictation, laid out as the report that they will become. */
import { maxTextLength } from '../../src/contract/document.ts';
import {
  anyOf,
  array,
  boolean,
  integer,
  named,
  nullable,
  number,
  object,
  oneOf,
  string,
} from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { voiceCommandNames } from '../../src/domain/voice-command-names.ts';
import { call } from './call.ts';
import { Dictation } from './dictation.ts';
import { byId, revised } from './shapes.ts';

const place = (description: string) => integer({ description });
const HeardPart = object({ from: place('Place of its first character.'), text: string() });
const Places = object({ from: place('Included.'), to: place('Not included.') });
const span = { start: integer({ minimum: 0 }), end: integer({ minimum: 0 }) };

/** As in `src/reporting/live/words.ts`. */
const LiveSection = object({
  key: string(),
  title: string(),
  text: string(),
  runs: array(
    anyOf([object({ ...span, from: place('Where it was heard.') }), object({ ...span, heard: array(HeardPart) })]),
  ),
});

/** The position of text that was replaced by typing, as in `src/reporting/live/hand-edits.ts`. */
const HandEdit = object({
  section: string(),
  title: string(),
  text: string({ maxLength: maxTextLength }),
  over: array(Places),
  after: nullable(place('In the word before.')),
  before: nullable(place('In the word after.')),
  leads: boolean(),
  closes: boolean(),
  raises: boolean(),
});

/** The target of the next spoken words, as in `src/reporting/live/speech-targets.ts`. */
const SpokenInto = object({
  section: string(),
  title: string(),
  from: place('What was heard from there on.'),
  after: nullable(place('In the word before.')),
});

/** Typed edits to the words of a dictation, and the words as dictated. */
export const ByHand = object(
  {
    sections: array(LiveSection),
    heard: array(Places),
    edits: array(HandEdit),
  },
  { into: array(SpokenInto) },
);

/**
 * `hearing`: words arrive. `missing`: a person records, but no words arrive now; the audio is safe, and the report will
 * be made from all of it. `still`: nobody records.
 */
export const LiveWords = named(
  'LiveWords',
  object({
    id: Id,
    item_id: Id,
    state: oneOf(['hearing', 'missing', 'still']),
    sections: array(LiveSection),
    heard: array(Places, { description: 'What was heard of the sound as it is now.' }),
    phrases: array(
      object({
        from: place('Place of its first character.'),
        start: number({ minimum: 0 }),
        end: number({ minimum: 0 }),
      }),
      {
        description:
          'The phrases that do not change any more of the take that is recorded; times in seconds of the take. Empty where nobody records.',
      },
    ),
    latest: string({ description: 'What was said last, of what does not change any more.' }),
    ...revised,
  }),
);
export type LiveWords = TypeOf<typeof LiveWords>;

/**
 * A command that a person said, and nothing else between two pauses. The page that records carries it out and leaves its
 * words out (`live.leave_out`); words of a command that does nothing stay in the report.
 */
export const HeardCommand = named(
  'HeardCommand',
  object({
    id: Id,
    item_id: Id,
    command: oneOf(voiceCommandNames),
    words: array(string(), { description: 'The words of the report that the command names, folded.' }),
    said: string({ description: 'As it was heard.' }),
    phrase: place('Place of its first character.'),
    previous: nullable(place('Place of the phrase before it in the take; `null`: it is the first.')),
  }),
);
export type HeardCommand = TypeOf<typeof HeardCommand>;

export const liveCalls = {
  'live.get': call({
    summary: 'The words of a dictation so far; `null` where none were asked for',
    input: byId,
    output: object({ words: nullable(LiveWords), ...revised }),
  }),
  'live.leave_out': call({
    summary: 'Leave a phrase out of the dictation, with its sound',
    input: object({ id: Id, phrase: place('Place of its first character.') }),
    output: Dictation,
  }),
} as const;
