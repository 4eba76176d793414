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

/** Keys of the meant sections; empty: all. */
interface SectionScope {
  readonly sections: readonly string[];
}

/** Words to find: as they are compared, and as they were said. */
export interface SoughtWords {
  readonly words: readonly string[];
  readonly said: string;
  /** Words that the same sentence must have. */
  readonly beside?: readonly string[];
}

export type InstructionOperation =
  | (SectionScope & {
      readonly kind: 'replace';
      readonly what: SoughtWords;
      readonly by: string;
      readonly all: boolean;
    })
  | (SectionScope & { readonly kind: 'delete'; readonly what: SoughtWords; readonly all: boolean })
  | (SectionScope & {
      readonly kind: 'insert_before' | 'insert_after';
      readonly anchor: SoughtWords;
      readonly text: string;
      /** A separate sentence, before or after the one with the anchor. */
      readonly isSentence: boolean;
    })
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
  | (SectionScope & { readonly kind: 'delete_sentence'; readonly what: SoughtWords })
  | (SectionScope & { readonly kind: 'delete_last' })
  | (SectionScope & { readonly kind: 'delete_nth'; readonly nth: number })
  /** An item of a numbered list. */
  | (SectionScope & { readonly kind: 'delete_item'; readonly number: number })
  | (SectionScope & {
      readonly kind: 'replace_sentence';
      /** The one with these words, or the nth; negative: from the end. */
      readonly which: SoughtWords | number;
      readonly text: string;
    })
  | (SectionScope & {
      readonly kind: 'move_sentence' | 'copy_sentence';
      readonly which: SoughtWords | number;
      /** Key of the section at whose end it is put. */
      readonly target: string;
    })
  | (SectionScope & {
      readonly kind: 'change_side';
      readonly side: string;
      readonly what: SoughtWords | null;
      readonly all: boolean;
    })
  | (SectionScope & { readonly kind: 'change_number'; readonly measure: string; readonly what: SoughtWords | null })
  | (SectionScope & { readonly kind: 'change_category'; readonly name: SoughtWords; readonly value: string })
  | { readonly kind: 'undo' };
