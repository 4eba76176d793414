/** The words of instructions, ready to be found. */
import { wordSet } from '../../domain/fold.ts';
import type { InstructionTables } from '../languages/tables.ts';
import { indexPhrases, phraseSet } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';

export interface InstructionWords {
  readonly words: ReadonlyMap<string, PhraseIndex<unknown>>;
  readonly polite: PhraseIndex<true>;
  readonly then: PhraseIndex<true>;
  readonly starts: PhraseIndex<true>;
  readonly inSection: PhraseIndex<true>;
  readonly and: PhraseIndex<true>;
  readonly all: PhraseIndex<true>;
  readonly everywhere: PhraseIndex<true>;
  readonly also: PhraseIndex<true>;
  readonly only: PhraseIndex<true>;
  readonly steering: PhraseIndex<true>;
  readonly courtesies: PhraseIndex<true>;
  readonly otherVerbs: PhraseIndex<true>;
  readonly articles: ReadonlySet<string>;
  readonly dangling: ReadonlySet<string>;
  readonly opening: ReadonlySet<string>;
  readonly signs: ReadonlySet<string>;
  readonly nth: PhraseIndex<number>;
}

export function readInstructions(tables: InstructionTables): InstructionWords {
  return {
    words: new Map(Object.entries(tables.words).map(([name, list]) => [name, phraseSet(list)])),
    polite: phraseSet(`${tables.polite}, ${tables.courtesies}`),
    then: phraseSet(tables.then),
    starts: phraseSet(tables.starts),
    inSection: phraseSet(tables.inSection),
    and: phraseSet(tables.and),
    all: phraseSet(tables.all),
    everywhere: phraseSet(tables.everywhere),
    also: phraseSet(tables.also),
    only: phraseSet(tables.only),
    steering: phraseSet(`${tables.also}, ${tables.only}, ${tables.except}, ${tables.polite}`),
    courtesies: phraseSet(tables.courtesies),
    otherVerbs: phraseSet(tables.otherVerbs),
    articles: wordSet(tables.articles),
    dangling: wordSet(tables.dangling),
    opening: wordSet(tables.opening),
    signs: wordSet(tables.signs),
    nth: indexPhrases(Object.entries(tables.nth)),
  };
}
