import { AppError } from '../../src/contract/errors.ts';
import { announceServer, findServer, withdrawServer } from '../../src/node/running-server.ts';
import type { RunningServer } from '../../src/node/running-server.ts';
import { settingValue } from '../../src/node/settings.ts';
import type { KeyOptions, Server, ServerOptions } from '../../server/index.ts';
import { appMount } from '../app-mount.ts';
import { command, flag, integer, list, text } from '../command.ts';
import type { Context } from '../context.ts';
import { keyOptions, passphraseOption } from '../data-key.ts';
import { printLine } from '../render.ts';

/** Tried first, so that the address stays the same from day to day. */
const usualPort = 8742;

export const serve = command({
  summary: 'Run the embedded server',
  description:
    'The whole API on this computer, with its own storage. It listens on loopback only unless --host says otherwise. Ctrl-C finishes what is running and stops.',
  options: {
    port: integer(`Port; 0 for any free one; default ${usualPort}, or a free one where that is taken`),
    host: text('Address to listen on; default 127.0.0.1', { placeholder: 'ADDRESS' }),
    allowHost: list('Name under which others reach it, as often as needed', { placeholder: 'NAME' }),
    allowWebhook: list('Private address or range to which webhooks may go, as often as needed', {
      placeholder: 'ADDRESS',
    }),
    rateLimit: integer('Requests a minute and client; 0 for none; default 100'),
    noTestClient: flag('Leave out the built-in test client'),
    keepCompleted: text('Remove exams that are over, with their documents, after so long; default: never', {
      placeholder: 'DURATION',
    }),
    keepAudio: text('Remove the audio of signed documents after so long; default: never', { placeholder: 'DURATION' }),
    encrypt: flag('Encrypt the data directory: with a key in the keychain, or with the passphrase where one is given'),
    ...passphraseOption,
  },
  examples: [
    ['laudio serve', 'then, in another terminal: laudio login'],
    [
      'laudio serve --port 0 --data-dir "$(mktemp -d)" --rate-limit 0 --json',
      'for tests: the first line tells the address',
    ],
    ['laudio serve --encrypt', 'from now on; it needs to be said only once'],
    ['laudio serve --keep-completed 90d --keep-audio 30d', 'each time: nothing is removed without it'],
  ],
  run: async (context, input) =>
    runServer(context, { ...input, key: await keyOptions(context, input) }, (running, server) =>
      sayReady(context, running, server),
    ),
});

export interface ServeInput {
  readonly port: number | undefined;
  readonly host: string | undefined;
  readonly allowHost: readonly string[];
  readonly allowWebhook: readonly string[];
  readonly rateLimit: number | undefined;
  readonly noTestClient: boolean;
  readonly keepCompleted: string | undefined;
  readonly keepAudio: string | undefined;
  readonly key: KeyOptions;
}

/** In ms: as said to the command, or as set. */
function retentionOf({ settings, cwd }: Context, { keepCompleted, keepAudio }: ServeInput) {
  const kept = (name: 'keep_completed' | 'keep_audio', given: string | undefined) =>
    given === undefined ? settings[name] : settingValue(name, given, cwd);
  return { completed: kept('keep_completed', keepCompleted), audio: kept('keep_audio', keepAudio) };
}

/** Runs the embedded server until the process is told to stop; `ready` is called once it answers. */
export async function runServer(
  context: Context,
  input: ServeInput,
  ready: (running: RunningServer, server: Server) => Promise<void>,
): Promise<void> {
  const { io, settings, paths, signal } = context;
  const dataDir = settings.data_dir ?? paths.data;
  if (input.host !== undefined && !['127.0.0.1', '::1', 'localhost'].includes(input.host)) {
    io.notice(`Listening on ${input.host}: other computers can reach this server.`, 'warn');
  }
  // The server is as large as everything else together; only this command loads it.
  const { builtInTestClient, createServer } = await import('../../server/index.ts');
  const testClient = input.noTestClient ? undefined : builtInTestClient;
  const mount = await appMount(context, { dataDir, testClient });
  const server = await listen(
    createServer,
    {
      version: context.version,
      dataDir,
      key: input.key,
      rateLimit: input.rateLimit ?? 100,
      allowedHosts: input.allowHost,
      webhookTargets: input.allowWebhook,
      testClient: !input.noTestClient,
      retention: retentionOf(context, input),
      log: (entry) => io.notice(JSON.stringify(entry)),
      ...(input.host !== undefined && { host: input.host }),
      ...(mount && { mount }),
    },
    input.port,
    context,
  );
  const running: RunningServer = {
    url: server.url,
    pid: process.pid,
    data_dir: dataDir,
    admin_token: server.adminToken,
    started_at: new Date(context.clock.now()).toISOString(),
    ...(testClient && { test_client: testClient }),
  };
  try {
    await announceServer(paths.state, running);
    await ready(running, server);
    await until(signal);
  } finally {
    await withdrawServer(paths.state, running);
    await server.close();
  }
  io.notice('Stopped.', 'faint');
}

type CreateServer = (options: ServerOptions) => Promise<Server>;

async function listen(
  createServer: CreateServer,
  options: ServerOptions,
  port: number | undefined,
  { io, paths }: Context,
): Promise<Server> {
  try {
    return await createServer({ ...options, port: port ?? usualPort });
  } catch (error) {
    if (error instanceof AppError && typeof error.details?.['pid'] === 'number')
      throw await alreadyServed(error, options.dataDir, paths.state);
    const taken =
      error instanceof AppError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
    if (!taken || port !== undefined) throw error;
    io.notice(`Port ${usualPort} is taken; using another.`, 'faint');
    return createServer({ ...options, port: 0 });
  }
}

/** The refusal of a second server on a data directory, with the address of the first. */
async function alreadyServed(
  refusal: AppError,
  dataDir: string | undefined,
  stateDirectory: string,
): Promise<AppError> {
  const first = await findServer(stateDirectory, dataDir).catch(() => undefined);
  if (!first) return refusal;
  return new AppError('CONFIGURATION', {
    message: `A server runs on this data directory already: ${first.url} (process ${first.pid}).`,
    hint: 'Use that one, stop it, or choose another directory with --data-dir.',
    details: { url: first.url, pid: first.pid, data_dir: first.data_dir },
  });
}

const keyWords = { keychain: 'the key is in the keychain', passphrase: 'with a passphrase' } as const;

/** With `--json` the first line on stdout, for programs; otherwise what a newcomer does next. */
async function sayReady(
  { io }: Context,
  { url, pid, data_dir: dataDir, test_client: testClient }: RunningServer,
  { encryptedBy, recogniser }: Pick<Server, 'encryptedBy' | 'recogniser'>,
): Promise<void> {
  if (io.output === 'json') {
    return printLine(io, {
      event: 'ready',
      url,
      pid,
      data_dir: dataDir,
      ...(encryptedBy && { encrypted_by: encryptedBy }),
      ...(testClient && { test_client: testClient }),
    });
  }
  io.notice(`Laudio is ready at ${io.paint(url, 'strong', 'err')}`, 'good');
  io.notice(`  API reference  ${url}/docs`);
  io.notice(`  Data           ${dataDir}${encryptedBy ? ` (encrypted, ${keyWords[encryptedBy]})` : ''}`);
  if (recogniser === undefined)
    io.notice('  Speech         not recognised: only text is taken, except for test clients');
  if (testClient) io.notice(`  Test client    ${testClient.client_id} / ${testClient.client_secret}`);
  io.notice('In another terminal: laudio login, then laudio worklist ingest FILE. Ctrl-C stops it.', 'faint');
}

const until = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    // A server waits for requests; this keeps the process from ending before.
    const alive = setInterval(() => {}, 2 ** 30);
    const end = () => {
      clearInterval(alive);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
