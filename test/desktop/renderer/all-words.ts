import { showLanguage, showLateWords } from '../../../desktop/renderer/i18n/index.ts';
import type { Language } from '../../../src/contract/shared.ts';

/** Shows a language with the words of all views, as a page does once it has opened them. */
export async function showAllWords(language: Language): Promise<void> {
  await showLanguage(language);
  await showLateWords();
}
