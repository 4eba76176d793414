import { json } from 'node:stream/consumers';
import type { Caller } from '../../src/client/client.ts';
import type { IncomingAnswer, Transport } from '../../src/client/transport.ts';
import { AppError } from '../../src/contract/errors.ts';
import { streamTypes } from '../../src/contract/endpoint.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { endpointAt } from '../../src/contract/endpoint-at.ts';
import type { FoundEndpoint } from '../../src/contract/endpoint-at.ts';
import type { SessionsDeps } from '../../src/node/login/session.ts';
import { parseFields, buildQuery } from '../resources/api-fields.ts';
import type { FieldOptions } from '../resources/api-fields.ts';
import { defineCommand, flag, list, optional, required, text } from '../command.ts';
import type { Context } from '../context.ts';
import { inputBytes, outgoingFile, readJson, readText } from '../shell/input-file.ts';
import { outputOption, save } from '../shell/output-file.ts';
import { printJson, render } from '../shell/render.ts';
import { suggestPath } from '../../src/domain/nearest-path.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

/** Maximum size of a JSON body read from a file. */
const bodyBytes = 64 * 1024 * 1024;

export const command = defineCommand({
  description:
    'As “gh api”: a path of the contract, such as /api/v1/jobs?status=failed, or a whole address of the server, with its ids filled in. Without a method the call is a GET; with fields or a body it is a POST, if the path takes one. Fields go into the JSON body, or into the query where there is none; name[key]=… and name[]=… build objects and lists. The answer’s data is printed as JSON.',
  arguments: {
    path: required('Path or address; a method may come before it'),
    rest: optional('Path, after a method'),
  },
  options: {
    method: text('GET, POST, PUT, PATCH or DELETE', { short: 'X', placeholder: 'METHOD' }),
    rawField: list('A field whose value is text', { short: 'f', placeholder: 'NAME=VALUE' }),
    field: list('A field whose value is JSON: a number, true, null, a list; @FILE is the text of a file', {
      short: 'F',
      placeholder: 'NAME=VALUE',
    }),
    input: text('File with the JSON body, or with the bytes for a call that takes them, or - for standard input', {
      placeholder: 'FILE',
    }),
    audio: text('Audio file, if the call takes one', { placeholder: 'FILE' }),
    header: list('An additional header', { short: 'H', placeholder: 'NAME:VALUE' }),
    include: flag('Print the status and the headers of the answer before it', { short: 'i' }),
    paginate: flag('Fetch every page of a collection'),
    envelope: flag('Print the whole answer: success, data and meta'),
    ...outputOption,
  },
  examples: [
    ['laudio api "/api/v1/jobs?status=failed" --paginate', 'every failed job'],
    ['laudio api /api/v1/jobs -f status=failed', 'the same as a field'],
    ['laudio api /api/v1/worklists/ingest --input samples/worklist.json', 'a POST, because it has a body'],
    ['laudio api -X PUT /api/v1/medical-records/rec_… -f status=final', 'sign a record'],
    ['laudio api /api/v1/worklists/items -i', 'the headers show the remaining rate limit'],
  ],
  async run(context, input) {
    const { method, word } = readWords(input);
    const { path, query } = await readTarget(context, word);
    const { endpoint, params } = find(method ?? defaultMethod(path, input), path, method !== undefined);
    const { io, signal } = context;
    const built = await buildRequest(context, endpoint, params, input);
    const request = { ...built, query: { ...query, ...built.query } };
    const { call, head } = await observedCaller(context, endpoint);
    const printHead = async (): Promise<void> => (input.include ? io.out(head()) : undefined);
    const headers = headersOf(input.header);
    const send = (query: Record<string, unknown>) => call(endpoint, { ...request, query }, { signal, headers });

    const answer = await send(request.query).catch(async (error: unknown) => {
      await printHead();
      throw error;
    });
    await printHead();
    if (!('data' in answer)) return printOther(context, answer, input.output);
    if (input.envelope) return printJson(io, { success: true, data: answer.data, meta: answer.meta });
    const data = answer.data as PageData;
    for (let next = input.paginate && nextPage(data); next; next = nextPage(data)) {
      const page = ((await send({ ...request.query, ...next })) as { data: PageData }).data;
      data.items?.push(...(page.items ?? []));
      for (const name of Object.keys(cursors)) if (name in data) data[name] = page[name] ?? null;
    }
    return printJson(io, data);
  },
});

/** An answer without the envelope: for a program, a document in JSON is one, too. */
async function printOther(
  context: Context,
  answer: Pick<IncomingAnswer, 'headers' | 'body'>,
  output: string | undefined,
): Promise<void> {
  if (context.io.output !== 'json' || output !== undefined || !/[/+]json\b/.test(answer.headers['content-type'] ?? ''))
    return render(context.io, await save(context, answer.body, output, !isText(answer.headers)));
  await printJson(context.io, await json(answer.body));
}

type PageData = { items?: unknown[]; [cursor: string]: unknown };

/** The parameter with which the value of a field of a page asks for the next one. */
const cursors = { next_cursor: 'cursor', next_before: 'before' } as const;

function nextPage(data: PageData): Record<string, unknown> | undefined {
  if (typeof data !== 'object' || data === null || !data.items) return undefined;
  const found = Object.entries(cursors).find(([name]) => (data[name] ?? null) !== null);
  return found && { [found[1]]: data[found[0]] };
}

const isText = (headers: Readonly<Record<string, string>>): boolean =>
  /^(text\/|application\/[^;]*json)/.test(headers['content-type'] ?? '');

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The words as typed: `METHOD PATH`, or `PATH`, with the method as an option. */
function readWords({ path: first, rest, method: option }: ApiWords): { method?: string; word: string } {
  const isPath = (word: string): boolean => /[/.:]/.test(word);
  const [named, word] = rest === undefined ? [option, first] : isPath(first) ? [rest, first] : [first, rest];
  const method = named?.toUpperCase();
  if (rest !== undefined && option !== undefined && option.toUpperCase() !== method)
    throw new AppError('USAGE', { message: 'The method is given twice.' });
  if (method === undefined) return { word };
  if (!methods.some((known) => known === method))
    throw unknownWord(`${String(named)} is not a method.`, method, methods, `Methods are ${methods.join(', ')}.`);
  return { method, word };
}

/** The path of an address, and its query. USAGE for an address of another server. */
async function readTarget(context: Context, word: string): Promise<{ path: string; query: Record<string, unknown> }> {
  const isAddress = /^https?:\/\//i.test(word);
  const [address = '', text = ''] = word
    .split('#', 1)
    .join()
    .split(/\?(.*)/s, 2);
  const query: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    query[name] = Object.hasOwn(query, name) ? [query[name], value].flat() : value;
  }
  if (!isAddress) return { path: wholePath(address), query };
  const servers = await listServers(context);
  const server = servers.find((each) => `${sameHost(address)}/`.startsWith(`${sameHost(each)}/`));
  if (server !== undefined) return { path: sameHost(address).slice(sameHost(server).length) || '/', query };
  throw new AppError('USAGE', {
    message: `${sameHost(address).split('/', 3).join('/')} is not the server of this login.`,
    hint: `That is ${servers.join(', ')}. Choose another login with --profile NAME, or log in there.`,
  });
}

/** `jobs` is `/api/v1/jobs`. */
function wholePath(word: string): string {
  const path = word.startsWith('/') ? word : `/${word}`;
  const isKnown = (each: string): boolean => endpointAt('GET', each).methods.length > 0;
  return !isKnown(path) && isKnown(`/api/v1${path}`) ? `/api/v1${path}` : path;
}

/** The addresses that the login and this computer's server have. */
async function listServers(context: Context): Promise<readonly string[]> {
  const { createSessions } = await import('../../src/node/login/session.ts');
  const found = await Promise.allSettled([
    context.settings.server ??
      context.deps().then((deps) =>
        createSessions(deps)
          .open()
          .then(({ server }) => server),
      ),
    context.localServer().then(({ url }) => url),
  ]);
  const servers = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (servers.length === 0 && found[0].status === 'rejected') throw found[0].reason;
  return [...new Set(servers)];
}

/** The address in one form: every name of this computer's loopback is the same host. */
const sameHost = (address: string): string =>
  address
    .replace(/^https?:\/\/[^/]*/i, (origin) => origin.toLowerCase())
    .replace(/^(https?:\/\/)(?:localhost|\[::1\])(?=[:/]|$)/, '$1127.0.0.1')
    .replace(/(?<!\/)\/+$/, '');

/** GET; POST with a body, and with fields where the path takes more than a GET. */
function defaultMethod(path: string, { rawField, field, input, audio }: ApiWords): string {
  const known: readonly string[] = endpointAt('GET', path).methods;
  if (input !== undefined || audio !== undefined) return 'POST';
  const hasFields = rawField.length + field.length > 0;
  return hasFields && known.some((method) => method !== 'GET') ? 'POST' : 'GET';
}

/** The endpoint of a path, and the ids in the path. */
function find(method: string, path: string, isChosen: boolean): FoundEndpoint {
  const { found, methods: taken } = endpointAt(method, path);
  if (found) return found;
  if (taken.length > 0) {
    throw new AppError('USAGE', {
      message: `${path} takes ${taken.join(', ')}${isChosen ? '' : `, not ${method}`}.`,
      hint: isChosen ? 'The calls are at /docs of a server.' : 'Name the method: -X METHOD.',
    });
  }
  const hint = [suggestPath(path), 'The paths are in /openapi.json of a server, and at /docs in a browser.'];
  throw new AppError('USAGE', {
    message: `${path} is not a path of this API.`,
    hint: hint.filter((sentence) => sentence !== undefined).join(' '),
  });
}

/** Calls the endpoint; `head` returns the head of the latest answer in HTTP/1.1 format. */
async function observedCaller(context: Context, endpoint: Endpoint): Promise<{ call: Caller; head: () => string }> {
  const deps = await context.deps();
  let latest: IncomingAnswer | undefined;
  const transport: Transport = async (request) => (latest = await deps.transport(request));
  return {
    call: await callerFor(context, { ...deps, transport }, endpoint),
    head: () => (latest ? headOf(latest) : ''),
  };
}

const headOf = ({ status, headers }: IncomingAnswer): string =>
  `${[`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n')}\n\n`;

async function callerFor(context: Context, deps: SessionsDeps, endpoint: Endpoint): Promise<Caller> {
  const [{ createCaller }, { clientOptions, createSessions }] = await Promise.all([
    import('../../src/client/client.ts'),
    import('../../src/node/login/session.ts'),
  ]);
  if (endpoint.access === 'bearer') return (await createSessions(deps).open()).call;
  if (endpoint.access === 'admin') {
    const { url, admin_token: token } = await context.localServer();
    return createCaller({ ...clientOptions(deps, url), adminToken: async () => token });
  }
  const server = context.settings.server ?? (await createSessions(deps).open()).server;
  return createCaller(clientOptions(deps, server));
}

interface ApiInput extends FieldOptions {
  readonly input: string | undefined;
  readonly audio: string | undefined;
}

interface ApiWords extends ApiInput {
  readonly path: string;
  readonly rest: string | undefined;
  readonly method: string | undefined;
}

async function buildRequest(
  { io }: Context,
  endpoint: Endpoint,
  params: Readonly<Record<string, string>>,
  options: ApiInput,
) {
  const { input, audio } = options;
  if (filesOf(options).filter((name) => name === '-').length > 1)
    throw new AppError('USAGE', { message: 'Standard input can be read only once.' });
  const fields = await parseFields(options, (name) => readText(io, name, bodyBytes));
  const isEmpty = Object.keys(fields).length === 0;
  if (endpoint.method === 'GET' || !endpoint.body) {
    if (endpoint.method === 'GET' && (input ?? audio) !== undefined)
      throw new AppError('USAGE', { message: 'A GET has no body.', hint: 'Name another method: -X METHOD.' });
    if (input === undefined) return { params, query: buildQuery(fields) };
  }
  if (takesBytes(endpoint)) {
    return {
      params,
      query: buildQuery(fields),
      ...(audio !== undefined && { file: await outgoingFile(io, audio) }),
      ...(input !== undefined && { body: inputBytes(io, input) }),
    };
  }
  const supplied = input === undefined ? undefined : await readJson(io, input, bodyBytes);
  if (Array.isArray(supplied) && !isEmpty)
    throw new AppError('USAGE', { message: 'Fields cannot be added to an array.' });
  const body = Array.isArray(supplied) ? supplied : { ...(supplied as object | undefined), ...fields };
  return {
    params,
    query: {},
    ...(audio !== undefined && { file: await outgoingFile(io, audio) }),
    ...((input !== undefined || !isEmpty || (endpoint.body && audio === undefined)) && { body }),
  };
}

/** Whether the body is a recording, a backup or lines, which are sent as they are. */
const takesBytes = ({ bodyTypes = [] }: Endpoint): boolean =>
  bodyTypes.length > 0 && bodyTypes.every((type) => streamTypes.some((each) => each === type));

const filesOf = ({ input, audio, field }: ApiInput): string[] => [
  ...[input, audio].filter((name) => name !== undefined),
  ...field.flatMap((text) => /^[^=]+=@(.*)$/s.exec(text)?.[1] ?? []),
];

function headersOf(supplied: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    supplied.map((header) => {
      const at = header.indexOf(':');
      const name = header.slice(0, at).trim();
      if (at < 1 || !/^[\w-]+$/.test(name)) throw new AppError('USAGE', { message: '-H takes NAME:VALUE.' });
      if (name.toLowerCase() === 'authorization') {
        throw new AppError('USAGE', {
          message: 'Don’t put a token on a command line: everybody on this computer can read it.',
          hint: 'Log in, or set LAUDIO_TOKEN.',
        });
      }
      return [name, header.slice(at + 1).trim()];
    }),
  );
}
