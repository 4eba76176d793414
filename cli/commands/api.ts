import type { Caller } from '../../src/client/client.ts';
import type { IncomingAnswer, Transport } from '../../src/client/transport.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { endpointAt } from '../../src/contract/endpoint-at.ts';
import type { FoundEndpoint } from '../../src/contract/endpoint-at.ts';
import type { SessionsDeps } from '../../src/node/login/session.ts';
import { parseFields, queryOf } from '../resources/api-fields.ts';
import type { FieldOptions } from '../resources/api-fields.ts';
import { defineCommand, flag, list, required, text } from '../command.ts';
import type { Context } from '../context.ts';
import { outgoingFile, readJson, readText } from '../shell/input-file.ts';
import { outputOption, save } from '../shell/output-file.ts';
import { printJson, render } from '../shell/render.ts';

/** Maximum size of a JSON body read from a file. */
const bodyBytes = 64 * 1024 * 1024;

export const command = defineCommand({
  description:
    'PATH is a path of the contract with its ids filled in. Fields go into the query of a GET and into the JSON body of other methods; name[key]=… and name[]=… build objects and lists. The answer’s data is printed as JSON.',
  arguments: { method: required('GET, POST, PUT, PATCH or DELETE'), path: required('/api/v1/…') },
  options: {
    rawField: list('A field whose value is text', { short: 'f', placeholder: 'NAME=VALUE' }),
    field: list('A field whose value is JSON: a number, true, null, a list; @FILE is the text of a file', {
      short: 'F',
      placeholder: 'NAME=VALUE',
    }),
    input: text('File with the JSON body, or - for standard input', { placeholder: 'FILE' }),
    audio: text('Audio file, if the call takes one', { placeholder: 'FILE' }),
    header: list('An additional header', { short: 'H', placeholder: 'NAME:VALUE' }),
    include: flag('Print the status and the headers of the answer before it', { short: 'i' }),
    paginate: flag('Fetch every page of a collection'),
    envelope: flag('Print the whole answer: success, data and meta'),
    ...outputOption,
  },
  examples: [
    ['laudio api GET /api/v1/jobs -f status=failed --paginate', 'every failed job'],
    ['laudio api PUT /api/v1/medical-records/rec_… -f status=final', 'sign a record'],
    ['laudio api GET /api/v1/worklists/items -i', 'the headers show the remaining rate limit'],
  ],
  async run(context, input) {
    const { endpoint, params } = find(input.method, input.path);
    const { io, signal } = context;
    const request = await buildRequest(context, endpoint, params, input);
    const { call, head } = await observedCaller(context, endpoint);
    const printHead = async (): Promise<void> => (input.include ? io.out(head()) : undefined);
    const headers = headersOf(input.header);
    const send = (query: Record<string, unknown>) => call(endpoint, { ...request, query }, { signal, headers });

    const answer = await send(request.query).catch(async (error: unknown) => {
      await printHead();
      throw error;
    });
    await printHead();
    if (!('data' in answer)) return render(io, await save(context, answer.body, input.output, !isText(answer.headers)));
    if (input.envelope) return printJson(io, { success: true, data: answer.data, meta: answer.meta });
    const data = answer.data as { items?: unknown[]; next_cursor?: string | null };
    while (input.paginate && data.items && data.next_cursor) {
      const next = (await send({ ...request.query, cursor: data.next_cursor })) as { data: typeof data };
      data.items.push(...(next.data.items ?? []));
      data.next_cursor = next.data.next_cursor ?? null;
    }
    return printJson(io, data);
  },
});

const isText = (headers: Readonly<Record<string, string>>): boolean =>
  /^(text\/|application\/[^;]*json)/.test(headers['content-type'] ?? '');

/** The endpoint of a path, and the ids in the path. */
function find(method: string, path: string): FoundEndpoint {
  const [route = '', query] = path.split('?', 2);
  if (query !== undefined) throw new AppError('USAGE', { message: 'Give query parameters with -f NAME=VALUE.' });
  const { found, methods } = endpointAt(method, route);
  if (found) return found;
  throw new AppError('USAGE', {
    message: methods.length > 0 ? `${route} takes ${methods.join(', ')}.` : `${route} is not a path of this API.`,
    hint: 'The paths are in /openapi.json of a server, and at /docs in a browser.',
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
  if (endpoint.method === 'GET') return { params, query: queryOf(fields) };
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
