import { defineCommand, required } from '../../command.ts';
import { givenTerm, termDetail, termOptions } from '../../resources/term.ts';

export const command = defineCommand({
  description:
    'In documents from now on, each form of --for gives way to the word. In what is dictated, words that sound or are spelt much like it do too, and nothing is said twice to the recogniser. Every correction can be taken back (laudio record undo). Do not add names of patients: a few words, chosen for the exam, are sent to the recogniser.',
  arguments: { write: required('The word, name or term, just as it is to be written') },
  options: termOptions,
  examples: [
    ['laudio vocabulary add Klatskin', 'it only has to be known'],
    ['laudio vocabulary add McBurney --for "mac burney" --owner space', 'always write it so, for everybody'],
  ],
  async run({ client, signal }, { write, ...given }) {
    const body = { write, ...givenTerm(given) };
    return termDetail((await (await client()).vocabulary.create({ body }, { signal })).data);
  },
});
