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

/** The first line of the file. CONFIGURATION if it can't be read or is empty; the error names the option only. */
export async function readSecretFile({ cwd }: Pick<Context, 'cwd'>, file: string, option: string): Promise<string> {
  const content = await readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new AppError('CONFIGURATION', { message: `The file of ${option} cannot be read.`, cause });
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
