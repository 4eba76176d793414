/**
 * The wordbook of a person or a department (autotexts, vocabulary): both kinds have the same calls, which also work
 * while the service is unreachable.
 */
import {
  array,
  boolean,
  extended,
  integer,
  named,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
} from '../../src/contract/schema.ts';
import type { Schema, TypeOf } from '../../src/contract/schema.ts';
import { detailCodes } from '../../src/contract/errors.ts';
import { Id } from '../../src/contract/shared.ts';
import { call } from './call.ts';
import { nothing, sentence } from './shapes.ts';

/** An entry as the app has it. */
export const defineLocalEntry = <S extends Schema>(title: string, item: S) =>
  named(
    title,
    extended(item, {
      waits: boolean({
        description: 'Its newest words wait to be sent. What is new has an id of the app until then.',
      }),
    }),
  );

const version = integer({ minimum: 1, description: 'The version that the person saw.' });

/** Maximum size of an import file, in bytes. */
export const maxWordbookFileBytes = 10 * 1024 * 1024;

/** The result of importing a file. With `problems` nothing was imported. */
export const WordbookImport = named(
  'WordbookImport',
  object({
    created: integer(),
    replaced: integer(),
    unchanged: integer(),
    problems: object({
      count: integer(),
      first: array(
        object(
          { place: object({}, { line: integer(), item: integer() }), message: sentence },
          { code: oneOf(detailCodes) },
        ),
        {
          description: 'The first problems, as many as a person reads. Places are counted from 1.',
        },
      ),
    }),
    unread: array(string(), { description: 'Headings of columns that are no field.' }),
  }),
);
export type WordbookImport = TypeOf<typeof WordbookImport>;

interface EntryShapes<Item, Kept, Words, Defaults> {
  readonly nouns: string;
  /** The entry as the service has it. */
  readonly item: Schema<Item>;
  readonly kept: Schema<Kept>;
  /** The fields that a person edits. */
  readonly words: Schema<Words>;
  /** The fields that lines of a file may omit. */
  readonly defaults: Schema<Defaults>;
}

export const wordbookCalls = <Item, Kept, Words, Defaults>(of: EntryShapes<Item, Kept, Words, Defaults>) => {
  const { nouns, item, kept, words, defaults } = of;
  return {
    list: call({
      summary: `All ${nouns} that count for the person, with the changes that wait to be sent`,
      input: nothing,
      output: object({
        items: array(kept),
        as_of: nullable(timestamp('When the service gave the list; `null`: it was never read.')),
      }),
    }),
    save: call({
      summary: `Add to the ${nouns}, or change the one with this id`,
      input: object({ words }, { of: object({ id: Id, version }) }),
      output: object(
        {
          outcome: oneOf(['saved', 'queued', 'conflict', 'deleted'], {
            description: '`conflict`: somebody else changed it meanwhile; `deleted`: somebody else deleted it.',
          }),
        },
        { item: kept, theirs: item },
      ),
    }),
    delete: call({
      summary: `Delete one of the ${nouns}`,
      input: object({ id: Id, version }),
      output: object({ outcome: oneOf(['deleted', 'queued', 'conflict']) }, { theirs: item }),
    }),
    import: call({
      summary: `Add the ${nouns} of a file, all or none`,
      input: object({ defaults, replace: boolean({ description: 'Those that are there already are replaced.' }) }),
      output: WordbookImport,
      bytes: true,
    }),
  } as const;
};
