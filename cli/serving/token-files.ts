/** The tokens that an operator gives to a server in files: an argument would be visible to every user of the computer. */
import { AppError } from '../../src/contract/errors.ts';
import type { ServerOptions } from '../../server/index.ts';
import type { Context } from '../context.ts';
import { readSecretFile } from '../shell/secret.ts';

/** Minimum length of a token. */
const minTokenLength = 16;

const howToMake = 'Make one with: openssl rand -hex 32 > FILE';

interface TokenFiles {
  readonly metricsTokenFile: string | undefined;
  readonly operatorTokenFile: string | undefined;
}

/** CONFIGURATION if a file is missing, or its token is weak. */
export async function readTokens(
  context: Context,
  { metricsTokenFile, operatorTokenFile }: TokenFiles,
): Promise<Pick<ServerOptions, 'monitorToken' | 'operatorToken'>> {
  return {
    ...(metricsTokenFile !== undefined && {
      monitorToken: await readToken(context, '--metrics-token-file', metricsTokenFile),
    }),
    ...(operatorTokenFile !== undefined && {
      operatorToken: await readToken(context, '--operator-token-file', operatorTokenFile),
    }),
  };
}

async function readToken(context: Context, option: string, path: string): Promise<string> {
  const token = (await readSecretFile(context, path, option, howToMake)).trim();
  if (token.length >= minTokenLength && /^[A-Za-z0-9._~+/-]+=*$/.test(token)) return token;
  throw new AppError('CONFIGURATION', {
    message: `The file of ${option} contains no token: one line of ${minTokenLength} characters or more, of letters, digits and ._~+/-.`,
    hint: howToMake,
  });
}
