import { defineCommand, required } from '../../command.ts';
import { findTerm, termDetail } from '../../resources/term.ts';

export const command = defineCommand({
  arguments: { word: required('Id (trm_…), or the word') },
  async run({ client, signal }, { word }) {
    return termDetail(await findTerm((await client()).vocabulary, word, signal));
  },
});
