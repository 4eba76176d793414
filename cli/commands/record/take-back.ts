import { defineCommand, required } from '../../command.ts';
import { recordDetail } from '../../resources/record.ts';

export const command = defineCommand({
  description:
    'Ends a signature that is not final yet (--grace): the document is what it was. Only who signed can do that. A document that nobody is signing stays as it is.',
  arguments: { id: required('Id of the document (rec_…)') },
  examples: [['laudio record take-back rec_…', 'change it after all']],
  async run({ client, signal }, { id }) {
    const { signatures } = await client();
    return recordDetail((await signatures.takeBack({ params: { id } }, { signal })).data);
  },
});
