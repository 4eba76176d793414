/** The request of an instruction, as typed operations that are stored with the version. */

import type { MacroName } from '../vocabulary/macros.ts';

/** The reason why nothing changed. */
export type Asked =
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
  readonly reason: Asked;
  readonly what: string;
  readonly count: number;
  constructor(reason: Asked, what = '', count = 0) {
    this.reason = reason;
    this.what = what;
    this.count = count;
  }
}

/** Keys of the meant sections; empty: all. */
interface Scoped {
  readonly sections: readonly string[];
}

/** Words to find: as they are compared, and as they were said. */
export interface Wanted {
  readonly words: readonly string[];
  readonly said: string;
  /** Words that the same sentence must have. */
  readonly beside?: readonly string[];
}

export type InstructionOperation =
  | (Scoped & { readonly kind: 'replace'; readonly what: Wanted; readonly by: string; readonly all: boolean })
  | (Scoped & { readonly kind: 'delete'; readonly what: Wanted; readonly all: boolean })
  | (Scoped & {
      readonly kind: 'insert_before' | 'insert_after';
      readonly anchor: Wanted;
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
  | (Scoped & { readonly kind: 'delete_sentence'; readonly what: Wanted })
  | (Scoped & { readonly kind: 'delete_last' })
  | (Scoped & { readonly kind: 'delete_nth'; readonly nth: number })
  | (Scoped & {
      readonly kind: 'replace_sentence';
      /** The one with these words, or the nth; negative: from the end. */
      readonly which: Wanted | number;
      readonly text: string;
    })
  | (Scoped & {
      readonly kind: 'change_side';
      readonly side: string;
      readonly what: Wanted | null;
      readonly all: boolean;
    })
  | (Scoped & { readonly kind: 'change_number'; readonly measure: string; readonly what: Wanted | null })
  | (Scoped & { readonly kind: 'change_category'; readonly name: Wanted; readonly value: string })
  | { readonly kind: 'undo' };
