/** What commands send, and what they tell of it: fields, filters, retries, proxies, as a server of the test sees them. */
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { failed, startHttpServer, succeeded } from '../support/http-server.ts';
import type { Asked, Reply, TestServer } from '../support/http-server.ts';

const tls = new URL('../support/tls/', import.meta.url);

let cli: Cli;
let server: TestServer;
let reply: (asked: Asked) => Reply;
const page = { items: [], next_cursor: null };
beforeAll(async () => {
  cli = await createCli({ LAUDIO_TOKEN: 'canary-token' });
  server = await startHttpServer((asked) => reply(asked));
});
afterAll(async () => {
  await cli.close();
  await server.close();
});

/** Calls it at the server of the test; `asked` is what came there. */
async function call(words: readonly string[], answer: Reply = succeeded(page), env: NodeJS.ProcessEnv = {}) {
  reply = () => answer;
  const before = server.asked.length;
  const ended = await cli.call(words, { env: { LAUDIO_SERVER: server.url, ...env }, input: 'from stdin' });
  return { ...ended, asked: server.asked.slice(before) };
}

describe('--jq', () => {
  it.each(['.[', 'nothing', '$x'])('%s is refused before anything is sent', async (filter) => {
    const { code, stdout, stderr, asked } = await call(['api', 'POST', '/api/v1/transcriptions', '--jq', filter]);
    expect({ code, stdout, asked }).toEqual({ code: 2, stdout: '', asked: [] });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'USAGE', message: expect.stringMatching(/^--jq: /) } });
  });

  it('reports that the command succeeded if only its output fails, and quotes no value', async () => {
    const answer = succeeded({ ...page, next_cursor: 'canary-patient' });
    const { code, stderr, asked } = await call(
      ['api', 'GET', '/api/v1/jobs', '--jq', '.next_cursor | tonumber'],
      answer,
    );
    expect({ code, asked: asked.length }).toEqual({ code: 2, asked: 1 });
    expect(JSON.parse(stderr)).toMatchObject({ error: { hint: expect.stringContaining('The command succeeded') } });
    expect(stderr).not.toContain('canary');
  });
});

describe('api', () => {
  const post = ['api', 'POST', '/api/v1/transcriptions'];
  const bodyOf = async (...words: string[]): Promise<unknown> => {
    const { asked, stderr } = await call([...post, ...words], succeeded({}, 201));
    return asked.length === 1 ? JSON.parse(asked[0]!.body) : stderr;
  };

  it('-f is text, -F is typed, and both are nested by their names, as those of gh', async () => {
    const directory = await mkdtemp(join(cli.directory, 'api-'));
    const file = join(directory, 'words.txt');
    await writeFile(file, 'from a file\n');
    expect(await bodyOf('-f', 'a=1', '-f', 'b=true', '-f', 'c=@x', '-f', 'd=')).toEqual({
      a: '1',
      b: 'true',
      c: '@x',
      d: '',
    });
    expect(await bodyOf('-F', 'a=1', '-F', 'b=true', '-F', 'c=null', '-F', 'd=word', '-F', 'e=["x"]')).toEqual({
      a: 1,
      b: true,
      c: null,
      d: 'word',
      e: ['x'],
    });
    expect(await bodyOf('-F', `a=@${file}`, '-F', 'b=@-')).toEqual({ a: 'from a file\n', b: 'from stdin' });
    expect(await bodyOf('-f', 'a[b][c]=1', '-F', 'a[d]=2', '-f', 'e[]=x', '-F', 'e[]=3')).toEqual({
      a: { b: { c: '1' }, d: 2 },
      e: ['x', 3],
    });
    expect(await bodyOf('-f', 'a[][b]=1', '-f', 'a[][c]=2', '-F', 'a[][b]=3', '-f', 'none[]')).toEqual({
      a: [{ b: '1', c: '2' }, { b: 3 }],
      none: [],
    });
    expect(await bodyOf('-F', 'id=12345678901234567890')).toEqual({ id: '12345678901234567890' });
    expect(JSON.stringify(await bodyOf('-f', '__proto__[x]=1'))).toBe('{"__proto__":{"x":"1"}}');
  });

  it.each([
    [['-f', 'x'], '-f takes NAME=VALUE.'],
    [['-F', '=x'], '-F takes NAME=VALUE.'],
    [['-f', 'a[=x'], 'a[ is not a valid field name.'],
    [['-f', 'a=x', '-f', 'a[b]=y'], 'a[b] contradicts another field.'],
    [['-f', 'a=x', '-F', 'a=2'], 'A list is a[]=… for each of its values.'],
    [['-f', 'a[b]=x', '-f', 'a=y'], 'a is given twice.'],
    [['-F', 'a=@missing.txt'], 'missing.txt does not exist.'],
    [['-F', 'a=@-', '--input', '-'], 'Standard input can be read only once.'],
  ] as const)('%j is refused, and nothing is sent', async (words, said) => {
    const { code, stderr, asked } = await call([...post, ...words]);
    expect({ code, asked }).toEqual({ code: 2, asked: [] });
    expect(stderr).toContain(said);
  });

  it('puts the fields of a GET into the query', async () => {
    const { asked } = await call(['api', 'GET', '/api/v1/jobs', '-f', 'status=failed', '-F', 'limit=3']);
    expect(String(asked[0]!.query)).toBe('status=failed&limit=3');
  });

  it.each([
    [['/api/v1/jobs'], 'GET', '/api/v1/jobs', ''],
    [['jobs'], 'GET', '/api/v1/jobs', ''],
    [['GET', 'api/v1/jobs'], 'GET', '/api/v1/jobs', ''],
    [['/api/v1/jobs', '-f', 'status=failed'], 'GET', '/api/v1/jobs', 'status=failed'],
    [['/api/v1/jobs?status=failed&limit=3'], 'GET', '/api/v1/jobs', 'status=failed&limit=3'],
    [['/api/v1/jobs?limit=3#part', '-f', 'status=failed'], 'GET', '/api/v1/jobs', 'limit=3&status=failed'],
    [
      ['/api/v1/worklists/items?status=new&status=completed'],
      'GET',
      '/api/v1/worklists/items',
      'status=new&status=completed',
    ],
    [
      ['/api/v1/worklists/items', '-f', 'status[]=new', '-f', 'status[]=completed'],
      'GET',
      '/api/v1/worklists/items',
      'status=new&status=completed',
    ],
    [['/api/v1/worklists/items?q=a%20b%3F'], 'GET', '/api/v1/worklists/items', 'q=a+b%3F'],
    [['-X', 'get', '/api/v1/jobs'], 'GET', '/api/v1/jobs', ''],
    [['/api/v1/transcriptions', '-f', 'language=en-US'], 'POST', '/api/v1/transcriptions', ''],
    [['/api/v1/worklists/ingest', '--input', '-'], 'POST', '/api/v1/worklists/ingest', ''],
    [['-X', 'DELETE', '/api/v1/jobs/job_1'], 'DELETE', '/api/v1/jobs/job_1', ''],
  ] as const)('%j is a %s of %s', async (words, method, path, query) => {
    reply = () => succeeded(method === 'GET' ? page : {}, method === 'POST' ? 201 : 200);
    const before = server.asked.length;
    await cli.call(['api', ...words], { env: { LAUDIO_SERVER: server.url }, input: '{"items": []}' });
    const [asked] = server.asked.slice(before);
    expect([asked?.method, asked?.path, String(asked?.query)]).toEqual([method, path, query]);
  });

  it('sends the bytes of a call that takes them, and its fields in the query', async () => {
    reply = () => succeeded({}, 202);
    const before = server.asked.length;
    const sound = join(cli.directory, 'sound.bin');
    await writeFile(sound, Uint8Array.of(0xff, 0xfe, 0x00, 0x80));
    for (const option of ['--input', '--audio']) {
      const words = ['/api/v1/medical-records/dictations', option, sound, '-f', 'language=en-US'];
      await cli.call(['api', ...words], { env: { LAUDIO_SERVER: server.url } });
    }
    const sent = server.asked.slice(before).map(({ query, bytes }) => [String(query), ...bytes]);
    const expected = ['language=en-US', 0xff, 0xfe, 0x00, 0x80];
    expect(sent).toEqual([expected, expected]);
  });

  it('takes a whole address of the server of the login, and of no other', async () => {
    const { asked } = await call(['api', `${server.url.replace('127.0.0.1', 'LOCALHOST')}/api/v1/jobs?limit=2`]);
    expect([asked[0]!.path, String(asked[0]!.query)]).toEqual(['/api/v1/jobs', 'limit=2']);
    for (const other of ['https://canary.example/api/v1/jobs', `${server.url}0/api/v1/jobs`]) {
      const refused = await call(['api', other]);
      expect({ code: refused.code, asked: refused.asked }).toEqual({ code: 2, asked: [] });
      expect(refused.stderr).toContain(`is not the server of this login.\n  That is ${server.url}`);
    }
  });

  it.each([
    [['GTE', '/api/v1/jobs'], 'Did you mean GET?'],
    [['-X', 'DELTE', '/api/v1/jobs'], 'Did you mean DELETE?'],
    [['/api/v1/job'], 'Did you mean /api/v1/jobs?'],
    [['/api/v1/medical-record/rec_01JNBK4V9Q0000000000000000'], 'Did you mean /api/v1/medical-records/{id}?'],
    [
      ['/api/v1/medical-records/rec_1', '-f', 'status=final'],
      'takes GET, PUT, DELETE, not POST.\n  Name the method: -X METHOD.',
    ],
    [['-X', 'GET', '/api/v1/jobs', '--input', '-'], 'A GET has no body.'],
    [['/api/v1/jobs', '-f', 'a[b]=c'], 'takes lists, but no nested values'],
    [['POST', '/api/v1/transcriptions', '-X', 'PUT'], 'The method is given twice.'],
  ])('%j is refused with a suggestion', async (words, said) => {
    const { code, stderr, asked } = await call(['api', ...words]);
    expect({ code, asked }).toEqual({ code: 2, asked: [] });
    expect(stderr).toContain(said);
  });

  it.each([
    ['/api/v1/jobs?limit=1', { items: [], next_cursor: 'c1' }, 'cursor=c1', { items: [], next_cursor: null }],
    ['/api/v1/jobs', { items: [], next_cursor: 'c1' }, 'cursor=c1', { items: [], next_cursor: null }],
  ])('--paginate asks %s for the next page until there is none', async (path, first, cursor, last) => {
    const before = server.asked.length;
    reply = ({ query }) => succeeded(String(query).includes(cursor) ? last : first);
    const { stdout } = await cli.call(['api', path, '--paginate'], { env: { LAUDIO_SERVER: server.url } });
    expect(JSON.parse(stdout)).toEqual(last);
    expect(server.asked.slice(before)).toHaveLength(2);
  });

  it('prints and filters a document in JSON that has no envelope', async () => {
    const answer = { status: 200, body: { info: { version: '1' } } };
    expect((await call(['api', '/openapi.json', '--jq', '.info.version'], answer)).stdout).toBe('1\n');
    expect(JSON.parse((await call(['api', '/openapi.json', '--json'], answer)).stdout)).toEqual(answer.body);
  });

  it('-i prints the status and the headers before the answer, of a refusal as well', async () => {
    const told = { ...succeeded(page), headers: { 'x-ratelimit-remaining': '41' } };
    const { stdout } = await call(['api', 'GET', '/api/v1/jobs', '-i'], told);
    const [head, body] = stdout.split('\n\n');
    expect(head).toMatch(/^HTTP\/1\.1 200\n[^]*x-ratelimit-remaining: 41/);
    expect(JSON.parse(body!)).toEqual(page);
    const refused = failed(404, 'NOT_FOUND', undefined, { 'x-thing': 'here' });
    const { code, stdout: other } = await call(['api', 'GET', '/api/v1/jobs', '-i'], refused);
    expect(code).toBe(3);
    expect(other).toMatch(/^HTTP\/1\.1 404\n[^]*x-thing: here[^]*\n\n$/);
  });
});

describe('on stderr', () => {
  it('--json prints one object that includes the retries', async () => {
    const busy = failed(503, 'SERVER_BUSY');
    const { code, stderr, asked } = await call(['job', 'list', '--json', '--retries', '1'], busy);
    expect({ code, asked: asked.length }).toEqual({ code: 8, asked: 2 });
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        code: 'SERVER_BUSY',
        exit_code: 8,
        notices: [expect.stringMatching(/Retrying in \d+ s \(1 of 1\)\./)],
      },
    });
  });

  it('is in JSON by the variable as well, for words that are not understood', async () => {
    const { stderr } = await call(['lisst'], undefined, { LAUDIO_OUTPUT: 'json' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'USAGE' } });
  });

  it('--verbose shows calls and settings, but no tokens or search terms', async () => {
    const { stderr } = await call(['worklist', 'list', '--q', 'canary-patient', '--verbose']);
    expect(stderr).toMatch(new RegExp(`^Settings: server ${server.url} \\(LAUDIO_SERVER\\)`));
    expect(stderr).toContain(`> GET ${server.url}/api/v1/worklists/items?q=…&limit=…\n< 200, application/json after `);
    expect(stderr).not.toContain('canary');
  });
});

describe('a proxy', () => {
  /** Answers for every host; its address holds a password. */
  const withProxy = async (answer: Reply, work: (env: NodeJS.ProcessEnv, proxy: TestServer) => Promise<void>) => {
    const proxy = await startHttpServer(() => answer);
    const address = `${proxy.url.replace('//', '//user:canary-password@')}`;
    try {
      await work({ HTTP_PROXY: address, LAUDIO_SERVER: 'http://laudio.example' }, proxy);
    } finally {
      await proxy.close();
    }
  };
  const list = ['api', 'GET', '/api/v1/jobs', '--retries', '0'];

  it('receives traffic to other hosts, with its password, which is never shown', () =>
    withProxy(succeeded(page), async (env, proxy) => {
      const { code, stderr } = await call([...list, '--verbose'], undefined, env);
      expect(code).toBe(0);
      expect(proxy.asked[0]!.headers).toMatchObject({
        host: 'laudio.example',
        'proxy-authorization': `Basic ${Buffer.from('user:canary-password').toString('base64')}`,
      });
      expect(stderr).not.toContain('canary');
    }));

  it('is left out for this computer and for the hosts of NO_PROXY, but with <-loopback>', () =>
    withProxy(succeeded(page), async (env, proxy) => {
      const here = { ...env, LAUDIO_SERVER: server.url };
      expect((await call(list, succeeded(page), here)).asked).toHaveLength(1);
      expect(proxy.asked).toHaveLength(0);
      await call(list, succeeded(page), { ...env, NO_PROXY: 'other.example,laudio.example' });
      expect(proxy.asked).toHaveLength(0);
      expect((await call(list, succeeded(page), { ...here, no_proxy: '<-loopback>' })).asked).toHaveLength(0);
      expect(proxy.asked).toHaveLength(1);
    }));

  it('that refuses or is gone is named without its password', async () => {
    await withProxy({ status: 407 }, async (env, proxy) => {
      const { code, stderr } = await call(list, undefined, env);
      expect(code).toBe(8);
      expect(stderr).toContain(`by the proxy ${new URL(proxy.url).host}: the proxy wants another name or password.`);
      expect(stderr).not.toContain('canary');
    });
    const gone = { HTTPS_PROXY: 'http://user:canary@127.0.0.1:9', LAUDIO_SERVER: 'https://laudio.example' };
    const { code, stderr } = await call(list, undefined, gone);
    expect(code).toBe(8);
    expect(stderr).toContain(
      'https://laudio.example could not be reached by the proxy 127.0.0.1:9: nothing is listening',
    );
    expect(stderr).not.toContain('canary');
  });

  it('lets https through its tunnel, where it knows the name and the password', async () => {
    const [key, cert] = await Promise.all(['key', 'pem'].map((ending) => readFile(new URL(`proxy.${ending}`, tls))));
    const target = createTlsServer({ key: key!, cert: cert! }, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(succeeded(page).body));
    }).listen(0, '127.0.0.1');
    const asked: (string | undefined)[] = [];
    const proxy = createServer()
      .on('connect', ({ url, headers }, socket) => {
        asked.push(url);
        if (!headers['proxy-authorization']) return void socket.end('HTTP/1.1 407 Who are you?\r\n\r\n');
        const there = connect((target.address() as AddressInfo).port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Go\r\n\r\n');
          there.pipe(socket).pipe(there);
        });
        for (const end of [socket, there]) end.on('error', () => undefined);
      })
      .listen(0, '127.0.0.1');
    await Promise.all([target, proxy].map((each) => each.listening || once(each, 'listening')));
    const { port } = proxy.address() as AddressInfo;
    const env = (name: string) => ({
      LAUDIO_SERVER: 'https://laudio.example.test',
      HTTPS_PROXY: `http://${name}127.0.0.1:${port}`,
      NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('proxy.pem', tls)),
    });
    const known = await cli.run(list, { env: env('user:canary@') });
    expect(known).toMatchObject({ code: 0, stderr: '' });
    const unknown = await cli.run(list, { env: env('') });
    expect(unknown).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('the proxy wants another name or password'),
    });
    expect(asked).toEqual(['laudio.example.test:443', 'laudio.example.test:443']);
    for (const each of [target, proxy]) {
      each.close();
      each.closeAllConnections();
    }
  });

  it.each(['http://[canary', 'ftp://canary'])('of %s is no address', async (address) => {
    const { code, stderr } = await call(list, undefined, { http_proxy: address });
    expect(code).toBe(2);
    expect(stderr).toContain('HTTP_PROXY is not the address of a proxy.');
    expect(stderr).not.toContain('canary');
  });
});
