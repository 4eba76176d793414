/** Formats vocabulary entries, and finds them by id or spelling. */
import type { Client } from '../../src/client/client.ts';
import type { Term, TermInput } from '../../src/contract/vocabulary.ts';
import { list } from '../command.ts';
import { detailView } from '../shell/view.ts';
import { findByName, givenOwner, wordbookOptions } from './wordbook.ts';
import type { WordbookNoun } from './wordbook.ts';

export const termNoun: WordbookNoun = {
  noun: 'word',
  nouns: 'words',
  command: 'laudio vocabulary',
  id: /^trm_[0-9A-Z]{26}$/,
};

/** Options of an entry in addition to its spelling. */
export const termOptions = {
  for: list('Form to replace; repeatable', { placeholder: 'WORDS' }),
  ...wordbookOptions('counts'),
};

/** The entry with that id or spelling. */
export async function findTerm(vocabulary: Client['vocabulary'], word: string, signal: AbortSignal): Promise<Term> {
  const { termKey } = await import('../../src/reporting/vocabulary/term-key.ts');
  return findByName(termNoun, word, {
    get: async (id) => (await vocabulary.get({ params: { id } }, { signal })).data,
    list: (call) => vocabulary.list(call, { signal }),
    nameOf: ({ write }) => write,
    isNamed: ({ write }) => termKey(write) === termKey(word),
  });
}

/** The specified fields; an empty form is omitted. */
export const givenTerm = ({
  for: forms,
  ...given
}: Parameters<typeof givenOwner>[0] & { readonly for?: readonly string[] | undefined }): Partial<
  Omit<TermInput, 'write'>
> => ({
  ...(forms && forms.length > 0 && { for: forms.filter((form) => form !== '') }),
  ...givenOwner(given),
});

export const termDetail = (data: Term) =>
  detailView({
    data,
    fields: [
      ['Id', data.id],
      ['Write', data.write, 'strong'],
      ['For', data.for.join('; ')],
      ['Owner', data.owner],
      ['Language', data.language ?? 'any'],
      ['Version', data.version],
    ],
  });
