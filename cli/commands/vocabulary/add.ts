import { defineCommand, required } from '../../command.ts';
import { givenTerm, termDetail, termOptions } from '../../resources/term.ts';

export const command = defineCommand({
  description:
    'In new reports, each form of --for is replaced by the word. In dictations, so are words that sound or are spelt similarly. Every correction can be undone (laudio record undo). Don’t add patient names: a few words, chosen for the exam, are sent to the recogniser.',
  arguments: { write: required('The word, name or term, exactly as it should be written') },
  options: termOptions,
  examples: [
    ['laudio vocabulary add Klatskin', 'make a word known'],
    ['laudio vocabulary add McBurney --for "mac burney" --owner space', 'replace a form, for everybody'],
  ],
  async run({ client, signal }, { write, ...given }) {
    const body = { write, ...givenTerm(given) };
    return termDetail((await (await client()).vocabulary.create({ body }, { signal })).data);
  },
});
