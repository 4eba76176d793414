/** Files of vocabulary: a word a line with what is heard for it, CSV, or JSON. */
import { fileMessage } from '../../contract/messages/files.ts';
import type { Term } from '../../contract/vocabulary.ts';
import { readOwnedFile } from './owned-file.ts';
import type { FileProblem, OwnedFile, Place } from './owned-file.ts';

export const readTerms = (file: AsyncIterable<Uint8Array>): Promise<OwnedFile> =>
  readOwnedFile(file, {
    listNeeded: fileMessage('owned_list_words'),
    fields: {
      write: 'escrever, escribir, word, palavra, palabra, term, termo, termino',
      for: 'por, para, heard, ouvido, oido, instead of, em vez de, en vez de',
    },
    required: ['write'],
    json: '[{"write": …, "for": […]}]',
    cell: (field, value) => (field === 'for' ? formsIn(value) : value),
    plain: readLines,
  });

/** Forms of one cell or line. */
const formsIn = (forms: string): string[] =>
  forms
    .split(/[;|]/)
    .map((form) => form.trim())
    .filter((form) => form !== '');

/** Lines `X`, `X = Y; Z` and `X`, tab, `Y`; several lines of one word are one entry. Empty lines and those with # first are none. */
function readLines(content: string): OwnedFile {
  const words = new Map<string, { readonly write: string; readonly for: string[]; readonly place: Place }>();
  const problems: FileProblem[] = [];
  for (const [at, line] of content.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const [write = ''] = line.split(/[=\t]/, 1);
    const forms = line.slice(write.length + 1);
    const key = write.trim();
    const place = { line: at + 1 };
    if (key === '') problems.push({ place, message: fileMessage('owned_no_word') });
    const known = words.get(key) ?? { write: key, for: [], place };
    words.set(key, known);
    known.for.push(...formsIn(forms));
  }
  const list = [...words.values()];
  return {
    items: list.map(({ write, for: forms }) => ({ write, ...(forms.length > 0 && { for: forms }) })),
    places: list.map(({ place }) => place),
    problems,
    unread: [],
  };
}

const quoted = (value: string): string => (/[",;\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** The lines of the words as CSV, as a spreadsheet reads it, and `readTerms` reads it back. */
export async function* termsAsCsv(terms: AsyncIterable<Term>): AsyncGenerator<string> {
  const row = (values: readonly string[]): string => `${values.map(quoted).join(',')}\n`;
  yield row(['write', 'for', 'language', 'owner']);
  for await (const { write, for: forms, language, owner } of terms)
    yield row([write, forms.join('; '), language ?? '', owner]);
}
