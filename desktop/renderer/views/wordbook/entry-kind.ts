/** The common parts of the autotext and vocabulary views. */
import type { Owner } from '../../../../src/contract/wordbook.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { WordbookEditor } from '../../state/wordbook/editor.ts';

/** The message group with their words. */
export type WordbookTexts = 'macros' | 'vocabulary';

/** The fields that both kinds share. */
export interface EntryFields {
  readonly owner: Owner;
  readonly language: Language | null;
}
export interface EntryItem extends EntryFields {
  readonly id: string;
  readonly version: number;
  readonly waits: boolean;
}

export interface SheetProps<Words, Kept> {
  readonly state: WordbookEditor<Words, Kept>;
  readonly texts: WordbookTexts;
}
