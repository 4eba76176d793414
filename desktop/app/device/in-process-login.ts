/** Opens the login page of the server in this process like a browser, and returns the query of the final redirect. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import type { ClientOptions } from '../../../src/client/client.ts';
import type { IncomingAnswer, OutgoingRequest } from '../../../src/client/transport.ts';
import { AppError } from '../../../src/contract/errors.ts';

/** The credentials that a person types. */
export interface TypedLogin {
  readonly username: string;
  readonly password: string;
}

const maxPageBytes = 1024 * 1024;

/** The service approves a test client without asking (specification, section 1): only the redirect matters. */
export async function approveLogin({ transport }: ClientOptions, url: string): Promise<URLSearchParams> {
  const answer = await transport({ method: 'GET', url, headers: { accept: 'text/html' } });
  await answer.text(maxPageBytes);
  return new URL(readRedirect(answer, url)).searchParams;
}

/** Fills in the login page. That approves the app’s own client, so no consent page follows. */
export async function submitLogin(
  { transport }: ClientOptions,
  url: string,
  { username, password }: TypedLogin,
): Promise<URLSearchParams> {
  let cookie = '';
  const ask = async (request: Pick<OutgoingRequest, 'method' | 'url' | 'body'>, form: Record<string, string> = {}) => {
    const headers = { accept: 'text/html', ...(cookie !== '' && { cookie }), ...form };
    const answer = await transport({ ...request, headers });
    cookie = answer.cookies?.[0]?.split(';')[0] ?? cookie;
    return { answer, page: await answer.text(maxPageBytes) };
  };
  const begun = await ask({ method: 'GET', url });
  const address = readRedirect(begun.answer, url);
  const { page } = await ask({ method: 'GET', url: address });
  const hidden = [...page.matchAll(/name="(request|csrf)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  const { origin, pathname } = new URL(address);
  const { answer } = await ask(
    {
      method: 'POST',
      url: `${origin}${pathname}`,
      body: new URLSearchParams([...hidden, ['username', username], ['password', password]]).toString(),
    },
    { origin, 'content-type': 'application/x-www-form-urlencoded' },
  );
  return new URL(readRedirect(answer, address)).searchParams;
}

function readRedirect({ status, headers }: IncomingAnswer, from: string): string {
  const { location, 'retry-after': seconds } = headers;
  if (status === 303 && location !== undefined && URL.canParse(location, from)) return new URL(location, from).href;
  if (seconds !== undefined) throw new AppError('SERVER_BUSY', { retryAfter: Number(seconds) });
  throw new AppError('LOGIN_FAILED', { message: appMessage('login_refused'), hint: appMessage('login_again') });
}
