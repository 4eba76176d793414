/** The portal as a browser without scripts sees it. */
import type { Server } from '../../server/index.ts';

/** The setup code of the tests. */
export const portalCode = '4F7K9-2QDXM';
export const redirectUri = 'https://ris.example/callback';

type Values = Readonly<Record<string, string | readonly string[]>>;

/** A browser without scripts: its cookie, and the hidden fields of the form that it last saw. */
export function createPortalBrowser(
  server: () => Pick<Server, 'inject'>,
  language = 'en',
  origin = 'http://localhost:80',
) {
  let cookie = '';
  let hidden: Record<string, string> = {};
  const keep = <A extends { headers: object; body: string }>(answer: A): A => {
    const [set] = [(answer.headers as { 'set-cookie'?: string | string[] })['set-cookie']].flat();
    if (set !== undefined) cookie = set.split(';', 1)[0]!;
    const inputs = [...answer.body.matchAll(/<input\s+type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g)];
    if (inputs.length > 0) hidden = Object.fromEntries(inputs.map(([, name, value]) => [name!, value!]));
    return answer;
  };
  const send = async (
    method: 'GET' | 'POST' | 'HEAD',
    url: string,
    values: Values = {},
    more: object = {},
    signal?: AbortSignal,
  ) => {
    const all = Object.entries({ ...hidden, ...values });
    const form = new URLSearchParams(all.flatMap(([name, each]) => [each].flat().map((value) => [name, value])));
    const own = {
      origin,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const headers = {
      host: origin.replace(/^.*\//, ''),
      cookie,
      'accept-language': language,
      ...(method === 'POST' && own),
      ...more,
    };
    return keep(
      await server().inject({
        method,
        url,
        headers,
        signal,
        ...(method === 'POST' && { payload: form.toString() }),
      } as never),
    );
  };
  const browser = {
    cookie: () => cookie,
    /** `signal`: when the reader leaves. */
    get: (url: string, signal?: AbortSignal) => send('GET', url, {}, {}, signal),
    head: (url: string) => send('HEAD', url),
    post: (url: string, values?: Values, more?: object) => send('POST', url, values, more),
    follow: (answer: { headers: object }) => browser.get((answer.headers as { location: string }).location),
    enter: () => browser.post('/portal/enter', { code: portalCode.toLowerCase() }),
    /** Registers an application, and opens its page. */
    async register(values: Values = {}) {
      await browser.enter();
      await browser.get('/portal/new?kind=web');
      const made = await browser.post('/portal/new', {
        name: 'RIS São Lucas',
        redirect_uris: redirectUri,
        scopes: 'jobs:read',
        ...values,
      });
      const path = String(made.headers['location']);
      const page = await browser.get(path);
      return { made, path, id: path.split('/').at(-1)!, page, secret: secretIn(page.body) };
    },
  };
  return browser;
}

/** The secret that a page shows once. */
export const secretIn = (body: string): string | undefined => /<code id="secret"[^>]*>([^<]+)</.exec(body)?.[1];
