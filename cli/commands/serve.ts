import { AppError } from '../../src/contract/errors.ts';
import { explain, isSystemError } from '../../src/node/system-error.ts';
import { choices, engineParts } from '../../src/node/choices.ts';
import { announceServer, findServer } from '../../src/node/running-server.ts';
import { makeSetupCode } from '../../src/node/login/setup-code.ts';
import { simulatedClock } from '../../src/node/simulated-clock.ts';
import type { RunningServer } from '../../src/node/running-server.ts';
import type { KeyOptions, Log, Server, ServerOptions } from '../../server/index.ts';
import { readAlarm } from '../serving/alarm-choice.ts';
import { appMount } from '../serving/app-mount.ts';
import { chooseSetting } from '../shell/choose-setting.ts';
import { choice, defineCommand, flag, integer, list, text, emptyInput } from '../command.ts';
import type { CommandInput } from '../command.ts';
import type { Context } from '../context.ts';
import { faultsFrom } from '../serving/fault-fields.ts';
import { dataDirectoryOf } from '../serving/data-directory.ts';
import { keyOptions, passphraseOption } from '../serving/data-key.ts';
import { runEphemerally } from '../serving/run-ephemerally.ts';
import { printReady } from '../serving/server-ready.ts';
import { logLevels, openLogging } from '../serving/server-log.ts';
import { callLine } from '../resources/call.ts';
import { recordingKind, runRecording } from '../serving/recording.ts';
import { readProvider } from '../serving/login-provider.ts';
import { simulationOptions } from '../serving/simulation-options.ts';
import { readBackupPlan } from '../serving/backup-plan.ts';
import { storeOptions, chooseStores } from '../serving/stores.ts';
import { readTokens } from '../serving/token-files.ts';
import { onPort, untilStopped, defaultPort } from '../serving/serving-process.ts';
import { readHub } from '../serving/hub-choice.ts';
import { readViewers } from '../serving/viewers.ts';

const options = {
  port: integer(
    `Port; 0 for any free one; default ${defaultPort}, or a free one if that is taken and nobody else calls the server`,
  ),
  host: text('Address to listen on; default 127.0.0.1', { placeholder: 'ADDRESS' }),
  publicUrl: text('Public address, behind a proxy that terminates TLS', { placeholder: 'URL' }),
  letterhead: list(
    'Letterhead of documents: the name of an institution as in exams, and lines below it (address, phone), separated by semicolons; repeatable',
    { placeholder: 'NAME; LINE' },
  ),
  trustProxy: list('Address or range of that proxy, whose X-Forwarded-For is trusted; repeatable', {
    placeholder: 'ADDRESS',
  }),
  viewer: list(
    'Where the app opens the images of an exam: an address with {study_uid} or {accession}, for one hospital after its name; repeatable',
    { placeholder: 'HOSPITAL; ADDRESS' },
  ),
  viewerOrigin: list('Origin of a viewer whose page may call the FHIRcast hub; repeatable', { placeholder: 'ORIGIN' }),
  hub: text('Address of the FHIRcast hub of a PACS; default: the hub of this server', { placeholder: 'URL' }),
  hubTokenUrl: text('Where tokens for that hub are had, by client credentials', { placeholder: 'URL' }),
  hubClient: text('Client id of Laudio there', { placeholder: 'ID' }),
  hubSecretFile: text('File with the client’s secret; default: LAUDIO_HUB_SECRET', { placeholder: 'FILE' }),
  hubTopic: text('Topic of a person at that hub; default {username}, the name with which they log in', {
    placeholder: 'TOPIC',
  }),
  allowHost: list('Additional host name of the server; repeatable', { placeholder: 'NAME' }),
  allowWebhook: list('Private address or range that webhooks may call; repeatable', {
    placeholder: 'ADDRESS',
  }),
  alarmCommand: text('Command to run when a channel is silent or stuck; its standard input is the alarm as JSON', {
    placeholder: 'COMMAND',
  }),
  alarmWebhook: text('Address that receives the same alarms by POST', { placeholder: 'URL' }),
  alarmSecretFile: text('File with the secret (whsec_…) that signs them', { placeholder: 'FILE' }),
  rateLimit: integer('Requests per minute and client; 0: no limit; default 100'),
  testClient: flag('Enable the built-in test client even if others can reach the server; its secret is public'),
  noTestClient: flag('Disable the built-in test client'),
  timeZone: text('Time zone of exam times without one; default: this computer’s', {
    placeholder: 'ZONE',
  }),
  keepCompleted: text(
    'Remove completed and cancelled exams with their records after this time; permanently 7 days later; default: never',
    {
      placeholder: 'DURATION',
    },
  ),
  keepAudio: text('Remove the audio of signed records after this time; permanently 7 days later; default: never', {
    placeholder: 'DURATION',
  }),
  keepAudit: text('Remove entries of the audit trail after this time; default: never', { placeholder: 'DURATION' }),
  backupTo: text('Directory on another disk, s3://HOST/BUCKET, or command:COMMAND, for backups by schedule', {
    placeholder: 'PLACE',
  }),
  backupEvery: text('Time between two of them; default 24h', { placeholder: 'DURATION' }),
  backupKeep: text('Days, weeks and months of which the newest is kept; default 7d,4w,12m', { placeholder: 'RULE' }),
  backupPassphraseFile: text('File with the passphrase that encrypts them', { placeholder: 'FILE' }),
  ...simulationOptions,
  recogniser: text('Speech recogniser, except for test clients; default: an installed model, otherwise none', {
    placeholder: 'CHOICE',
  }),
  hearing: integer('Maximum concurrent dictations of queued jobs; default: the recogniser’s limit', {
    placeholder: 'N',
  }),
  waitingAudio: integer('Maximum MiB of waiting audio, at most half from one client; default 10240', {
    placeholder: 'MIB',
  }),
  testReal: flag('Use that recogniser for test clients too, instead of the simulation'),
  writer: text('Report writer; default: rules', { placeholder: 'CHOICE' }),
  ...storeOptions,
  ephemeral: flag(
    'For tests: everything in memory, on a free port, next to any other server; other commands find it only with its --data-dir',
  ),
  log: text('Append a JSON line for each call and event to this file, or - for standard output', {
    placeholder: 'FILE',
  }),
  logLevel: choice(logLevels, 'Minimum level; default info, which includes every call'),
  logAddresses: flag('Add the addresses of callers to the log, so that fail2ban can act'),
  metricsTokenFile: text('File with the token for reading /metrics', { placeholder: 'FILE' }),
  operatorTokenFile: text(
    'File with the operator’s token, the same for each process of a server; no setup code then; default: a new token at each start',
    { placeholder: 'FILE' },
  ),
  provider: text('Login provider (OpenID Connect) with the accounts of people and operators: its issuer', {
    placeholder: 'URL',
  }),
  providerClient: text('Client id of Laudio at that provider', { placeholder: 'ID' }),
  providerSecretFile: text('File with the client’s secret; default: LAUDIO_PROVIDER_SECRET, else a public client', {
    placeholder: 'FILE',
  }),
  providerName: text('Its name on the buttons; default: its host', { placeholder: 'NAME' }),
  providerSpace: text('Space whose people it logs in; default: local', { placeholder: 'NAME' }),
  providerClaim: text('Claim with the roles, such as realm_access.roles; default: roles and groups', {
    placeholder: 'CLAIM',
  }),
  providerScope: list('Scope to ask it for, in addition to openid and profile; repeatable', { placeholder: 'SCOPE' }),
  providerRole: list(
    'Its name for physician, attending, resident, operator or auditor; default: those words; repeatable',
    { placeholder: 'ROLE=NAME' },
  ),
  keepSetupCode: flag('Keep the setup code valid after an operator has logged in by the provider'),
  memberUrl: text('Address at which the other processes of the same server reach this one', { placeholder: 'URL' }),
  memory: integer('Maximum memory in MiB; default: that of the machine or container', {
    placeholder: 'MIB',
  }),
  encrypt: flag('Encrypt the data directory: with a key in the keychain, or with the passphrase if there is one'),
  ...passphraseOption,
  record: text('Proxy the service of --upstream, and record its calls in this HTTP Archive', {
    placeholder: 'FILE',
  }),
  upstream: text('The service to record: https, or on this computer', { placeholder: 'URL' }),
  insecureUpstream: flag('Record a remote service without TLS'),
  force: flag('Replace an existing recording'),
  replay: text('Replay the answers of this HTTP Archive', { placeholder: 'FILE' }),
  timing: flag('Replay answers with their original delays'),
};

/** Options of a server that is tried or tests something: no service has them. */
const trialOptions = [
  'accessTokenTtl',
  'clock',
  'seed',
  'faults',
  'ephemeral',
  'passphraseStdin',
  'record',
  'upstream',
  'insecureUpstream',
  'force',
  'replay',
  'timing',
] as const;

/** Options of a server that runs for years. */
export const serveOptions: Omit<typeof options, (typeof trialOptions)[number]> = Object.fromEntries(
  Object.entries(options).filter(([name]) => !(trialOptions as readonly string[]).includes(name)),
) as typeof options;

export const command = defineCommand({
  description:
    'Runs the whole API on this computer, with its own storage. Listens on loopback unless --host is given. Ctrl-C finishes running work and stops.',
  options,
  examples: [
    ['laudio serve', 'then, in another terminal: laudio login'],
    ['laudio serve --ephemeral --rate-limit 0 --json', 'for tests: the first line contains the address'],
    [
      'laudio serve --public-url https://laudio.example.com --trust-proxy 127.0.0.1',
      'behind a proxy on this computer that terminates TLS',
    ],
    [
      'laudio serve --store memory --clock fixed:2026-03-02T09:00:00Z --seed demo',
      'for tests: every time, id and export is reproducible',
    ],
    ['laudio serve --store memory', 'to try things out: nothing is kept'],
    ['laudio serve --test-real', 'to try the real recogniser with test patients'],
    ['laudio serve --encrypt', 'from now on; needed only once'],
    ['laudio serve --backup-to /backups/laudio', 'a checked backup every day, in generations'],
    ['laudio serve --keep-completed 90d --keep-audio 30d', 'at every start: nothing is removed without it'],
    [
      'laudio serve --record out.har --upstream https://api.example.com',
      'record the answers of a service, without patient data',
    ],
    ['laudio serve --replay out.har', 'replay them'],
  ],
  async run(context, input) {
    const kind = recordingKind(context, input);
    if (kind) return runRecording(context, input, kind);
    const serveTo = (chosen: Context, how: ServeInput) =>
      runServer(chosen, how, (running, server) => printReady(chosen, running, server));
    const whole = { ...input, key: await keyOptions(context, input) };
    await (input.ephemeral ? runEphemerally(context, whole, serveTo) : serveTo(context, whole));
    context.io.notice('Stopped.', 'faint');
  },
});

/** The input of the command, with the `key` of the data directory. With `onLog` neither log nor calls are printed. */
export type ServeInput = CommandInput<Record<never, never>, typeof options> & {
  readonly key: KeyOptions;
  readonly onLog?: Log;
};

/** The input without any option. */
export const defaultServerInput = emptyInput(options);

const mebibyte = 2 ** 20;

/** In MiB; the program alone needs most of that. */
const minMemory = 256;

/** In bytes. */
function readMemory({ memory }: ServeInput): number | undefined {
  if (memory !== undefined && memory < minMemory) {
    throw new AppError('USAGE', { message: `--memory takes ${minMemory} MiB or more.` });
  }
  return memory === undefined ? undefined : memory * mebibyte;
}

function readQueue(context: Context, { hearing, waitingAudio }: ServeInput) {
  const audio = chooseSetting(context, 'waiting_audio', waitingAudio);
  return {
    hearing: chooseSetting(context, 'hearing', hearing),
    waitingAudio: audio === undefined ? undefined : audio * mebibyte,
  };
}

/** Retention periods in ms. */
const readRetention = (context: Context, { keepCompleted, keepAudio, keepAudit }: ServeInput) => ({
  completed: chooseSetting(context, 'keep_completed', keepCompleted),
  audio: chooseSetting(context, 'keep_audio', keepAudio),
  audit: chooseSetting(context, 'keep_audit', keepAudit),
});

/** The simulation options of a test server. */
function readSimulation(context: Context, { accessTokenTtl, clock, seed }: ServeInput) {
  const ttl = chooseSetting(context, 'access_token_ttl', accessTokenTtl);
  return {
    ...(ttl !== undefined && { accessTokenTtl: ttl }),
    ...(clock !== undefined && { clock: simulatedClock(clock) }),
    ...(seed !== undefined && { seed }),
  };
}

const chooseParts = (context: Context, input: ServeInput) => ({
  ...choices(
    engineParts,
    {
      recogniser: chooseSetting(context, 'recogniser', input.recogniser),
      writer: chooseSetting(context, 'writer', input.writer),
    },
    context.env,
  ),
  ...chooseStores(context, input),
});

const keeperOf = async ({ paths, clock, origins }: Context) =>
  (await import('../../src/node/user-settings.ts')).recogniserKeeper({
    config: paths.config,
    clock,
    origin: origins.recogniser,
  });

const readLetterheads = (context: Context, { letterhead }: ServeInput) =>
  chooseSetting(context, 'letterhead', letterhead.length === 0 ? undefined : letterhead) ?? [];

function readReach(context: Context, { host, publicUrl, trustProxy, allowHost, viewerOrigin }: ServeInput) {
  const url = chooseSetting(context, 'public_url', publicUrl);
  const proxies = chooseSetting(context, 'trust_proxy', trustProxy.length === 0 ? undefined : trustProxy);
  return {
    allowedHosts: allowHost,
    viewerOrigins: viewerOrigin,
    trustedProxies: proxies ?? [],
    ...(host !== undefined && { host }),
    ...(url !== undefined && { publicUrl: url }),
  };
}

function printShared(io: Context['io'], host: string | undefined, hasTestClient: boolean): void {
  if (host !== undefined) io.notice(`Listening on ${host}: other computers can reach this server.`, 'warn');
  io.notice(
    hasTestClient
      ? 'Everybody who reaches this server can log in with test data: the secret of the test client is public.'
      : 'The built-in test client is off, because others can reach this server; --test-client enables it.',
    hasTestClient ? 'warn' : 'faint',
  );
}

/** Runs the embedded server until a signal ends the process; calls `ready` once the server answers. */
export async function runServer(
  context: Context,
  input: ServeInput,
  ready: (running: RunningServer, server: Server) => Promise<void>,
): Promise<void> {
  const { io, paths, signal } = context;
  io.noticeAtOnce();
  const dataDir = await dataDirectoryOf(context);
  const reach = readReach(context, input);
  // The server is as large as the rest of the program; only this command loads it.
  const { builtInTestClient, createServer, isShared } = await import('../../server/index.ts');
  const hasTestClient = input.testClient || (!input.noTestClient && !isShared(reach));
  const testClient = hasTestClient ? builtInTestClient : undefined;
  if (isShared(reach)) printShared(io, input.host, hasTestClient);
  const tokens = await readTokens(context, input);
  const setupCode = makeSetupCode();
  // An operator who brings a token needs no code, and other processes of the server would not know it.
  const hasCode = tokens.operatorToken === undefined;
  const logging = await openLogging(context, input);
  const mount = await appMount(context, { dataDir, testClient, setupCode, log: logging.log });
  const faults = input.faults === undefined ? [] : await faultsFrom(io, input.faults);
  const server = await listen(
    createServer,
    {
      version: context.version,
      dataDir,
      key: input.key,
      rateLimit: input.rateLimit ?? 100,
      letterheads: readLetterheads(context, input),
      viewers: readViewers(input.viewer),
      hub: await readHub(context, input),
      timeZone: chooseSetting(context, 'time_zone', input.timeZone),
      webhookTargets: input.allowWebhook,
      alarm: await readAlarm(context, input),
      testClient: hasTestClient,
      testReal: input.testReal,
      retention: readRetention(context, input),
      backups: await readBackupPlan(context, input),
      ...readSimulation(context, input),
      faults,
      ...chooseParts(context, input),
      log: logging.log,
      ...(logging.callLog && { callLog: logging.callLog }),
      ...tokens,
      provider: await readProvider(context, input),
      ...(input.memberUrl !== undefined && { memberUrl: input.memberUrl }),
      logAddresses: input.logAddresses,
      memory: readMemory(input),
      ...readQueue(context, input),
      ...reach,
      ...(hasCode && { setupCode }),
      models: {
        env: context.env,
        // A recogniser named on the command line was chosen.
        keep: input.recogniser === undefined ? await keeperOf(context) : undefined,
      },
      ...(mount && { mount }),
    },
    input.port,
    context,
  ).catch((error: unknown) => {
    throw refusedFaults(error, input.faults) ?? error;
  });
  const running: RunningServer = {
    url: server.url,
    pid: process.pid,
    data_dir: dataDir,
    admin_token: server.adminToken,
    started_at: new Date(context.clock.now()).toISOString(),
    ...(hasCode && server.isAlone && { setup_code: setupCode }),
    ...(testClient && { test_client: testClient }),
  };
  const withdraw = await announceServer(running, {
    stateDirectory: paths.state,
    clock: context.clock,
    onTrouble: (error) => warnHidden(io, error),
  });
  try {
    await ready(running, server);
    if (io.isRead && io.output !== 'json' && !input.onLog) printCalls(io, server);
    await untilStopped(signal);
  } finally {
    await withdraw();
    await server.close();
    await logging.close();
  }
}

/** The error for a fault that the server refuses, naming its file. */
function refusedFaults(error: unknown, source: string | undefined): AppError | undefined {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED' || source === undefined) return undefined;
  return new AppError('USAGE', {
    message: `${source}: ${error.message}`,
    hint: 'See laudio server fault --help.',
  });
}

/** Prints a line for each call on the operator's terminal. */
function printCalls(io: Context['io'], { inspector }: Pick<Server, 'inspector'>): void {
  inspector.follow((call) => io.notice(callLine(call, (text, tone) => io.paint(text, tone, 'err'))));
}

/** Warns, but serves anyway. */
function warnHidden(io: Context['io'], error: unknown): void {
  const reason = isSystemError(error) ? explain(error).message : 'Its address could not be saved.';
  io.notice(`${reason} The server runs, but commands on this computer don’t find it automatically.`, 'warn');
}

type CreateServer = (options: ServerOptions) => Promise<Server>;

async function listen(
  createServer: CreateServer,
  options: ServerOptions,
  port: number | undefined,
  { io, paths }: Context,
): Promise<Server> {
  try {
    const isFixed = options.host !== undefined || options.publicUrl !== undefined || options.trustedProxies?.length;
    return await onPort(io, isFixed ? (port ?? defaultPort) : port, (free) => createServer({ ...options, port: free }));
  } catch (error) {
    if (error instanceof AppError && typeof error.details?.['pid'] === 'number')
      throw await alreadyServed(error, options.dataDir, paths.state);
    throw error;
  }
}

/** The error for a second server on a data directory, with the address of the first. */
async function alreadyServed(
  refusal: AppError,
  dataDir: string | undefined,
  stateDirectory: string,
): Promise<AppError> {
  const first = await findServer(stateDirectory, dataDir).catch(() => undefined);
  if (!first) return refusal;
  return new AppError('CONFIGURATION', {
    message: `A server already runs on this data directory: ${first.url} (process ${first.pid}).`,
    hint: 'Use that one, stop it, or choose another directory with --data-dir.',
    details: { url: first.url, pid: first.pid, data_dir: first.data_dir },
  });
}
