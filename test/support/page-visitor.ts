/** A browser on the pages of the server, without a browser: cookies, hidden fields, and what else it is told to send. */
import type { FastifyInstance } from 'fastify';
import { authorizeUrl, form } from './authorization-app.ts';

export const origin = 'http://localhost:80';
type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;

/** A browser that keeps the cookies of one login, and can be told to send something else. */
export function createPageVisitor(
  appOf: () => FastifyInstance,
  headers: Readonly<Record<string, string>> = {},
  remoteAddress = '127.0.0.1',
) {
  let cookie = '';
  let fields: Record<string, string> = {};
  const keep = (answer: Answer): Answer => {
    const set = answer.headers['set-cookie'];
    if (typeof set === 'string') cookie = set.split(';', 1)[0]!;
    const hidden = [...answer.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)" \/>/g)];
    if (hidden.length > 0) fields = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]));
    return answer;
  };
  const visitor = {
    fields: () => fields,
    cookie: () => cookie,
    get: async (url: string) => keep(await appOf().inject({ url, remoteAddress, headers: { cookie, ...headers } })),
    follow: (answer: Answer) => visitor.get(String(answer.headers.location)),
    async post(
      url: string,
      values: Readonly<Record<string, string>>,
      more: Readonly<Record<string, string | undefined>> = {},
    ) {
      const sent = form({ ...fields, ...values });
      const all = { ...sent.headers, cookie, origin, 'sec-fetch-site': 'same-origin', ...more };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >;
      return keep(await appOf().inject({ method: 'POST', url, remoteAddress, payload: sent.payload, headers: given }));
    },
    begin: async (changes: Readonly<Record<string, string>> = {}) =>
      visitor.follow(await visitor.get(authorizeUrl({ test_mode: 'manual', ...changes }))),
    logIn: (values: Readonly<Record<string, string>> = {}) =>
      visitor.post('/login', { username: 'test-physician', password: 'test-physician', ...values }),
  };
  return visitor;
}
