/** The words of instructions, ready to be found. */
import { phraseList, wordList } from '../fold.ts';
import type { InstructionTables } from '../languages/tables.ts';
import { indexPhrases } from '../phrases.ts';
import type { PhraseIndex } from '../phrases.ts';

export interface InstructionWords {
  readonly words: ReadonlyMap<string, PhraseIndex<unknown>>;
  readonly polite: PhraseIndex<true>;
  readonly then: PhraseIndex<true>;
  readonly starts: PhraseIndex<true>;
  readonly inSection: PhraseIndex<true>;
  readonly and: PhraseIndex<true>;
  readonly all: PhraseIndex<true>;
  readonly everywhere: PhraseIndex<true>;
  readonly articles: ReadonlySet<string>;
  readonly dangling: ReadonlySet<string>;
  readonly nth: PhraseIndex<number>;
}

export function readInstructions(tables: InstructionTables): InstructionWords {
  const index = (list: string): PhraseIndex<true> => indexPhrases(phraseList(list).map((phrase) => [phrase, true]));
  const set = (words: string): ReadonlySet<string> => new Set(wordList(words));
  return {
    words: new Map(Object.entries(tables.words).map(([name, list]) => [name, index(list)])),
    polite: index(tables.polite),
    then: index(tables.then),
    starts: index(tables.starts),
    inSection: index(tables.inSection),
    and: index(tables.and),
    all: index(tables.all),
    everywhere: index(tables.everywhere),
    articles: set(tables.articles),
    dangling: set(tables.dangling),
    nth: indexPhrases(Object.entries(tables.nth)),
  };
}
