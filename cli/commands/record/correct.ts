import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, required, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import { clinicalText, outgoingFile } from '../../shell/input-file.ts';
import { correctionDetail } from '../../resources/record.ts';

export const command = defineCommand({
  description: 'Without an instruction, asks for one at a terminal.',
  arguments: { id: required('Id of the record (rec_…)') },
  options: {
    text: text('File with the instruction in words', { placeholder: 'FILE' }),
    audio: text('The instruction as audio', { placeholder: 'FILE' }),
  },
  examples: [
    ['laudio record correct rec_…', 'ask for the instruction'],
    [
      'echo "replace left with right in the findings" | laudio record correct rec_… --text -',
      'correct by a typed instruction',
    ],
  ],
  async run(context, { id, text: textFile, audio }) {
    if (audio !== undefined && textFile !== undefined)
      throw new AppError('USAGE', { message: 'Give either --text FILE or --audio FILE.' });
    const { client, io, signal } = context;
    const source =
      audio === undefined
        ? { body: { text: await readInstruction(context, textFile) } }
        : { body: {}, file: await outgoingFile(io, audio) };
    const { records } = await client();
    const { data } = await io.progress('Correcting', () => records.correct({ params: { id }, ...source }, { signal }));
    return correctionDetail(data);
  },
});

const readInstruction = ({ io, ask }: Context, file: string | undefined): Promise<string> =>
  file === undefined ? ask.text('What should be changed?', '--text FILE or --audio FILE') : clinicalText(io, file);
