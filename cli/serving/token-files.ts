/** The tokens that an operator gives to a server in files: an argument would be visible to every user of the computer. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../src/contract/errors.ts';
import type { ServerOptions } from '../../server/index.ts';

/** Minimum length of a token. */
const minTokenLength = 16;

interface TokenFiles {
  readonly metricsTokenFile: string | undefined;
  readonly operatorTokenFile: string | undefined;
}

/** CONFIGURATION if a file is missing, or its token is weak. */
export async function readTokens({
  metricsTokenFile,
  operatorTokenFile,
}: TokenFiles): Promise<Pick<ServerOptions, 'monitorToken' | 'operatorToken'>> {
  return {
    ...(metricsTokenFile !== undefined && { monitorToken: await readToken('--metrics-token-file', metricsTokenFile) }),
    ...(operatorTokenFile !== undefined && {
      operatorToken: await readToken('--operator-token-file', operatorTokenFile),
    }),
  };
}

async function readToken(option: string, path: string): Promise<string> {
  const token = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (token.length >= minTokenLength && /^[A-Za-z0-9._~+/-]+=*$/.test(token)) return token;
  throw new AppError('CONFIGURATION', {
    message: `The file of ${option} contains no token: one line of ${minTokenLength} characters or more, of letters, digits and ._~+/-.`,
    hint: 'Make one with: openssl rand -hex 32 > FILE',
  });
}
