/** The vocabulary of the editor. */
import { termKey } from '../../../../src/reporting/vocabulary/term-key.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { KeptTerm, TermWords } from '../../../bridge/vocabulary.ts';
import { bridge } from '../bridge.ts';
import { createListing } from './entry-list.ts';
import { createWordbookEditor } from './editor.ts';

const isWritten = (form: string): boolean => form.trim() !== '';

export const vocabulary = createWordbookEditor<TermWords, KeptTerm>({
  calls: {
    list: () => bridge().call('vocabulary.list', {}),
    save: (input) => bridge().call('vocabulary.save', input),
    remove: (input) => bridge().call('vocabulary.delete', input),
    import: (input, bytes) => bridge().call('vocabulary.import', input, bytes),
  },
  listing: createListing({
    nameOf: ({ write }) => write,
    textOf: ({ for: forms }) => forms.join('\n'),
    claimsOf: ({ write, for: forms }) => [
      ...[write].filter(isWritten).map((words) => `write ${termKey(words)}`),
      ...forms.filter(isWritten).map((words) => `for ${termKey(words)}`),
    ],
  }),
  blank: { write: '', for: [], language: null, owner: 'person' },
  isEmpty: ({ write, for: forms }) => write === '' && forms.length === 0,
  // One form per line; empty lines are ignored.
  tidy: (words) => ({ ...words, for: words.for.map((form) => form.trim()).filter(isWritten) }),
});

/** Starts an entry for a word of the report, which may be misspelt. */
export function startTerm(heard: string, language: Language): void {
  const line = heard.replace(/\s+/g, ' ').trim();
  vocabulary.start({ write: line, for: line === '' ? [] : [line], language });
}
