import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { languages } from '../../../src/contract/shared.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { counted } from '../../../src/domain/counted.ts';
import { hearingErrors, totalErrors, wordErrorRate } from '../../../src/reporting/hearing-errors.ts';
import type { HearingErrors, KindErrors } from '../../../src/reporting/hearing-errors.ts';
import { detectLanguage } from '../../../src/reporting/words/language.ts';
import { choices } from '../../../src/node/choices.ts';
import { chooseSetting } from '../../shell/choose-setting.ts';
import { choice, defineCommand, required, text } from '../../command.ts';
import { unreadable } from '../../../src/node/files/outgoing-file.ts';
import { readText } from '../../shell/input-file.ts';
import { render } from '../../shell/render.ts';
import { listView } from '../../shell/view.ts';
import type { Column } from '../../shell/view.ts';
import { engineCare, engineFiles, sizeWords } from './engine-files.ts';

export const command = defineCommand({
  description: `Transcribes each audio file of a folder with the configured recogniser, or with another, and compares the words with the text file of the same name: x.wav and x.txt, any format that the API accepts. No server is needed, and nothing is stored. A recogniser that sends audio elsewhere does so here, too.

Case, accents, punctuation and hesitations do not count, and "seis milímetros" is "6 mm". The language of a text comes from its name (x.pt-BR.txt), --language, or its words. Terms are the findings that Laudio knows in that language and those of --terms. Times are fractions of real time: 0.2 means twelve seconds for a minute. Ends with 9 if an audio file could not be transcribed.`,
  arguments: { directory: required('Folder with audio files and their texts') },
  options: {
    recogniser: text('The recogniser, as `laudio serve --recogniser` takes it; default: as set', {
      placeholder: 'CHOICE',
    }),
    language: choice(languages, 'Language of texts without one in their name'),
    terms: text('File with your own terms, one per line', { placeholder: 'FILE' }),
  },
  examples: [
    ['laudio engine bench dictations', 'with the configured recogniser'],
    ['laudio engine bench dictations --recogniser local:parakeet-tdt-0.6b-v3 --json', 'with another one, as JSON'],
  ],
  async run(context, { directory, recogniser: said, language, terms: termFile }) {
    const { io, env, signal } = context;
    const recogniser = choices(
      ['recogniser'],
      { recogniser: chooseSetting(context, 'recogniser', said) },
      env,
    ).recogniser;
    if (!recogniser || recogniser.use === 'none') {
      throw new AppError('USAGE', { message: 'There is no recogniser to measure.', hint: 'Give --recogniser CHOICE.' });
    }
    const { pairs, alone } = await pairsIn(directory);
    if (alone.length > 0) io.notice(`Without an audio file or a text of the same name: ${alone.join(', ')}.`, 'warn');
    if (pairs.length === 0) {
      throw new AppError('USAGE', {
        message: `${directory} has no audio file with a text of the same name.`,
        hint: 'Write the words of x.wav to x.txt in the same folder.',
      });
    }
    const terms = termFile === undefined ? [] : linesOf(await readText(io, termFile, maxTermBytes));
    const tasks = await Promise.all(
      pairs.map(async (pair) => {
        const words = await readText(io, pair.text, maxTextBytes);
        return { ...pair, words, language: languageFor(pair, words, language) };
      }),
    );
    const care = await engineCare();
    const result = await care.measure(recogniser, engineFiles(context), async (hearing) => {
      const { name, sendsTo } = hearing;
      if (sendsTo !== undefined) io.notice(`The sound goes to ${sendsTo}.`, 'faint');
      const files = await io.progress(`Transcribing with ${name}`, async (update) => {
        const done: FileResult[] = [];
        for (const [at, task] of tasks.entries()) {
          update(`Transcribing with ${name}: ${at + 1} of ${tasks.length}`);
          done.push(await measureFile(task, terms, (path) => hearing.hear(path, task.language, signal), signal));
        }
        return done;
      });
      return { name, sendsTo, files, memory: hearing.memory() };
    });
    const heard = result.files.filter((file) => file.errors !== undefined);
    const total: MeasuredFile = {
      name: 'all',
      errors: totalErrors(heard.map(({ errors }) => errors)),
      seconds: heard.reduce((sum, { seconds }) => sum + seconds, 0),
      ms: heard.reduce((sum, { ms }) => sum + ms, 0),
    };
    const failed = result.files.length - heard.length;
    await render(
      io,
      listView<FileResult>({
        data: {
          recogniser: result.name,
          ...(result.sendsTo !== undefined && { sends_to: result.sendsTo }),
          memory_bytes: result.memory ?? null,
          files: result.files.map(toData),
          total: { files: heard.length, failed, ...toData(total) },
        },
        rows: [...result.files, total],
        columns,
        empty: 'There is nothing to measure.',
        ...(result.memory !== undefined && {
          note: `Memory, with the engine's processes: ${sizeWords(result.memory)}.`,
        }),
      }),
    );
    if (failed > 0) {
      throw new AppError('PARTIAL', {
        message: `${counted(failed, 'sound')} of ${result.files.length} could not be heard.`,
      });
    }
  },
});

const maxTextBytes = 10_000_000;
const maxTermBytes = 1_000_000;

interface Pair {
  /** File name without extensions. */
  readonly name: string;
  readonly sound: string;
  readonly text: string;
  /** The language in the name of the text file. */
  readonly named: Language | undefined;
}

interface MeasuredFile {
  readonly name: string;
  readonly language?: Language;
  readonly errors: HearingErrors;
  readonly seconds: number;
  readonly ms: number;
  readonly failure?: never;
}

interface FailedFile {
  readonly name: string;
  readonly language: Language;
  readonly errors?: never;
  readonly seconds?: never;
  readonly ms?: never;
  readonly failure: AppError;
}

type FileResult = MeasuredFile | FailedFile;

/** Audio files paired with texts of the same name, and the names of unpaired files. */
async function pairsIn(directory: string): Promise<{ pairs: Pair[]; alone: string[] }> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(directory, error);
  });
  const names = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
  const sounds = new Map<string, string>();
  const texts = new Map<string, { readonly file: string; readonly named: Language | undefined }>();
  const alone: string[] = [];
  for (const file of names.toSorted()) {
    const stem = file.slice(0, file.length - extname(file).length);
    const isText = extname(file).toLowerCase() === '.txt';
    const named = languages.find((language) => stem.toLowerCase().endsWith(`.${language.toLowerCase()}`));
    const name = named === undefined ? stem : stem.slice(0, -named.length - 1);
    if ((isText ? texts : sounds).has(name)) alone.push(file);
    else if (isText) texts.set(name, { file, named });
    else sounds.set(name, file);
  }
  const pairs = [...sounds].flatMap(([name, sound]): Pair[] => {
    const found = texts.get(name);
    if (!found) return [];
    return [{ name, sound: join(directory, sound), text: join(directory, found.file), named: found.named }];
  });
  const paired = new Set(pairs.map(({ name }) => name));
  alone.push(...[...sounds].filter(([name]) => !paired.has(name)).map(([, file]) => file));
  alone.push(...[...texts].filter(([name]) => !paired.has(name)).map(([, { file }]) => file));
  return { pairs, alone };
}

const linesOf = (content: string): string[] =>
  content
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function languageFor({ name, named }: Pair, words: string, said: Language | undefined): Language {
  const language = named ?? said ?? detectLanguage(words);
  if (language) return language;
  throw new AppError('USAGE', {
    message: `The language of ${name} is unclear.`,
    hint: `Use --language, or name the text ${name}.pt-BR.txt.`,
  });
}

/** An audio file that fails is a result; only the person stops the others. */
async function measureFile(
  { name, language, words, sound }: Pair & { readonly language: Language; readonly words: string },
  terms: readonly string[],
  hear: (path: string) => Promise<{ heard: { text: string }; seconds: number; ms: number }>,
  signal: AbortSignal,
): Promise<FileResult> {
  try {
    const { heard, seconds, ms } = await hear(sound);
    return { name, language, seconds, ms, errors: hearingErrors(words, heard.text, language, terms) };
  } catch (error) {
    if (signal.aborted) throw new AppError('INTERRUPTED');
    if (!(error instanceof AppError)) throw error;
    return { name, language, failure: error };
  }
}

const rounded = (value: number, places: number): number => Math.round(value * 10 ** places) / 10 ** places;

const shareOf = ({ seconds = 0, ms = 0 }: FileResult): number | null =>
  seconds === 0 ? null : rounded(ms / 1000 / seconds, 3);

function toData(file: FileResult) {
  const { name, language, errors, seconds, ms, failure } = file;
  if (failure) return { name, language, error: { code: failure.code, message: failure.message } };
  const rate = wordErrorRate(errors);
  return {
    name,
    ...(language && { language }),
    word_error_rate: rate === null ? null : rounded(rate, 4),
    ...errors,
    seconds: rounded(seconds, 3),
    ms: Math.round(ms),
    real_time: shareOf(file),
  };
}

const kindColumn = (
  title: string,
  kindOf: (errors: HearingErrors) => KindErrors,
  spare: number,
): Column<FileResult> => ({
  title,
  align: 'right',
  spare,
  value: ({ errors }) => errors && `${kindOf(errors).errors} of ${kindOf(errors).said}`,
});

const columns: readonly Column<FileResult>[] = [
  { title: 'Sound', value: ({ name }) => name, tone: () => 'strong' },
  { title: 'Language', value: ({ language }) => language, spare: 5 },
  { title: 'Words', value: ({ errors }) => errors?.words, align: 'right' },
  {
    title: 'Errors',
    align: 'right',
    value: ({ errors }) => {
      const rate = errors && wordErrorRate(errors);
      return rate === undefined || rate === null ? '' : `${(100 * rate).toFixed(1)} %`;
    },
  },
  kindColumn('Numbers', ({ numbers }) => numbers, 1),
  kindColumn('Sides', ({ sides }) => sides, 2),
  kindColumn('Negations', ({ negations }) => negations, 3),
  kindColumn('Terms', ({ terms }) => terms, 4),
  { title: 'Real time', value: (file) => shareOf(file), align: 'right' },
  { title: 'Failed', value: ({ failure }) => failure?.message, tone: () => 'bad', cut: true },
];
