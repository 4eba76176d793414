/** A person's token at a server in a process of its own, got as any client gets one: login, consent, code. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultSpace } from '../../src/contract/admin.ts';
import type { User } from '../../src/contract/admin.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import { createClient } from '../../src/client/client.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createHttpCall } from '../../src/node/http/http-call.ts';
import { beginAuthorization, finishAuthorization } from '../../src/node/login/authorization.ts';
import type { Ready } from './process.ts';
import { webBrowser } from './web-browser.ts';
import type { WebBrowser } from './web-browser.ts';

const redirectUri = 'http://127.0.0.1/callback';
export const person = { username: 'ana', display_name: 'Dra. Ana', password: 'correct horse battery' };

/** As the operator adds a person; `space` is the usual one. */
type Person = Account & Partial<Pick<User, 'display_name' | 'role' | 'licence'>>;

interface Account {
  readonly username: string;
  readonly password: string;
}

/** Sends forms, each with the hidden fields of the page before. */
function formBrowser(browser: WebBrowser) {
  const { origin } = browser;
  const submit = async (path: string, page: Response, values: Record<string, string>): Promise<Response> => {
    const hidden = [...(await page.text()).matchAll(/name="(request|csrf)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    return browser.visit(path, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams([...hidden, ...Object.entries(values)]).toString(),
    });
  };
  const logIn = (login: Response, { username, password }: Account): Promise<Response> =>
    submit('/login', login, { username, password });
  return {
    visit: browser.visit,
    submit,
    logIn,
    logInAndAllow: async (login: Response, account: Account): Promise<Response> =>
      submit('/consent', await logIn(login, account), { decision: 'approve' }),
  };
}

/** Logs in as a person does at the page to which Laudio's own app leads, which asks for no consent; gives where the browser ends. */
export const logInAt = async (browser: WebBrowser, address: string, account: Account): Promise<Response> =>
  formBrowser(browser).logIn(await browser.visit(address), account);

/** Fills in the server's pages for another application. */
async function approve(origin: string, address: string, account: Account): Promise<Response> {
  const browser = formBrowser(webBrowser(origin));
  return browser.logInAndAllow(await browser.visit(address), account);
}

/** The same for the code that a device shows. */
export async function approveDevice(origin: string, user_code: string, account: Account): Promise<Response> {
  const browser = formBrowser(webBrowser(origin));
  const login = await browser.submit('/device', await browser.visit('/device'), { user_code });
  return browser.logInAndAllow(login, account);
}

/** Adds a person (default: `person`) and a client to the server, and logs the person in. */
export async function personToken(
  { url, data_dir }: Pick<Ready, 'url' | 'data_dir'>,
  added: Person = person,
): Promise<string> {
  const { admin_token } = JSON.parse(await readFile(join(data_dir, 'server.json'), 'utf8')) as { admin_token: string };
  const calls = createHttpCall({ timeout: 60_000 });
  const http = {
    transport: calls.transport,
    server: url,
    adminToken: async () => admin_token,
    clock: systemClock,
    random: Math.random,
    uuid: () => crypto.randomUUID(),
  };
  try {
    const { users, clients } = createClient(http);
    await users.create({ body: { ...added, space: defaultSpace } });
    const { data } = await clients.create({ body: { name: 'RIS', redirect_uris: [redirectUri], kind: 'web' } });
    const client = { client_id: data.id, client_secret: data.secret ?? '' };
    const begun = await beginAuthorization(http, { client, scope: allScopes.join(' '), redirectUri, manual: false });
    const end = await approve(url, begun.url, added);
    const query = new URL(end.headers.get('location') ?? '', url).searchParams;
    return (await finishAuthorization(http, { client, pending: begun.pending, query, hint: '' })).access_token;
  } finally {
    await calls.close();
  }
}
