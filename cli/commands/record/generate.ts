import { AppError } from '../../../src/contract/errors.ts';
import { languages } from '../../../src/contract/shared.ts';
import { choice, defineCommand, flag, text } from '../../command.ts';
import type { CommandInput } from '../../command.ts';
import type { Context } from '../../context.ts';
import { recorderNames } from '../../dictation/recorders.ts';
import { outgoingFile, readText } from '../../shell/input-file.ts';
import { jobDetail } from '../../resources/job.ts';
import { recordDetail } from '../../resources/record.ts';

/** Dictated text has at most a million characters, of up to four bytes each. */
const textBytes = 4_000_000;

const options = {
  audio: text('Audio file: wav, webm, ogg, mp3, m4a or flac', { placeholder: 'FILE' }),
  text: text('File with the dictated text', { placeholder: 'FILE' }),
  verbatim: flag('The text was typed: keep it unchanged, without spoken commands'),
  mic: flag('Record now: Ctrl-C ends and sends, Ctrl-C twice discards'),
  recorder: choice(recorderNames, 'Recording program; default: the first that works'),
  device: text('Microphone, as named by the recording program', { placeholder: 'NAME' }),
  template: text('Template of the report', { placeholder: 'ID' }),
  language: choice(languages, 'Language of the report'),
  item: text('Exam that it is for', { placeholder: 'ID' }),
  async: flag('Don’t wait for the record: return a job'),
};
type Input = CommandInput<Record<never, never>, typeof options>;

export const command = defineCommand({
  description:
    'With --mic, words appear while you speak if the server recognises live. The audio is kept in a private file until the server has it. If the recording ends without Ctrl-C, or can’t be sent, the file stays, and the error explains how to send it.',
  options,
  examples: [
    ['laudio record generate --audio dictation.wav --item wli_… --async', 'send a dictation for an exam and get a job'],
    ['laudio record generate --mic --item wli_… --language pt-BR', 'dictate for an exam'],
    ['echo "Test Patient. Findings: …" | laudio record generate --text -', 'make a record from dictated text'],
    ['laudio record generate --text report.txt --verbatim --item wli_…', 'make a record from a typed report'],
  ],
  async run(context, input) {
    const source = chooseSource(input);
    const answer = await (source === 'microphone' ? recorded(context, input) : sent(context, input, source));
    return answer.status === 202 ? jobDetail(answer.data) : recordDetail(answer.data);
  },
});

/** A file with the dictation, or with a text. */
type SourceFile = { readonly kind: 'audio' | 'text'; readonly path: string };

function chooseSource({ audio, text: textFile, verbatim, mic, recorder, device }: Input): SourceFile | 'microphone' {
  const [source, ...others] = [
    ...(audio === undefined ? [] : [{ kind: 'audio', path: audio } as const]),
    ...(textFile === undefined ? [] : [{ kind: 'text', path: textFile } as const]),
    ...(mic ? ['microphone' as const] : []),
  ];
  if (source === undefined || others.length > 0) {
    throw new AppError('USAGE', { message: 'Use exactly one of --audio FILE, --text FILE and --mic.' });
  }
  if (verbatim && textFile === undefined) {
    throw new AppError('USAGE', { message: '--verbatim needs --text: it means that the text was typed.' });
  }
  if (!mic && (recorder ?? device) !== undefined) {
    throw new AppError('USAGE', { message: '--recorder and --device need --mic.' });
  }
  return source;
}

const orderOf = ({ template, language, item, async }: Input) => ({
  mode: async ? ('async' as const) : ('sync' as const),
  input: {
    ...(template !== undefined && { template_id: template }),
    ...(language !== undefined && { language }),
    ...(item !== undefined && { worklist_item_id: item }),
  },
});

async function recorded(context: Context, input: Input) {
  const { dictate } = await import('../../dictation/dictate.ts');
  return dictate(context, orderOf(input), { recorder: input.recorder, device: input.device });
}

async function sent({ client, io, signal, paths }: Context, input: Input, source: SourceFile) {
  const isAudio = source.kind === 'audio';
  const content = await readSource(io, source, input);
  const order = orderOf(input);
  const body = { ...content.body, ...order.input, mode: order.mode };
  const { records } = await client();
  const answer = await io.progress(isAudio ? 'Sending the dictation' : 'Writing the report', () =>
    records.generate({ body, ...content.file }, { signal }),
  );
  if (isAudio) {
    const { forgetKept } = await import('../../dictation/sound-file.ts');
    if (await forgetKept(paths.state, source.path))
      io.notice(`The kept file ${source.path} was sent, and is deleted.`, 'faint');
  }
  return answer;
}

/** The dictation, or the typed report: a streamed file, or text in the body. */
async function readSource(io: Context['io'], { kind, path }: SourceFile, { verbatim }: Input) {
  if (kind === 'audio') return { body: {}, file: { file: await outgoingFile(io, path) } };
  const words = await readText(io, path, textBytes);
  return { body: { text: words, ...(verbatim && { verbatim }) }, file: {} };
}
