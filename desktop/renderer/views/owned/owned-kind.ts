/** The common parts of the autotext and vocabulary views. */
import type { Owner } from '../../../../src/contract/wordbook.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { OwnedState } from '../../state/owned/owned.ts';

/** The message group with their words. */
export type OwnedTexts = 'macros' | 'vocabulary';

/** The fields that both kinds share. */
export interface OwnedWords {
  readonly owner: Owner;
  readonly language: Language | null;
}
export interface OwnedItem extends OwnedWords {
  readonly id: string;
  readonly version: number;
  readonly waits: boolean;
}

export interface SheetProps<Words, Kept> {
  readonly state: OwnedState<Words, Kept>;
  readonly texts: OwnedTexts;
}
