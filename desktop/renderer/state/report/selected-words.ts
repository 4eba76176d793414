/** The words selected in a section, kept while a menu has the focus. */
import { signal } from '@preact/signals';

export interface SelectedWords {
  /** Key of the section. */
  readonly section: string;
  readonly text: string;
}

export const selectedWords = signal<SelectedWords | null>(null);
