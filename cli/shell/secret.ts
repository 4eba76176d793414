/** Reads secrets from the environment, standard input, or a question without echo; never from a flag. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../../src/contract/errors.ts';
import { flag } from '../command.ts';
import type { Context } from '../context.ts';

export const secretOption = { secretStdin: flag('Read the secret from the first line of standard input') };

/** The first line of standard input that is not empty. */
export async function readFirstLine({ stdin }: Pick<Context['io'], 'stdin'>): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  for await (const line of createInterface({ input: stdin })) if (line !== '') return line;
  return undefined;
}

/**
 * A value about a patient: asked for at a terminal, else the first line of standard input, since others can list the words of a
 * command. `what` names it in the error. USAGE where there is none.
 */
export async function readPrivateLine({ io, ask }: Context, question: string, what: string): Promise<string> {
  const line = io.interactive ? await ask.text(question, 'a line on standard input') : await readFirstLine(io);
  const value = line?.trim() ?? '';
  if (value !== '') return value;
  throw new AppError('USAGE', { message: `Standard input has no line with ${what}.` });
}

/**
 * The first line of the file. CONFIGURATION if it can't be read or is empty; the error names the option only. `howToMake`: the hint
 * where there is no file; one that only can't be read must not be overwritten.
 */
export async function readSecretFile(
  { cwd }: Pick<Context, 'cwd'>,
  file: string,
  option: string,
  howToMake?: string,
): Promise<string> {
  const content = await readFile(resolve(cwd, file), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const hint = cause.code === 'ENOENT' ? howToMake : undefined;
    throw new AppError('CONFIGURATION', {
      message: `The file of ${option} cannot be read.`,
      cause,
      ...(hint !== undefined && { hint }),
    });
  });
  const [line = ''] = content.split(/\r?\n/, 1);
  if (line !== '') return line;
  throw new AppError('CONFIGURATION', { message: `The first line of the file of ${option} is empty.` });
}

/** `variable`: an environment variable that may contain the secret. `option`: the option that sets `fromStdin`. */
export async function readSecret(
  { io, ask, env }: Context,
  question: string,
  fromStdin: boolean,
  variable?: string,
  option = '--secret-stdin',
): Promise<string> {
  if (fromStdin) {
    const line = await readFirstLine(io);
    if (line !== undefined) return line;
    throw new AppError('USAGE', { message: 'Standard input contained no secret.' });
  }
  const secret = variable === undefined ? undefined : env[variable];
  if (secret) return secret;
  return ask.secret(question, variable === undefined ? option : `${option} or ${variable}`);
}
