import { AppError } from '../../../src/contract/errors.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import type { MacroInput } from '../../../src/contract/macro.ts';
import { shownLine } from '../../../src/domain/characters.ts';
import { counted } from '../../../src/domain/counted.ts';
import { command, flag, required } from '../../command.ts';
import { inputBytes } from '../../input-file.ts';
import type { MacroProblem } from '../../macro-file.ts';
import { givenFields, macroOptions } from '../../resources/macro.ts';
import { messageView } from '../../view.ts';

export const importMacros = command({
  description:
    'All of a file or nothing: what cannot be taken is named with its line. A file is CSV with the columns name, text, section, language and owner, of which the last three may be missing, or JSON as “laudio macro list --json” prints it. The options say what a line leaves open.',
  arguments: { file: required('CSV or JSON, - for standard input') },
  options: { ...macroOptions, replace: flag('Replace macros that are there with the same name') },
  examples: [
    ['laudio macro import macros.csv --language pt-BR', 'yours'],
    ['laudio macro list --json | laudio --profile clinic macro import - --owner space', 'from one server to another'],
  ],
  async run({ client, io, signal }, { file, replace, ...given }) {
    const { readMacroFile } = await import('../../macro-file.ts');
    const { macros: read, places, problems, unread } = await readMacroFile(inputBytes(io, file));
    if (problems.length > 0) throw nothingImported(problems);
    if (unread.length > 0)
      io.notice(`Not read: ${unread.map((heading) => `“${shownLine(heading)}”`).join(', ')}.`, 'warn');
    if (read.length === 0) throw new AppError('USAGE', { message: 'The file has no macros.' });
    const defaults = givenFields(given);
    const items = read.map((macro) => ({ ...defaults, ...macro })) as MacroInput[];
    const { macros } = await client();
    try {
      const { data } = await io.progress(`Importing ${counted(items.length, 'macro')}`, () =>
        macros.import({ body: { items, ...(replace && { replace }) } }, { signal }),
      );
      const { created, replaced, unchanged } = data;
      return messageView(`${created} new, ${replaced} replaced, ${unchanged} unchanged.`, data);
    } catch (error) {
      throw refusalOf(error, places) ?? error;
    }
  },
});

/** The service's refusal of single macros, by their places in the file. */
function refusalOf(error: unknown, places: readonly string[]): AppError | undefined {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') return undefined;
  const problems = ((error.details?.['errors'] ?? []) as FieldError[]).flatMap(({ field, message }): MacroProblem[] => {
    const [, number] = /^items\.(\d+)/.exec(field) ?? [];
    const place = number === undefined ? undefined : places[Number(number)];
    return place === undefined ? [] : [{ place, message: message.replace(/^items\.\d+\.?/, '') }];
  });
  return problems.length > 0 ? nothingImported(problems, error) : undefined;
}

const nothingImported = (problems: readonly MacroProblem[], cause?: AppError): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: `Nothing was imported: ${counted(problems.length, 'macro')} cannot be taken.`,
    details: {
      errors: problems.map(({ place, message }) => ({ field: place, message: `${place}: ${message}` })),
    },
    ...(cause?.requestId !== undefined && { requestId: cause.requestId }),
    ...(cause && { status: cause.status ?? 400, cause }),
  });
