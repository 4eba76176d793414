/** Autotexts: the person's own and the department's, read and changed. */
import { Macro } from '../../src/contract/macro.ts';
import {
  array,
  boolean,
  extended,
  integer,
  named,
  nullable,
  object,
  oneOf,
  only,
  timestamp,
} from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { call } from './call.ts';
import { nothing } from './shapes.ts';

/** What a person writes of an autotext. */
export const MacroWords = only(Macro, 'name', 'text', 'section', 'language', 'owner');
export type MacroWords = TypeOf<typeof MacroWords>;

/** The words alone, of whatever holds them. */
export const wordsOf = ({ name, text, section, language, owner }: MacroWords): MacroWords => ({
  name,
  text,
  section,
  language,
  owner,
});

export const KeptMacro = named(
  'KeptMacro',
  extended(Macro, {
    waits: boolean({
      description: 'Its newest words wait to be sent. An autotext that is new has an id of the app until then.',
    }),
  }),
);
export type KeptMacro = TypeOf<typeof KeptMacro>;

const version = integer({ minimum: 1, description: 'The version that the person saw.' });

export const macroCalls = {
  'macros.list': call({
    summary: 'All autotexts that the person can call, with the changes that wait to be sent',
    input: nothing,
    output: object({
      items: array(KeptMacro),
      as_of: nullable(timestamp('When the service gave the list; `null`: it was never read.')),
    }),
  }),
  'macros.save': call({
    summary: 'Make an autotext, or change the one with this id',
    input: extended(MacroWords, {}, { of: object({ id: Id, version }) }),
    output: object(
      {
        outcome: oneOf(['saved', 'queued', 'conflict', 'deleted'], {
          description: '`conflict`: somebody else changed it meanwhile; `deleted`: somebody else deleted it.',
        }),
      },
      { macro: KeptMacro, theirs: Macro },
    ),
  }),
  'macros.delete': call({
    summary: 'Delete an autotext',
    input: object({ id: Id, version }),
    output: object({ outcome: oneOf(['deleted', 'queued', 'conflict']) }, { theirs: Macro }),
  }),
} as const;
