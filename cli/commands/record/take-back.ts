import { defineCommand, required } from '../../command.ts';
import { recordDetail } from '../../resources/record.ts';

export const command = defineCommand({
  description:
    'Undoes a signature that is not final yet (--grace). Only the signer can do that. Other records don’t change.',
  arguments: { id: required('Id of the record (rec_…)') },
  examples: [['laudio record take-back rec_…', 'undo the signature']],
  async run({ client, signal }, { id }) {
    const { signatures } = await client();
    return recordDetail((await signatures.takeBack({ params: { id } }, { signal })).data);
  },
});
