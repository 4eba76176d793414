/**
 * Login on a computer without a browser (RFC 8628): shows a code, and polls until a person has typed it in a browser
 * elsewhere.
 */
import { createCaller } from '../../client/client.ts';
import { AppError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { DeviceAuthorization } from '../../contract/oauth.ts';
import { pause } from '../../domain/pause.ts';
import type { Credentials } from './credential-store.ts';
import type { LoginOptions } from './oauth-login.ts';
import { createTokenEndpoint, refusedAs } from './oauth-tokens.ts';

/** Seconds that each `slow_down` adds to the interval (3.5). */
const slower = 5;
/** The largest interval in seconds, when the server cannot be reached. */
const slowest = 60;

export type DeviceLoginOptions = Omit<LoginOptions, 'userAgent'>;

/** Throws LOGIN_FAILED with the reason, NETWORK, BAD_ANSWER or INTERRUPTED. */
export async function logInDevice(options: DeviceLoginOptions): Promise<Credentials> {
  const { http, client, notify, signal } = options;
  const { clock } = http;
  const device = await authorization(options);
  const { protocol } = URL.parse(device.verification_uri) ?? {};
  if (protocol !== 'https:' && protocol !== 'http:') throw new AppError('BAD_ANSWER');
  const until = clock.now() + device.expires_in * 1000;
  // This loop repeats the request, so the client must not.
  const tokens = createTokenEndpoint({ ...http, retry: { limit: 0 } }, client);
  notify({ event: 'device', url: device.verification_uri, code: device.user_code });
  for (let { interval } = device; ;) {
    try {
      return await tokens.redeemDevice(device.device_code);
    } catch (error) {
      interval = nextInterval(error, interval);
    }
    if (clock.now() + interval * 1000 >= until) throw late(device.expires_in);
    await pause(clock, interval * 1000, signal);
  }
}

async function authorization({ http, client, scope, manual }: DeviceLoginOptions): Promise<DeviceAuthorization> {
  const body = { ...client, scope, ...(manual && { test_mode: 'manual' }) };
  const answer = await createCaller(http)(contract.oauth.endpoints.deviceAuthorization, { body }).catch(
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') throw unsupported();
      return refusedAs('LOGIN_FAILED')(error);
    },
  );
  if (!('data' in answer)) throw new AppError('BAD_ANSWER');
  return answer.data as DeviceAuthorization;
}

/** Seconds to wait before the next request. Throws errors that end the login. */
function nextInterval(error: unknown, interval: number): number {
  if (!(error instanceof AppError)) throw error;
  switch (error.details?.['oauth_error']) {
    case 'authorization_pending':
      return interval;
    case 'slow_down':
      return interval + slower;
    case 'access_denied':
      throw new AppError('LOGIN_FAILED', { message: 'The login was declined.', hint: 'Run "laudio login" again.' });
    case 'expired_token':
      throw late();
  }
  const isPassing = error.code === 'NETWORK' || error.status === 429 || error.status === 503;
  // A server that cannot be reached is asked less and less often (3.5).
  if (isPassing) return Math.min(Math.max(interval * 2, error.retryAfter ?? 0), slowest);
  return refusedAs('LOGIN_FAILED')(error);
}

const late = (seconds?: number): AppError =>
  new AppError('LOGIN_FAILED', {
    message: `Nobody approved the login${seconds === undefined ? ' in time' : ` within ${Math.round(seconds / 60)} minutes`}.`,
    hint: 'Run "laudio login" again.',
  });

const unsupported = (): AppError =>
  new AppError('LOGIN_FAILED', {
    message: 'This server has no login for devices.',
    hint: 'Use "laudio login --no-browser".',
  });
