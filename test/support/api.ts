/**
 * The whole server, asked as its clients ask it. Tokens come from the real authorize redirect, forms included, and every
 * answer is held against the OpenAPI document that such a server gives. The work of each transaction runs twice, and the store
 * answers late and out of order, and no test may notice.
 */
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, vi } from 'vitest';
import { recognisers, writers } from '../../server/speech/registry.ts';
import { openapiDocument } from '../../server/http/openapi.ts';
import { builtInTestClient, createServer } from '../../server/index.ts';
import type { KeyOptions, Log, Server, ServerOptions } from '../../server/index.ts';
import { blobStores, documentStores } from '../../server/storage/registry.ts';
import type { Store } from '../../server/storage/store.ts';
import { buildAddress, formEncode } from '../../src/client/address.ts';
import type { Client, User } from '../../src/contract/admin.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import type { Job } from '../../src/contract/job.ts';
import type { TokenResponse } from '../../src/contract/oauth.ts';
import type { GenerateRequest } from '../../src/contract/record.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import type { IngestResult } from '../../src/contract/worklist.ts';
import { manualClock } from '../../src/domain/clock.ts';
import type { Clock, ManualClock, MovableClock } from '../../src/domain/clock.ts';
import { cheapSecrets } from './cheap-secrets.ts';
import type { Cluster } from './cluster.ts';
import { createConformance } from './conformance.ts';
import type { Conformance, OpenApiDocument } from './conformance.ts';
import type { ControlledEngine } from './controlled-engine.ts';
import { chooseDefaultStore } from './default-store.ts';
import { answerLate, drawTurns } from './late-store.ts';
import { workTwice } from './work-twice.ts';

export const startOfTests = '2026-03-02T11:30:00.000Z';

export interface ApiOptions {
  readonly clock?: ManualClock;
  /** The clock of a simulated time, in its place. */
  readonly simulated?: MovableClock;
  readonly seed?: string;
  readonly accessTokenTtl?: number;
  /** Requests a minute and client; none unless given. */
  readonly rateLimit?: number;
  /** Keeps documents and audio there instead of in memory. */
  readonly dataDir?: string;
  /** Which stores the operator chose; default: those of the data directory, or without one those in memory. */
  readonly stores?: Pick<ServerOptions, 'store' | 'blobs'>;
  /** Encrypts them. */
  readonly key?: KeyOptions;
  /** Puts something between the server and its store, which runs all work twice. */
  readonly store?: (real: Store) => Store;
  /** Which other servers share its store and its audio, both in memory. */
  readonly cluster?: Cluster;
  /** Whether that store answers at once, for tests that move the clock in step with what the server does. Default: late. */
  readonly isPrompt?: boolean;
  /** Hears test clients, and writes for everybody. */
  readonly engine?: ControlledEngine;
  /** An app beside the API, and the speech models that it offers. */
  readonly mount?: NonNullable<ServerOptions['mount']>;
  readonly models?: NonNullable<ServerOptions['models']>;
  /** What the pages of whoever runs the server are entered by; none unless given. */
  readonly setupCode?: string;
  /** Which engines the operator chose. */
  readonly recogniser?: NonNullable<ServerOptions['recogniser']>;
  readonly writer?: NonNullable<ServerOptions['writer']>;
  /** Whether test clients have the recogniser of all others. */
  readonly testReal?: boolean;
  /** Whether misheard words are looked for; no, unless given: dictionaries take a second to open. */
  readonly lexicon?: boolean;
  /** How processes are started. */
  readonly launch?: NonNullable<ServerOptions['launch']>;
  /** How long what is over is kept, in ms. */
  readonly retention?: NonNullable<ServerOptions['retention']>;
  /** What the hashes of secrets cost; hardly anything unless given. */
  readonly secretCosts?: NonNullable<ServerOptions['secretCosts']>;
  /** Bytes that it may take. */
  readonly memory?: number;
  /** Takes an entry for each call. */
  readonly callLog?: Log;
  /** The token of a monitor. */
  readonly monitorToken?: string;
  /** The operator's token, the same for several servers. */
  readonly operatorToken?: string;
  /** The address at which browsers reach it, or the several servers. */
  readonly publicUrl?: string;
  /** Whether the built-in test client is there although others can reach it. */
  readonly testClient?: boolean;
  /** Faults from the start on. */
  readonly faults?: NonNullable<ServerOptions['faults']>;
  /** Backups by schedule. */
  readonly backups?: NonNullable<ServerOptions['backups']>;
  /** How the operator is called. */
  readonly alarm?: NonNullable<ServerOptions['alarm']>;
  /** Zone of times of exams that name none. */
  readonly timeZone?: string;
  /** How long an answer may lie unread. */
  readonly writeLimits?: NonNullable<ServerOptions['writeLimits']>;
  /** Origins of viewers whose pages call the hub. */
  readonly viewerOrigins?: NonNullable<ServerOptions['viewerOrigins']>;
  /** The hub of another system. */
  readonly hub?: NonNullable<ServerOptions['hub']>;
  /** Listens on a free port as well. */
  readonly listen?: boolean;
}

export interface Ask {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Text and bytes go as they are, anything else as the endpoint takes it. */
  readonly body?: unknown;
  /** `null`: none. Default: the one that the endpoint needs, with every scope. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Data of a success; a test that expects a failure has no use for it. */
export type DataOf<E extends Endpoint> = TypeOf<E['responses'][keyof E['responses']]>;

export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed body, where it is JSON. */
  readonly json: Record<string, unknown>;
  readonly data: T;
  readonly error: { code: string; message: string; details: Record<string, unknown> & { errors: FieldError[] } };
}

/** A client with its secret, and where its codes go. */
export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
}

export interface Api {
  readonly server: Server;
  readonly clock: ManualClock;
  readonly document: OpenApiDocument;
  /** What the operator was told. */
  readonly logged: Parameters<Log>[0][];
  /** The built-in test client's, with every scope. */
  readonly token: string;
  call<E extends Endpoint>(endpoint: E, ask?: Ask): Promise<Answer<DataOf<E>>>;
  /** Any request at all; held against the document like the others. */
  send(request: InjectOptions): Promise<Answer>;
  tokens(wish?: { client?: Credentials; scopes?: readonly Scope[]; login?: Login }): Promise<TokenResponse>;
  createClient(fields?: Partial<Omit<Client, 'id'>>): Promise<Credentials & { space: string }>;
  createUser(fields: { username: string; password: string; space?: string; display_name?: string }): Promise<User>;
  ingest(body: unknown, ask?: Omit<Ask, 'body'>): Promise<IngestResult>;
  /** Ingests one exam and gives its id. */
  exam(fields?: Readonly<Record<string, unknown>>, ask?: Omit<Ask, 'body'>): Promise<string>;
  generate(body?: GenerateRequest, ask?: Omit<Ask, 'body'>): Promise<MedicalRecord>;
  /** Asks for a record later. */
  enqueue(body?: GenerateRequest, ask?: Omit<Ask, 'body'>): Promise<Job>;
  /** How many documents of each kind are stored, without the audit trail, whose entries come up to a second late. */
  stored(): Promise<Readonly<Record<string, number>>>;
  /** The job once it has ended. */
  ended(id: string, ask?: Ask): Promise<Job>;
  close(): Promise<void>;
}

export interface Login {
  readonly username: string;
  readonly password: string;
  readonly decision?: 'approve' | 'deny';
}

export const dictated = 'Test Patient. Findings: lungs are clear, no effusion. Impression: normal examination.';

let examNumber = 0;

/** A complete exam of its own; what is given replaces or adds fields. */
export const examFields = (fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  accession_number: `SL-${++examNumber}`,
  patient_id: '0045871',
  patient_name: 'TESTE^PACIENTE',
  modality: 'CT',
  exam_datetime: '2026-03-02T08:30:00-03:00',
  exam_description: 'TC de tórax sem contraste',
  ...fields,
});

/** `atEnd` says when the server is closed: after the file, or `onTestFinished` after the test. */
export async function startApi(
  options: ApiOptions = {},
  atEnd: (close: () => Promise<void>) => void = afterAll,
): Promise<Api> {
  const clock = options.clock ?? manualClock(Date.parse(startOfTests));
  const logged: Api['logged'] = [];
  const { simulated, ...rest } = options;
  const server = await startServer({ ...rest, clock: simulated ?? clock }, (entry) => void logged.push(entry));
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= server.close());
  atEnd(close);

  const { document, conformance } = (described ??= describeAnswers());
  const send = sender(server, conformance);
  const defaultTokens: Record<Endpoint['access'], string | null> = {
    public: null,
    client: null,
    admin: server.adminToken,
    bearer: null,
  };
  const call = <E extends Endpoint>(endpoint: E, ask: Ask = {}) =>
    send(requestOf(endpoint, ask, defaultTokens)) as Promise<Answer<DataOf<E>>>;
  const tokens: Api['tokens'] = (wish = {}) => logIn(send, call, wish);
  const { access_token: token } = await tokens();
  defaultTokens.bearer = token;
  return { server, clock, document, logged, token, call, send, tokens, close, ...shortcuts(call) };
}

/**
 * The document that every server gives as /openapi.json (test/server/http/openapi.test.ts). It is made of the contract alone,
 * so one is made, and its schemas are compiled once, for all servers of a process.
 */
let described: ReturnType<typeof describeAnswers> | undefined;
function describeAnswers() {
  const document = JSON.parse(JSON.stringify(openapiDocument(contract, version))) as OpenApiDocument;
  return { document, conformance: createConformance(document) };
}

const version = '0.0.0-test';

async function startServer(
  {
    store = (real) => real,
    isPrompt = false,
    cluster,
    engine,
    listen,
    dataDir,
    stores,
    ...options
  }: Omit<ApiOptions, 'clock'> & { clock: Clock },
  log: Log,
): Promise<Server> {
  const inMemory = { store: { use: 'memory' }, blobs: { use: 'memory' } };
  const byDefault: Pick<ServerOptions, 'blobs'> & Required<Pick<ServerOptions, 'store'>> = cluster
    ? inMemory
    : dataDir === undefined
      ? chooseDefaultStore()
      : { store: { use: 'lowdb' } };
  const chosen = { ...byDefault, ...stores };
  // All open alike; each has options of its own.
  const kind = documentStores[chosen.store.use.split(':')[0] as 'memory'];
  const { open } = kind;
  // The registries are where a server gets its parts from; nothing else has to know of the test.
  const spies = [
    vi.spyOn(kind, 'open').mockImplementation(async (wish, deps) => {
      const opened = { ...(await open(wish, deps)), ...cluster?.open() };
      return {
        ...opened,
        store: store(isPrompt ? workTwice(opened.store) : answerLate(workTwice(opened.store), drawTurns(2))),
      };
    }),
    cluster && vi.spyOn(blobStores.memory, 'open').mockImplementation(async () => cluster.openBlobs()),
    engine && vi.spyOn(recognisers.simulated, 'create').mockResolvedValue(engine),
    engine && vi.spyOn(writers.rules, 'create').mockResolvedValue(engine),
  ];
  try {
    return await createServer({
      version,
      rateLimit: 0,
      secretCosts: cheapSecrets,
      lexicon: false,
      log,
      ...chosen,
      ...options,
      ...(dataDir !== undefined && { dataDir }),
      ...(listen === true && { port: 0 }),
    });
  } finally {
    for (const spy of spies) spy?.mockRestore();
  }
}

function requestOf(
  endpoint: Endpoint,
  ask: Ask,
  defaultTokens: Record<Endpoint['access'], string | null>,
): InjectOptions {
  const { body, token = defaultTokens[endpoint.access] } = ask;
  const isForm = endpoint.bodyTypes?.[0] === 'application/x-www-form-urlencoded';
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const payload = isRaw ? body : isForm ? formEncode(body as Record<string, unknown>) : JSON.stringify(body);
  return {
    method: endpoint.method,
    url: buildAddress('', endpoint.path, ask),
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': endpoint.bodyTypes?.[0] ?? 'application/json' }),
      ...ask.headers,
    },
    ...(body !== undefined && { payload: payload as string | Buffer }),
  };
}

/** Throws where an answer is not what the document says. */
function sender(server: Server, conformance: Conformance): Api['send'] {
  return async (request) => {
    const response = await server.inject(request);
    const method = request.method ?? 'GET';
    const path = String(request.url);
    const problems = conformance({
      method,
      path,
      status: response.statusCode,
      headers: response.headers,
      body: response.body,
    });
    if (problems.length > 0) {
      throw new Error(
        `${method} ${path} answered ${response.statusCode} ${response.body.slice(0, 500)}\n${problems.join('\n')}`,
      );
    }
    return answerOf(response);
  };
}

function answerOf({ statusCode, headers, body }: LightMyRequestResponse): Answer {
  const isJson = /^application\/json\b/.test(String(headers['content-type'] ?? '')) && body !== '';
  const json = (isJson ? JSON.parse(body) : {}) as Record<string, unknown>;
  return {
    status: statusCode,
    headers: headers as Answer['headers'],
    text: body,
    json,
    data: json['data'],
    error: json['error'] as Answer['error'],
  };
}

/** The answer's data, where it has the status. */
export function succeeded<T>(answer: Answer<T>, status = 200): T {
  if (answer.status !== status) throw new Error(`Expected ${status}, not ${answer.status}: ${answer.text}`);
  return answer.data;
}

function shortcuts(
  call: Api['call'],
): Pick<Api, 'createClient' | 'createUser' | 'ingest' | 'exam' | 'generate' | 'enqueue' | 'stored' | 'ended'> {
  const { clients, users, worklists, records, jobs, system } = contract;
  const ingest: Api['ingest'] = async (body, ask) =>
    succeeded(await call(worklists.endpoints.ingest, { ...ask, body }));
  return {
    ingest,
    async createClient(fields) {
      const redirect_uri = 'http://127.0.0.1/callback';
      const body = { name: 'RIS São Lucas', redirect_uris: [redirect_uri], ...fields };
      const { id, secret, space } = succeeded(await call(clients.endpoints.create, { body }), 201);
      return { client_id: id, client_secret: secret ?? '', redirect_uri: body.redirect_uris[0]!, space };
    },
    createUser: async (body) => succeeded(await call(users.endpoints.create, { body }), 201),
    exam: async (fields, ask) => (await ingest(examFields(fields), ask)).items[0]?.id ?? '',
    generate: async (body = { text: dictated }, ask) =>
      succeeded(await call(records.endpoints.generate, { ...ask, body }), 201) as MedicalRecord,
    enqueue: async (body = { text: dictated }, ask) =>
      succeeded(await call(records.endpoints.generate, { ...ask, body: { ...body, mode: 'async' } }), 202) as Job,
    async stored() {
      const { audit: _audit, audit_head: _head, ...documents } = succeeded(await call(system.endpoints.status)).stored;
      return documents as Record<string, number>;
    },
    async ended(id, ask) {
      for (let tries = 0; tries < 10_000; tries++) {
        const job = succeeded(await call(jobs.endpoints.get, { ...ask, params: { id } }));
        if (job.finished_at !== null) return job;
        await new Promise((resolve) => setImmediate(resolve));
      }
      throw new Error(`The job ${id} does not end`);
    },
  };
}

/** Parameters of the redirect that ends an authorization. */
export const redirectOf = ({ headers }: Pick<Answer, 'headers'>): Record<string, string> =>
  Object.fromEntries(URL.parse(headers['location'] ?? '', 'http://localhost')?.searchParams ?? []);

/** A complete authorization request. */
export const authorizeQuery = (
  { client_id, redirect_uri }: Omit<Credentials, 'client_secret'> = builtInTestClient,
  scopes: readonly Scope[] = allScopes,
) => ({
  response_type: 'code',
  client_id,
  redirect_uri,
  scope: scopes.join(' '),
  state: 'a state/with+odd & signs',
});

async function logIn(
  send: Api['send'],
  call: Api['call'],
  { client = builtInTestClient, scopes, login }: NonNullable<Parameters<Api['tokens']>[0]>,
): Promise<TokenResponse> {
  const { authorize, token } = contract.oauth.endpoints;
  const begun = await call(authorize, { query: authorizeQuery(client, scopes) });
  const { code } = redirectOf(login ? await fillForms(send, begun, login) : begun);
  const { client_id, client_secret, redirect_uri } = client;
  const answer = await call(token, {
    body: { grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri },
  });
  if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${answer.text}`);
  return answer.json as TokenResponse;
}

/** From the redirect to the login page to the one that leaves the consent page, as a browser goes. */
export async function fillForms(
  send: Api['send'],
  begun: Answer,
  { username, password, decision = 'approve' }: Login,
): Promise<Answer> {
  const origin = 'http://localhost';
  const visit = async (from: Answer, fields: Readonly<Record<string, string>>): Promise<Answer> => {
    const headers = { host: 'localhost', cookie: String(from.headers['set-cookie']).split(';', 1)[0]! };
    const url = from.headers['location']!;
    const page = await send({ url, headers });
    const hidden = page.text.matchAll(/<input\s+type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g);
    return send({
      method: 'POST',
      url: url.split('?', 1)[0]!,
      headers: {
        ...headers,
        origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: formEncode({ ...Object.fromEntries(Array.from(hidden, ([, name, value]) => [name, value])), ...fields }),
    });
  };
  return visit(await visit(begun, { username, password }), { decision });
}
