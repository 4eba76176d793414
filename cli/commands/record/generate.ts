import { AppError } from '../../../src/contract/errors.ts';
import { languages } from '../../../src/contract/shared.ts';
import { choice, command, flag, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import { outgoingFile, readText } from '../../input-file.ts';
import { jobDetail } from '../../resources/job.ts';
import { recordDetail } from '../../resources/record.ts';

/** Dictated text is at most a million characters; four bytes each at the worst. */
const textBytes = 4_000_000;

export const generate = command({
  options: {
    audio: text('Audio file: wav, webm, ogg, mp3, m4a or flac', { placeholder: 'FILE' }),
    text: text('File with the dictated text', { placeholder: 'FILE' }),
    template: text('Template of the document', { placeholder: 'ID' }),
    language: choice(languages, 'Language of the document'),
    item: text('Exam that it is for', { placeholder: 'ID' }),
    async: flag('Do not wait for the document: give back a job'),
  },
  examples: [
    ['laudio record generate --audio dictation.wav --item wli_… --async', 'send a dictation for an exam, get a job'],
    ['echo "Test Patient. Findings: …" | laudio record generate --text -', 'make a document from text'],
  ],
  async run({ client, io, signal }, { audio, text: textFile, template, language, item, async }) {
    if ((audio === undefined) === (textFile === undefined)) {
      throw new AppError('USAGE', { message: 'Exactly one of --audio FILE and --text FILE is needed.' });
    }
    const source = await sourceOf(io, audio, textFile);
    const body = {
      ...source.body,
      mode: async ? ('async' as const) : ('sync' as const),
      ...(template !== undefined && { template_id: template }),
      ...(language !== undefined && { language }),
      ...(item !== undefined && { worklist_item_id: item }),
    };
    const { records } = await client();
    const answer = await io.progress(audio === undefined ? 'Writing the document' : 'Sending the dictation', () =>
      records.generate({ body, ...source.file }, { signal }),
    );
    return answer.status === 202 ? jobDetail(answer.data) : recordDetail(answer.data);
  },
});

/** The dictation: a streamed file, or text in the body. */
async function sourceOf(io: Context['io'], audio: string | undefined, textFile: string | undefined) {
  if (audio !== undefined) return { body: {}, file: { file: await outgoingFile(io, audio) } };
  return { body: { text: await readText(io, textFile!, textBytes) }, file: {} };
}
