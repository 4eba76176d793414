/** People who log in over and over, as at the start of a shift or by a program that tries: each login is a slow hash. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contract } from '../../src/contract/index.ts';
import { paths } from '../../server/pages/paths.ts';
import type { Ready } from '../support/process.ts';

/** Logs in so many people at once until the function that it gives is called. */
export async function crowdOf({ url, data_dir, test_client }: Ready, people: number) {
  const { admin_token } = JSON.parse(await readFile(join(data_dir, 'server.json'), 'utf8')) as { admin_token: string };
  const names = Array.from({ length: people }, (_, nth) => `person-${nth}`);
  for (const username of names) {
    const answer = await fetch(new URL(contract.users.endpoints.create.path, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${admin_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: username.repeat(2), space: test_client.client_id }),
    });
    if (answer.status !== 201) throw new Error(`a user was answered with ${answer.status}`);
  }
  const form = await loginForm(url, test_client);
  return (): (() => Promise<void>) => {
    let isOver = false;
    const logIn = async (username: string): Promise<void> => {
      while (!isOver) {
        const answer = await fetch(new URL(paths.login, url), {
          method: 'POST',
          redirect: 'manual',
          headers: { cookie: form.cookie, origin: url, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ ...form.fields, username, password: username.repeat(2) }),
        });
        await answer.arrayBuffer();
        if (answer.status !== 303) throw new Error(`a login was answered with ${answer.status}`);
      }
    };
    const logins = names.map(logIn);
    return async () => {
      isOver = true;
      await Promise.all(logins);
    };
  };
}

/** A login that was begun once and can be gone through again and again. */
async function loginForm(url: string, { client_id, redirect_uri }: Ready['test_client']) {
  const asked = new URL(contract.oauth.endpoints.authorize.path, url);
  const wish = { response_type: 'code', client_id, redirect_uri, scope: 'jobs:read', state: 'x', test_mode: 'manual' };
  asked.search = new URLSearchParams(wish).toString();
  const begun = await fetch(asked, { redirect: 'manual' });
  const cookie = begun.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const page = await fetch(new URL(begun.headers.get('location') ?? '', url), { headers: { cookie } });
  const hidden = (await page.text()).matchAll(/name="(request|csrf)" value="([^"]*)"/g);
  return { cookie, fields: Object.fromEntries(Array.from(hidden, ([, name, value]) => [name, value])) };
}
