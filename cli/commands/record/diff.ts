import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, integer, required } from '../../command.ts';
import { printJson } from '../../shell/render.ts';
import { compareRecords, printDifference } from '../../resources/difference.ts';

export const command = defineCommand({
  description:
    'Shows the sections that differ, word by word: [-what is gone-] and {+what is new+}. Default: the changes of the latest version.',
  arguments: { id: required('Id of the record (rec_…)') },
  options: {
    from: integer('Earlier version; default: the one before --to', { placeholder: 'VERSION' }),
    to: integer('Later version; default: the latest', { placeholder: 'VERSION' }),
  },
  examples: [
    ['laudio record diff rec_…', 'changes of the latest version'],
    ['laudio record diff rec_… --from 1', 'all changes since the first version'],
  ],
  async run({ client, io, signal }, { id, from, to }) {
    const { records } = await client();
    const version = async (n: number) => (await records.version({ params: { id, n } }, { signal })).data;
    const after = to === undefined ? (await records.get({ params: { id } }, { signal })).data : await version(to);
    const earlier = from ?? after.version - 1;
    if (earlier < 1)
      throw new AppError('USAGE', { message: `${id} has only one version: there is nothing to compare.` });
    const difference = compareRecords(await version(earlier), after);
    if (io.output === 'json') return printJson(io, difference);
    return printDifference(io, difference);
  },
});
