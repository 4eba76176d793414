/** Logging in on a computer without a browser, before a server that keeps to RFC 8628 and before others. */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { createHttpCall } from '../../../src/node/http/http-call.ts';
import { logInDevice } from '../../../src/node/login/device-login.ts';
import type { LoginNotice } from '../../../src/node/login/oauth-login.ts';
import { startHttpServer } from '../../support/http-server.ts';
import type { Reply } from '../../support/http-server.ts';
import { movingClock } from '../../support/moving-clock.ts';

const { deviceAuthorization, token } = contract.oauth.endpoints;
const codes = {
  device_code: 'canary-device-code',
  user_code: 'WDJB-MJHT',
  verification_uri: 'https://laudio.example.com/device',
  verification_uri_complete: 'https://laudio.example.com/device?user_code=WDJB-MJHT',
  expires_in: 600,
  interval: 5,
};
const tokens = {
  access_token: 'access',
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: 'r',
  scope: 'jobs:read',
};
const refusal = (error: string, status = 400): Reply => ({ status, body: { error } });

/** Logs in where the token endpoint answers so, one after the other; the last answer goes on. */
async function attempt(answers: readonly Reply[], authorization: Reply = { body: codes }, signal?: AbortSignal) {
  let asked = 0;
  const server = await startHttpServer(({ path }) => {
    if (path === deviceAuthorization.path) return authorization;
    return path === token.path ? answers[Math.min(asked++, answers.length - 1)]! : { status: 404, body: '' };
  });
  const http = createHttpCall({ timeout: 5000 });
  onTestFinished(async () => {
    await http.close();
    await server.close();
  });
  const clock = movingClock();
  const notices: LoginNotice[] = [];
  const login = logInDevice({
    http: { transport: http.transport, server: server.url, clock, random: Math.random, uuid: randomUUID },
    client: { client_id: 'lc_ris', client_secret: 'canary-secret' },
    scope: 'jobs:read',
    notify: (notice) => void notices.push(notice),
    ...(signal && { signal }),
  });
  const outcome = await login.then(
    (credentials) => ({ credentials, error: undefined }),
    (error: Error) => ({ credentials: undefined, error }),
  );
  return { ...outcome, notices, waits: clock.waits, asked: server.asked };
}

it('shows the code, asks at the server’s pace, and gives what the person approved', async () => {
  const { credentials, notices, waits, asked } = await attempt([
    refusal('authorization_pending'),
    refusal('slow_down'),
    refusal('authorization_pending'),
    { body: tokens },
  ]);
  expect(notices).toEqual([{ event: 'device', url: codes.verification_uri, code: codes.user_code }]);
  expect(waits).toEqual([5000, 10_000, 10_000]);
  expect(credentials).toMatchObject({ access_token: 'access', refresh_token: 'r', client_secret: 'canary-secret' });
  const sent = asked.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  expect(sent[0]).toEqual({ client_id: 'lc_ris', client_secret: 'canary-secret', scope: 'jobs:read' });
  expect(sent[1]).toMatchObject({ device_code: codes.device_code });
});

it('asks a server that is gone for a while less and less often, and goes on', async () => {
  const { credentials, waits } = await attempt([
    { cut: true },
    refusal('temporarily_unavailable', 503),
    refusal('authorization_pending'),
    { body: tokens },
  ]);
  expect(credentials).toBeDefined();
  expect(waits).toEqual([10_000, 20_000, 20_000]);
});

it.each<[string, Reply, RegExp]>([
  ['the person declined', refusal('access_denied'), /declined/],
  ['the code ended', refusal('expired_token'), /Nobody approved/],
  ['nobody decided in time', refusal('authorization_pending'), /Nobody approved the login within 10 minutes/],
  ['the server refuses', refusal('invalid_grant'), /refused the login/],
])('ends where %s', async (_name, answer, words) => {
  const { error, waits } = await attempt([answer]);
  expect(error).toMatchObject({ code: 'LOGIN_FAILED', message: expect.stringMatching(words) });
  expect(JSON.stringify(error)).not.toContain('canary');
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(600_000);
});

it.each<[string, Reply, string]>([
  [
    'knows no devices',
    {
      status: 404,
      body: {
        success: false,
        error: { code: 'NOT_FOUND', message: 'x' },
        meta: { request_id: 'r', timestamp: '2026-03-02T11:30:00Z' },
      },
    },
    'LOGIN_FAILED',
  ],
  ['does not know the client', refusal('invalid_client', 401), 'LOGIN_FAILED'],
  ['answers with a page', { body: '<html>' }, 'BAD_ANSWER'],
  ['sends people to a program', { body: { ...codes, verification_uri: 'javascript:alert(1)' } }, 'BAD_ANSWER'],
])('shows nothing where the server %s', async (_name, authorization, code) => {
  const { error, notices } = await attempt([{ body: tokens }], authorization);
  expect(error).toMatchObject({ code });
  expect(notices).toEqual([]);
});

it('ends with Ctrl-C', async () => {
  const { error } = await attempt([refusal('authorization_pending')], undefined, AbortSignal.abort());
  expect(error).toMatchObject({ code: 'INTERRUPTED' });
});
