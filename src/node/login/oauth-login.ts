/** Login: authorization code flow with PKCE, in the system's browser (RFC 6749, 7636, 8252, 9207). */
import type { ClientOptions } from '../../client/client.ts';
import type { Transport } from '../../client/transport.ts';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Interruption } from '../../domain/pause.ts';
import { pause } from '../../domain/pause.ts';
import { beginAuthorization, finishAuthorization } from './authorization.ts';
import type { Credentials } from './credential-store.ts';
import { loggedInPage, loginFailedPage } from './login-page.ts';
import { openLoopbackListener } from './loopback-listener.ts';
import type { Callback, LoopbackListener } from './loopback-listener.ts';
import type { OAuthClient } from './oauth-tokens.ts';

const again = 'Run "laudio login" again.';

/** Milliseconds that a person has to log in. */
export const loginLimit = 120_000;

/** Path of the redirect URI that a client for this computer registers: `http://127.0.0.1/callback`, any port. */
const callbackPath = '/callback';

export interface LoginNotice {
  /**
   * `open`: the browser is being started; `open-failed`: that failed; `visit`: the person must open the address;
   * `device`: and type the code there.
   */
  readonly event: 'open' | 'open-failed' | 'visit' | 'device';
  readonly url: string;
  /** With `device`. */
  readonly code?: string;
}

/**
 * The visitor of the authorization page: the system's browser; a browser elsewhere, whose last address the person
 * pastes; or this program itself, for test clients, which are approved without a question.
 */
export type UserAgent =
  | { readonly kind: 'browser'; readonly open: (url: string) => Promise<void> }
  | { readonly kind: 'paste'; readonly read: () => Promise<string> }
  | { readonly kind: 'http' };

export interface LoginOptions {
  readonly http: ClientOptions;
  readonly client: OAuthClient;
  /** Space-separated. */
  readonly scope: string;
  readonly userAgent: UserAgent;
  /** Test clients only: asks for the login and consent pages. */
  readonly manual?: boolean;
  readonly notify: (notice: LoginNotice) => void;
  readonly signal?: Interruption;
}

/** Throws LOGIN_FAILED with the reason, NETWORK, BAD_ANSWER or INTERRUPTED. The listener closes in any case. */
export async function logIn(options: LoginOptions): Promise<Credentials> {
  const listener = options.userAgent.kind === 'paste' ? undefined : await openLoopbackListener(callbackPath);
  try {
    const { url, pending } = await beginAuthorization(options.http, {
      client: options.client,
      scope: options.scope,
      redirectUri: listener?.redirectUri ?? `http://127.0.0.1${callbackPath}`,
      manual: options.manual === true,
    });
    const { callback, sent } = await comeBack(options, url, pending.state, listener);
    try {
      const answer = { client: options.client, pending, query: callback.query, hint: again };
      const credentials = await finishAuthorization(options.http, answer);
      await callback.answer(loggedInPage());
      await sent;
      return credentials;
    } catch (error) {
      await callback.answer(loginFailedPage(error instanceof AppError ? error.message : 'Something failed.'));
      throw error;
    }
  } finally {
    await listener?.close();
  }
}

/** Starts the user agent and waits for its redirect, within the time limit. */
async function comeBack(
  { userAgent, notify, http, signal }: LoginOptions,
  url: string,
  state: string,
  listener: LoopbackListener | undefined,
): Promise<{ callback: Callback; sent: Promise<void> }> {
  const ended = new AbortController();
  const end = () => ended.abort();
  signal?.addEventListener('abort', end);
  const limit = rejectAtLimit(http.clock, ended.signal, signal);
  try {
    if (userAgent.kind === 'paste') {
      notify({ event: 'visit', url });
      const pasted = await Promise.race([userAgent.read(), limit]);
      return { callback: { query: parsePasted(pasted), answer: async () => undefined }, sent: Promise.resolve() };
    }
    if (!listener) throw new AppError('LOGIN_FAILED');
    const callback = listener.callback(state);
    if (userAgent.kind === 'http') {
      const sent = visit(http.transport, url, listener.redirectUri);
      return { callback: await Promise.race([callback, sent.then(refuseOther), limit]), sent };
    }
    notify({ event: 'open', url });
    userAgent.open(url).catch(() => notify({ event: 'open-failed', url }));
    return { callback: await Promise.race([callback, limit]), sent: Promise.resolve() };
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

/** The visit ended without the answer to this login. */
function refuseOther(): never {
  throw new AppError('LOGIN_FAILED', {
    message: 'The answer belongs to another login (its state is not ours).',
    hint: again,
  });
}

/** Rejects when the time is up, or when the person interrupts; without effect once `ended` is aborted. */
async function rejectAtLimit(clock: Clock, ended: Interruption, signal: Interruption | undefined): Promise<never> {
  try {
    await pause(clock, loginLimit, ended);
  } catch {
    if (signal?.aborted) throw new AppError('INTERRUPTED');
    return new Promise<never>(() => undefined);
  }
  throw new AppError('LOGIN_FAILED', {
    message: `Nobody logged in within ${loginLimit / 1000} seconds.`,
    hint: again,
  });
}

function parsePasted(pasted: string): URLSearchParams {
  if (!URL.canParse(pasted.trim())) {
    throw new AppError('LOGIN_FAILED', {
      message: 'That is not the address of a page.',
      hint: 'Paste it whole, from http:// on.',
    });
  }
  return new URL(pasted.trim()).searchParams;
}

/** Visits the authorization page and follows its redirect to our own listener, and nowhere else. */
async function visit(transport: Transport, url: string, redirectUri: string): Promise<void> {
  const answer = await transport({ method: 'GET', url, headers: { accept: 'text/html' } });
  await drain(answer.body);
  const location = answer.headers['location'];
  const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined;
  if (answer.status >= 300 && answer.status < 400 && target && `${target.origin}${target.pathname}` === redirectUri) {
    const page = await transport({ method: 'GET', url: target.href, headers: { accept: 'text/html' } });
    await drain(page.body);
    return;
  }
  if (answer.status < 400) {
    throw new AppError('LOGIN_FAILED', {
      message: 'This client needs a person to log in.',
      hint: 'Log in with a browser; only test clients are approved without one.',
      status: answer.status,
    });
  }
  throw new AppError('LOGIN_FAILED', {
    message: `The server refused the authorization request (${answer.status}).`,
    hint: 'Check the client id and its registered redirect URI.',
    status: answer.status,
  });
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body);
}

/** Opens the system's browser. Rejects if the browser can't be started; its later fate is unknown. */
export async function openInBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  const browser = await open(url);
  await new Promise<void>((resolve, reject) => {
    browser.once('error', reject);
    browser.once('exit', (code) => (code ? reject(new Error(`exit ${code}`)) : resolve()));
  });
}
