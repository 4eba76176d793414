/** Logins and their tokens over days, mistakes and restarts: random sessions against what the authorization server promises. */
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { accessTokenSeconds, codeSeconds, refreshTokenSeconds } from '../../src/contract/oauth.ts';
import { manualClock } from '../../src/domain/clock.ts';
import { builtInTestClient } from '../../server/index.ts';
import { authorizeQuery, redirectOf, startApi, startOfTests } from '../support/api.ts';
import type { Answer, Api } from '../support/api.ts';
import * as fc from '../support/properties.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

interface Token {
  readonly token: string;
  /** ms of the clock. */
  readonly expires: number;
  isSpent: boolean;
}

/** One authorization, with every token that came of it. */
interface Login {
  readonly code: string;
  readonly codeExpires: number;
  isRedeemed: boolean;
  isRevoked: boolean;
  readonly refresh: Token[];
  readonly access: Token[];
}

const { authorize, token: tokenEndpoint, revoke, validate } = contract.oauth.endpoints;
const { client_id, client_secret, redirect_uri } = builtInTestClient;
const credentials = { client_id, client_secret };

/** A server that can be stopped and started, and the logins of its client. */
interface House {
  api: Api;
  readonly restart: () => Promise<void>;
  readonly logins: Login[];
}

const now = ({ api }: House): number => api.clock.now();
const nthOf = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(all.length, 1)];

function gain(house: House, login: Login, { json }: Answer): void {
  const { access_token, refresh_token } = json as { access_token: string; refresh_token: string };
  login.access.push({ token: access_token, expires: now(house) + accessTokenSeconds * 1000, isSpent: false });
  login.refresh.push({ token: refresh_token, expires: now(house) + refreshTokenSeconds * 1000, isSpent: false });
}

const redeem = ({ api }: House, { code }: Login): Promise<Answer> =>
  api.call(tokenEndpoint, { body: { grant_type: 'authorization_code', code, redirect_uri, ...credentials } });
const refresh = ({ api }: House, { token }: Token): Promise<Answer> =>
  api.call(tokenEndpoint, { body: { grant_type: 'refresh_token', refresh_token: token, ...credentials } });

/** A use of what works once: a second one ends everything that came of the login. */
function expectRefused(answer: Answer, login: Login, wasUsed: boolean): void {
  expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_grant']);
  if (wasUsed) login.isRevoked = true;
}

const steps: Readonly<Record<string, (house: House, drawn: Drawn) => Promise<void>>> = {
  async 'log in'(house) {
    const { code } = redirectOf(await house.api.call(authorize, { query: authorizeQuery() }));
    house.logins.push({
      code: code!,
      codeExpires: now(house) + codeSeconds * 1000,
      isRedeemed: false,
      isRevoked: false,
      refresh: [],
      access: [],
    });
    await steps['redeem the code']!(house, { nth: house.logins.length - 1, other: 0, seconds: 0 });
  },
  async 'redeem the code'(house, { nth }) {
    const login = nthOf(house.logins, nth);
    // For how long a used code is known depends on when the server cleans up.
    if (!login || (login.isRedeemed && now(house) > login.codeExpires + (refreshTokenSeconds - codeSeconds) * 1000))
      return;
    const answer = await redeem(house, login);
    if (login.isRedeemed || now(house) >= login.codeExpires) return expectRefused(answer, login, login.isRedeemed);
    expect(answer.status).toBe(200);
    login.isRedeemed = true;
    gain(house, login, answer);
  },
  async refresh(house, { nth, other }) {
    const login = nthOf(house.logins, nth);
    // Mostly the newest, as an honest client does.
    const token = login && (other % 3 === 0 ? nthOf(login.refresh, other) : login.refresh.at(-1));
    if (!token) return;
    const answer = await refresh(house, token);
    const isRefused = login.isRevoked || token.isSpent || now(house) >= token.expires;
    if (isRefused) return expectRefused(answer, login, token.isSpent && now(house) < token.expires);
    expect(answer.status).toBe(200);
    token.isSpent = true;
    gain(house, login, answer);
  },
  async 'refresh twice at once'(house, { nth }) {
    const login = nthOf(house.logins, nth);
    const token = login?.refresh.at(-1);
    if (!login || !token) return;
    const answers = await Promise.all([refresh(house, token), refresh(house, token)]);
    const works = !login.isRevoked && !token.isSpent && now(house) < token.expires;
    expect(answers.map(({ status }) => status).toSorted()).toEqual(works ? [200, 400] : [400, 400]);
    if (!works) return;
    token.isSpent = true;
    gain(
      house,
      login,
      answers.find(({ status }) => status === 200)!,
    );
    login.isRevoked = true;
  },
  async 'revoke a refresh token'(house, { nth, other }) {
    const login = nthOf(house.logins, nth);
    const token = login && nthOf(login.refresh, other);
    if (!token || now(house) >= token.expires) return;
    const answer = await house.api.call(revoke, { body: { token: token.token, ...credentials } });
    expect(answer.status).toBe(200);
    login.isRevoked = true;
  },
  async 'revoke an access token'(house, { nth, other }) {
    const login = nthOf(house.logins, nth);
    const token = login && nthOf(login.access, other);
    if (!token) return;
    expect((await house.api.call(revoke, { body: { token: token.token, ...credentials } })).status).toBe(200);
    token.isSpent = true;
  },
  wait: async (house, { seconds }) => void house.api.clock.advance(seconds * 1000),
  restart: (house) => house.restart(),
};

/** Every access token works as long as it should, and no longer. */
async function expectTokens(house: House, { nth, other }: Drawn): Promise<void> {
  const login = nthOf(house.logins, nth);
  for (const token of [login && nthOf(login.access, other), login?.access.at(-1)]) {
    if (!login || !token) continue;
    const { status } = await house.api.call(validate, { token: token.token });
    const works = !login.isRevoked && !token.isSpent && now(house) < token.expires;
    expect([token.token.slice(-6), status]).toEqual([token.token.slice(-6), works ? 200 : 401]);
  }
}

const drawn = fc.record({
  nth: fc.nat(3),
  other: fc.nat(5),
  seconds: fc.constantFrom(1, codeSeconds, accessTokenSeconds, refreshTokenSeconds / 2, refreshTokenSeconds),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;
const session = fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), drawn), {
  minLength: 1,
  maxLength: 30,
  size: 'max',
});

test('no session of logins, refreshes, revocations, waits and restarts lets a token work longer or shorter than it should', async () => {
  await fc.assert(
    fc.asyncProperty(session, async (played) => {
      const dataDir = await temporaryDirectory();
      const clock = manualClock(Date.parse(startOfTests));
      const start = (): Promise<Api> => startApi({ clock, dataDir }, onTestFinished);
      const house: House = {
        api: await start(),
        async restart() {
          await house.api.close();
          house.api = await start();
        },
        logins: [],
      };
      for (const [name, values] of [['log in', { nth: 0, other: 0, seconds: 0 }] as const, ...played]) {
        await steps[name]!(house, values);
        await expectTokens(house, values);
      }
      await house.api.close();
    }),
    { numRuns: 8 },
  );
});
