import { AppError } from '../../../src/contract/errors.ts';
import { command, optional, required, text } from '../../command.ts';
import { outgoingFile } from '../../input-file.ts';
import { correctionDetail } from '../../resources/record.ts';

export const correct = command({
  summary: 'Correct a document by a spoken or written instruction',
  arguments: {
    id: required('Id of the document (rec_…)'),
    instruction: optional('What to change, in words'),
  },
  options: { audio: text('The instruction as audio', { placeholder: 'FILE' }) },
  examples: [['laudio record correct rec_… "replace left with right in the findings"', 'correct by words']],
  async run({ client, io, signal }, { id, instruction, audio }) {
    if ((audio === undefined) === (instruction === undefined)) {
      throw new AppError('USAGE', { message: 'Give either an instruction in words or --audio FILE.' });
    }
    const { records } = await client();
    const file = audio === undefined ? undefined : await outgoingFile(io, audio);
    const { data } = await io.progress('Correcting', () =>
      file
        ? records.correct({ params: { id }, body: {}, file }, { signal })
        : records.correct({ params: { id }, body: { text: instruction! } }, { signal }),
    );
    return correctionDetail(data);
  },
});
