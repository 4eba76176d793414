/** The server in this process, as the app uses it: to create its first user, and to register the app as a client. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { join } from 'node:path';
import { createClient } from '../../../src/client/client.ts';
import type { Client } from '../../../src/client/client.ts';
import { itemsOf } from '../../../src/client/pages.ts';
import type { Transport } from '../../../src/client/transport.ts';
import { defaultSpace } from '../../../src/contract/admin.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { object, string } from '../../../src/contract/schema.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { SharedApp } from '../../../server/index.ts';
import type { Dial } from '../../../src/node/http/web-socket.ts';
import type { OAuthClient } from '../../../src/node/login/oauth-tokens.ts';
import { isSetupCode } from '../../../src/node/login/setup-code.ts';
import { setupCodeNeeded } from '../../bridge/session.ts';
import type { CallInput } from '../../bridge/calls.ts';
import { jsonFile, jsonText } from '../json-file.ts';
import type { MachineDeps } from '../service.ts';
import { sharedText } from './shared-files.ts';

export interface LocalServer {
  /** Calls the server without a network. */
  readonly transport: Transport;
  readonly dial: Dial;
  /** Whether a person must prove with the setup code, which the server's terminal shows, that they are its operator. */
  readonly asksCode: boolean;
  /** Throws FORBIDDEN if the server asks for the setup code and this is not the code. */
  checkCode(code: string | undefined): void;
  /** Whether the server has no user yet. */
  needsFirstUser(): Promise<boolean>;
  /**
   * Rejects with FORBIDDEN without the setup code, or if the server already has a user. `undo` removes the user, so
   * that a person whom the app could not log in can start again.
   */
  createFirstUser(user: CallInput<'session.first_user'>): Promise<{ undo(): Promise<void> }>;
  /** The app as a client of the server, registered with `redirectUri`; a login through it asks for no consent. */
  client(redirectUri: string): Promise<OAuthClient>;
  /** The built-in test client with its redirect URI; `undefined` if the server has none. */
  readonly testClient: (OAuthClient & { readonly redirect_uri: string }) | undefined;
}

export interface LocalServerDeps extends Omit<MachineDeps, 'transport'> {
  /** Directory of the app; unused where other processes share it. */
  readonly directory: string;
  readonly shared?: SharedApp | undefined;
  readonly transport: Transport;
  readonly dial: Dial;
  readonly adminToken: string;
  /** Makes a client the app's own: by logging in through it a person has approved it. */
  readonly adopt: (clientId: string) => void | Promise<void>;
  readonly testClient: LocalServer['testClient'];
  /** Whether a login provider brings the users, the first one too; default: false. */
  readonly hasProvider?: boolean;
  /** `undefined`: only the operator can reach the server's pages. */
  readonly setupCode: string | undefined;
}

const Own = object({ client_id: string(), client_secret: string() });
/** Maximum number of redirect URIs; those used last are kept. */
const maxRedirectUris = 10;

export function createLocalServer(deps: LocalServerDeps): LocalServer {
  const { clients, users }: Client = createClient({
    ...deps,
    server: 'http://localhost',
    adminToken: async () => deps.adminToken,
  });
  const { setupCode } = deps;
  const file = deps.shared
    ? jsonText(sharedText(deps.shared, 'client', deps.sealing), Own)
    : jsonFile(join(deps.directory, 'client.json'), Own, deps.sealing);
  let hasUsers = deps.hasProvider ?? false;
  /** Requests to create the first user wait for each other, since only one can succeed. */
  const inTurn = createOrder();
  const needsFirstUser = async (): Promise<boolean> => {
    if (hasUsers) return false;
    for await (const user of itemsOf((paging) => users.list({ query: paging })))
      hasUsers ||= user.space === defaultSpace;
    return !hasUsers;
  };
  const present = async (): Promise<{ own: OAuthClient; uris: readonly string[] } | undefined> => {
    const own = await file.read();
    if (!own) return undefined;
    try {
      return { own, uris: (await clients.get({ params: { id: own.client_id } })).data.redirect_uris };
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  };
  const make = async (redirectUri: string): Promise<OAuthClient> => {
    const { data } = await clients.create({ body: { name: 'Laudio', redirect_uris: [redirectUri], kind: 'web' } });
    const own = { client_id: data.id, client_secret: data.secret ?? '' };
    await file.write(own);
    return own;
  };

  const checkCode: LocalServer['checkCode'] = (code) => {
    if (setupCode === undefined || (code !== undefined && isSetupCode(code, setupCode))) return;
    throw new AppError('FORBIDDEN', {
      message: appMessage(code === undefined ? 'no_setup_code' : 'wrong_setup_code'),
      hint: appMessage('setup_code_hint'),
      details: { reason: setupCodeNeeded, ...(code !== undefined && { wrong: true }) },
    });
  };

  return {
    transport: deps.transport,
    dial: deps.dial,
    testClient: deps.testClient,
    asksCode: setupCode !== undefined,
    checkCode,
    needsFirstUser: () => inTurn(needsFirstUser),
    createFirstUser: ({ username, display_name, password, code }) =>
      inTurn(async () => {
        checkCode(code);
        if (!(await needsFirstUser())) {
          throw new AppError('FORBIDDEN', {
            message: appMessage('has_users'),
            hint: appMessage('has_users_hint'),
          });
        }
        const { data } = await users.create({ body: { username, display_name, password, space: defaultSpace } });
        hasUsers = true;
        const undo = async (): Promise<void> => {
          await users.delete({ params: { id: data.id } });
          hasUsers = false;
        };
        return { undo: () => inTurn(undo) };
      }),
    client: (redirectUri) =>
      inTurn(async () => {
        const registered = await present();
        if (registered && !registered.uris.includes(redirectUri)) {
          const redirect_uris = [redirectUri, ...registered.uris].slice(0, maxRedirectUris);
          await clients.update({ params: { id: registered.own.client_id }, body: { redirect_uris } });
        }
        const own = registered?.own ?? (await make(redirectUri));
        await deps.adopt(own.client_id);
        return own;
      }),
  };
}
