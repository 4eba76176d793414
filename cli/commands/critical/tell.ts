import { communicationWays } from '../../../src/contract/critical.ts';
import type { CriticalDecision } from '../../../src/contract/critical.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { choice, defineCommand, flag, optional, required, text } from '../../command.ts';
import { chosenResult, resultsOf } from '../../resources/critical.ts';

export const command = defineCommand({
  description:
    'Records who was told of a critical result, by whom, when and how, in the report and every export. Works before and after the signature.',
  arguments: {
    id: required('Id of the record (rec_…)'),
    result: optional('Id of the result (f_…); default: the only open one'),
  },
  options: {
    to: text('Name of the person who was told', { placeholder: 'NAME' }),
    role: text('Role of the person: "emergency physician"', { placeholder: 'ROLE' }),
    way: choice(communicationWays, 'How the person was told; default: phone'),
    at: text('When, in ISO 8601; default: now', { placeholder: 'TIME' }),
    readBack: flag('The result was read back and confirmed'),
    undo: flag('Undo: the result is open again'),
  },
  examples: [
    ['laudio critical tell rec_… --to "Dr. Nunes" --role "emergency physician" --read-back', 'told by phone just now'],
  ],
  async run({ client, signal }, { id, result, to, role, way = 'phone', at, readBack, undo }) {
    const { records, criticalResults } = await client();
    const { data: record } = await records.get({ params: { id } }, { signal });
    const decide = async (body: CriticalDecision, named: string) =>
      resultsOf((await criticalResults.decide({ params: { id, result: named }, body }, { signal })).data);
    if (undo) {
      if (result === undefined) throw new AppError('USAGE', { message: 'Say which result to open again: f_….' });
      return decide({ status: 'open' }, result);
    }
    if (to === undefined) throw new AppError('USAGE', { message: 'Say who was told: --to NAME.' });
    const communication = {
      to,
      ...(role !== undefined && { role }),
      way,
      read_back: readBack,
      ...(at !== undefined && { at }),
    };
    return decide({ status: 'told', communication }, chosenResult(record, result));
  },
});
