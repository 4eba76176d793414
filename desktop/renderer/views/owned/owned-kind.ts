/** What the views of autotexts and of words have in common. */
import type { Owner } from '../../../../src/contract/wordbook.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { OwnedState } from '../../state/owned/owned.ts';

/** The part of the messages that names them. */
export type OwnedTexts = 'macros' | 'vocabulary';

/** What the shared fields show and change. */
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
