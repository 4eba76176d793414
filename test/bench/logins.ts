/** People who log in over and over, as at the start of a shift or by a program that tries: each login is a slow hash. */
import { contract } from '../../src/contract/index.ts';
import { paths } from '../../server/auth/pages/paths.ts';
import type { Ready } from '../support/process.ts';
import { operatorOf } from './caller.ts';

/** Logs in so many people at once until the function that it gives is called. */
export async function crowdOf(ready: Ready, people: number) {
  const { url, test_client } = ready;
  const operator = await operatorOf(ready);
  const names = Array.from({ length: people }, (_, nth) => `person-${nth}`);
  for (const username of names) {
    const body = JSON.stringify({ username, password: username.repeat(2), space: test_client.client_id });
    await operator(contract.users.endpoints.create, { body });
  }
  return (): (() => Promise<void>) => {
    let isOver = false;
    // A login that was begun ends by itself after some minutes.
    const begun = loginForm(url, test_client);
    const logIn = async (username: string): Promise<void> => {
      const form = await begun;
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
    const logins = Promise.all(names.map(logIn));
    // Told to whoever has them leave.
    logins.catch(() => undefined);
    return async () => {
      isOver = true;
      await logins;
    };
  };
}

/** A login that was begun, and can be gone through again and again for some minutes. */
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
