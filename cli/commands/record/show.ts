import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, required, text } from '../../command.ts';
import { recordDetail } from '../../resources/record.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the record (rec_…)') },
  options: { version: text('Show this version', { placeholder: 'N' }) },
  async run({ client, signal }, { id, version }) {
    const { records } = await client();
    if (version === undefined) return recordDetail((await records.get({ params: { id } }, { signal })).data);
    if (!/^[1-9]\d{0,8}$/.test(version)) throw new AppError('USAGE', { message: '--version takes a number from 1.' });
    return recordDetail((await records.version({ params: { id, n: Number(version) } }, { signal })).data);
  },
});
