/** Concurrent logins delay nothing else. */
import { onTestFinished, expect, test } from 'vitest';
import { secretCosts } from '../../../server/runtime/secrets.ts';
import { contract } from '../../../src/contract/index.ts';
import { formEncode } from '../../../src/client/address.ts';
import { authorizeQuery, examFields, startApi } from '../../support/api.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

test('keep neither commits nor tokens waiting', async () => {
  const api = await startApi({ dataDir: await temporaryDirectory(), secretCosts }, onTestFinished);
  const begun = await api.call(contract.oauth.endpoints.authorize, {
    query: { ...authorizeQuery(), test_mode: 'manual' },
  });
  const headers = { host: 'localhost', cookie: String(begun.headers['set-cookie']).split(';', 1)[0]! };
  const page = await api.send({ url: begun.headers['location']!, headers });
  const hidden = page.text.matchAll(/<input\s+type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g);
  const fields = Object.fromEntries(Array.from(hidden, ([, name, value]) => [name, value]));
  const answered: string[] = [];
  const logIn = async (number: number): Promise<void> => {
    const { status } = await api.send({
      method: 'POST',
      url: '/login',
      headers: {
        ...headers,
        origin: 'http://localhost',
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: formEncode({ ...fields, username: `name-${number}`, password: 'wrong' }),
    });
    answered.push(`login ${status}`);
  };
  // Ten seconds of hashes, one at a time, of which so many wait and no more.
  const logins = Array.from({ length: 60 }, (_, number) => logIn(number));
  await new Promise((resolve) => setImmediate(resolve));
  for (let exam = 0; exam < 5; exam++) {
    await api.ingest(examFields());
    answered.push('commit');
  }
  await api.tokens();
  answered.push('tokens');
  expect(answered.filter((what) => what === 'login 503').length).toBeGreaterThanOrEqual(30);
  expect(answered.filter((what) => what === 'login 400').length).toBeLessThan(8);
  await api.close();
  await Promise.all(logins);
});
