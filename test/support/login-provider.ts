/** A login provider on a free port of loopback: oidc-provider, with accounts that the test chooses. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
// @ts-expect-error It has no types.
import { Provider } from 'oidc-provider';
import { onTestFinished, vi } from 'vitest';

export const providerClient = { clientId: 'laudio', clientSecret: 'test-only-laudio-secret' } as const;

/** A consent that the provider stores. */
interface ConsentGrant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

interface GrantContext {
  readonly oidc: {
    readonly provider: { readonly Grant: new (of: { accountId: string; clientId: string }) => ConsentGrant };
    readonly session: { readonly accountId: string };
    readonly client: { readonly clientId: string };
  };
}

export interface LoginProvider {
  readonly issuer: string;
  /** Claims of each account, by subject. */
  readonly accounts: Map<string, Readonly<Record<string, unknown>>>;
  /**
   * Goes to the provider as a browser would, logs in with the account, and returns the address to which the browser comes back.
   * `null`: the person cancels.
   */
  visit(address: string, subject: string | null): Promise<string>;
}

/** Loopback URIs without a port fit every port. `subject`: who logs in, in a browser that the test does not drive. */
export async function startLoginProvider(
  redirectUris: readonly string[],
  initial: string | null = null,
): Promise<LoginProvider> {
  const accounts: LoginProvider['accounts'] = new Map();
  let subject = initial;
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  // It keeps its state in memory, and warns of that.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: providerClient.clientId,
        client_secret: providerClient.clientSecret,
        redirect_uris: [...redirectUris],
        application_type: 'native',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', kid: 'first' }] },
    cookies: { keys: ['test'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
    pkce: { required: () => true },
    claims: { profile: ['name', 'preferred_username', 'roles', 'groups'] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }: GrantContext) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
  } as never);
  warn.mockRestore();
  const callback = provider.callback();
  http.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    const result = subject === null ? { error: 'access_denied' } : { login: { accountId: subject }, consent: {} };
    void provider.interactionFinished(request, response, result);
  });
  onTestFinished(() => void http.close());

  return {
    issuer,
    accounts,
    async visit(address, chosen) {
      subject = chosen;
      const jar = new Map<string, string>();
      let next = address;
      while (next.startsWith(issuer)) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          jar.set(name, value);
        }
        const location = answer.headers.get('location');
        if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
        next = new URL(location, next).href;
      }
      return next;
    },
  };
}
