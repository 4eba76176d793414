/** The request of an instruction, as typed operations that are stored with the version. */

import type { MacroName } from '../vocabulary/macros.ts';

/** The reason why nothing changed. */
export type ProblemReason =
  | 'not_understood'
  /** The words are understood, but not their effect at the place. */
  | 'unclear'
  /** A number would lose its unit, or a unit its number. */
  | 'unit'
  | 'not_found'
  | 'several'
  | 'negation'
  | 'which_section'
  | 'dangling'
  | 'nothing'
  | 'nothing_to_undo'
  | 'edited_since';

/** An instruction that is not carried out. */
export class Problem {
  readonly reason: ProblemReason;
  readonly what: string;
  readonly count: number;
  constructor(reason: ProblemReason, what = '', count = 0) {
    this.reason = reason;
    this.what = what;
    this.count = count;
  }
}

/** Where an operation may change words. */
export interface WordScope {
  /** Keys of the meant sections; empty: all. */
  readonly sections: readonly string[];
  /** The only sentence or item that is meant. */
  readonly within?: Passage;
}

/** Words to find: as they are compared, and as they were said. */
export interface SoughtWords {
  readonly words: readonly string[];
  readonly said: string;
  /** Words that the same sentence must have. */
  readonly beside?: readonly string[];
  /** Which of their places is meant, from 1 on; negative: from the end. */
  readonly nth?: number;
}

/** A sentence, or an item of a numbered list: by its number (negative: from the end), or by words that it has. */
export type Passage = { readonly nth: number } | { readonly item: number } | { readonly about: SoughtWords };

type ListScope = Pick<WordScope, 'sections'>;

interface PassageScope extends ListScope {
  readonly which: Passage;
}

export type InstructionOperation =
  | (WordScope & {
      readonly kind: 'replace';
      readonly what: SoughtWords;
      readonly by: string;
      readonly all: boolean;
    })
  | (WordScope & { readonly kind: 'delete'; readonly what: SoughtWords; readonly all: boolean })
  | (WordScope & {
      readonly kind: 'insert_before' | 'insert_after';
      readonly anchor: SoughtWords;
      readonly text: string;
      /** A separate sentence, before or after the one with the anchor. */
      readonly isSentence: boolean;
    })
  | (PassageScope & { readonly kind: 'insert_passage'; readonly side: 'before' | 'after'; readonly text: string })
  | {
      readonly kind: 'append' | 'prepend' | 'rewrite';
      readonly section: string;
      readonly text: string;
      /** The macro that the text comes from. */
      readonly macro?: MacroName;
    }
  /** `field`: the open field as written in the section. */
  | { readonly kind: 'fill'; readonly section: string; readonly field: string; readonly text: string }
  | { readonly kind: 'clear'; readonly section: string }
  | (PassageScope & { readonly kind: 'delete_passage' })
  | (PassageScope & { readonly kind: 'replace_passage'; readonly text: string })
  /** `target`: the key of the section at whose end, or beginning, it is put; without one, its own section. */
  | (PassageScope & {
      readonly kind: 'move_passage' | 'copy_passage';
      readonly target?: string;
      readonly isFirst?: true;
    })
  /** Items of the only numbered list: a new one at its number, one that goes to the top, two that change places or go. */
  | (ListScope & { readonly kind: 'insert_item'; readonly number: number; readonly text: string })
  | (ListScope & { readonly kind: 'move_item'; readonly number: number })
  | (ListScope & { readonly kind: 'swap_items' | 'delete_items'; readonly numbers: readonly [number, number] })
  /** A word replaces the one of its kind: a side, a place, a degree. */
  | (WordScope & {
      readonly kind: 'change_word';
      readonly word: string;
      readonly what: SoughtWords | null;
      readonly all: boolean;
    })
  /** A measure, a date or a level replaces the one of its kind. */
  | (WordScope & { readonly kind: 'change_value'; readonly value: string; readonly what: SoughtWords | null })
  | (WordScope & { readonly kind: 'change_category'; readonly name: SoughtWords; readonly value: string })
  | { readonly kind: 'undo' };
