/** The words that somebody selected in a section, and left for a menu. */
import { signal } from '@preact/signals';

export interface SelectedWords {
  /** Key of the section. */
  readonly section: string;
  readonly text: string;
}

export const selectedWords = signal<SelectedWords | null>(null);
