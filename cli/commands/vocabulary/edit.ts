import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, required, text } from '../../command.ts';
import { findTerm, givenTerm, termDetail, termOptions } from '../../resources/term.ts';

export const command = defineCommand({
  description: '--for replaces all previous forms. Existing reports don’t change.',
  arguments: { word: required('Id (trm_…), or the word') },
  options: { write: text('New spelling', { placeholder: 'WORDS' }), ...termOptions },
  examples: [
    ['laudio vocabulary edit Klatskin --for "clat skin" --for "klatz kin"', 'replace its forms'],
    ['laudio vocabulary edit Klatskin --owner space', 'for everybody in the space'],
  ],
  async run({ client, signal }, { word, write, ...given }) {
    const body = { ...(write !== undefined && { write }), ...givenTerm(given) };
    if (Object.keys(body).length === 0)
      throw new AppError('USAGE', { message: '--write, --for, --language or --owner is needed.' });
    const { vocabulary } = await client();
    const before = await findTerm(vocabulary, word, signal);
    // Never overwrites another person's change.
    const headers = { 'If-Match': `"${before.version}"` };
    return termDetail((await vocabulary.update({ params: { id: before.id }, body }, { signal, headers })).data);
  },
});
