/** Builds a command's context. Expensive parts load at their first use. */
import { AppError } from '../src/contract/errors.ts';
import type { Client } from '../src/client/client.ts';
import type { Transport } from '../src/client/transport.ts';
import { userPaths } from '../src/node/paths.ts';
import type { RunningServer } from '../src/node/running-server.ts';
import type { SessionsDeps } from '../src/node/login/session.ts';
import { lostFile } from '../src/node/settings-text.ts';
import { findMistypedVariables, readSettingsFiles, resolveSettings } from '../src/node/settings.ts';
import type { ResolvedSettings } from '../src/node/settings.ts';
import { waitingClock } from '../src/node/clock.ts';
import type { Context, Signals } from './context.ts';
import { program } from './program.ts';
import { settingFlags } from './shell/global-options.ts';
import type { GlobalInput } from './shell/global-options.ts';
import { createIo } from './shell/io.ts';
import type { Terminal } from './shell/io.ts';
import { createQuestions } from './shell/questions.ts';

export interface ContextOptions {
  readonly globals: GlobalInput;
  /** Whether the command itself handles invalid settings (command.ts). */
  readonly mends: boolean;
  readonly version: string;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly signals: Signals;
  readonly cwd: string;
  /** `undefined` for a user without a home directory. */
  readonly home: string | undefined;
  readonly platform: NodeJS.Platform;
}

/** CONFIGURATION if a setting or a directory is invalid. */
export async function createContext(options: ContextOptions): Promise<Context> {
  const { globals, terminal, cwd } = options;
  const { env } = terminal;
  const paths = userPaths({ platform: options.platform, env, home: options.home });
  const { settings, misconfigured } = await loadSettings(options, paths.config);
  const { output, color, input, timeout } = settings.values;
  const io = createIo(terminal, { output, jq: globals.jq, color, input });
  if (settings.lost !== undefined && !options.mends) {
    const { message } = lostFile(settings.lost);
    io.notice(`${message} Its settings are lost; unless you set them again, defaults apply.`, 'warn');
  }

  for (const { typed, meant } of findMistypedVariables(env))
    io.notice(`The variable ${typed} is not read. Did you mean ${meant}?`, 'warn');

  const verboseTransport = async (transport: Transport): Promise<Transport> => {
    const { settingWords, tellCalls } = await import('./shell/verbose.ts');
    io.notice(settingWords(settings), 'faint');
    return tellCalls(transport, waitingClock, (line) => io.notice(line, 'faint'));
  };
  const deps = once(async (): Promise<SessionsDeps> => {
    const [{ createHttpCall }, { createKeychain }] = await Promise.all([
      import('../src/node/http/http-call.ts'),
      import('../src/node/login/keychain.ts'),
    ]);
    const { noteOlderServer } = await import('./shell/older-server.ts');
    const call = createHttpCall({ timeout: timeout * 1000, env });
    const transport = noteOlderServer(call.transport, options.version, (sentence) => io.notice(sentence, 'warn'));
    return {
      settings,
      env,
      paths,
      clock: waitingClock,
      transport: globals.verbose ? await verboseTransport(transport) : transport,
      keychain: createKeychain({ clock: waitingClock, stateDirectory: paths.state }),
      onRetry: ({ attempt, limit, delay, error }) =>
        io.notice(`${error.message} Retrying in ${Math.ceil(delay / 1000)} s (${attempt} of ${limit}).`, 'warn'),
      warn: (message) => io.notice(message, 'warn'),
    };
  });
  const session = once(async () => (await import('../src/node/login/session.ts')).createSessions(await deps()).open());
  // Located at each call: a restarted server has another token, and perhaps another port.
  const localServer = async (): Promise<RunningServer> => {
    const { findServer } = await import('../src/node/running-server.ts');
    const { data_dir: dataDir, server } = settings.values;
    const running = await findServer(paths.state, dataDir, paths.service);
    if (server !== undefined && server !== running.url) {
      throw new AppError('FORBIDDEN', {
        message: `From here you can only manage the server on this computer (${running.url}).`,
      });
    }
    return running;
  };

  return {
    version: options.version,
    commands: Object.keys(program),
    io,
    ask: createQuestions(io),
    env,
    cwd,
    clock: waitingClock,
    signal: options.signal,
    signals: options.signals,
    platform: options.platform,
    settings: settings.values,
    origins: settings.origins,
    lost: settings.lost,
    misconfigured,
    paths,
    deps,
    session,
    client: async () => (await session()).client,
    localServer,
    operator: async (server) => operatorClient(await deps(), server ?? (await localServer())),
  };
}

/** CONFIGURATION for invalid settings; if the command fixes settings, returns the defaults and that error. */
async function loadSettings(
  { globals, mends, cwd, terminal: { env } }: ContextOptions,
  config: string,
): Promise<{ settings: ResolvedSettings; misconfigured: AppError | undefined }> {
  const flags = settingFlags(globals);
  try {
    const files = await readSettingsFiles(cwd, config);
    return { settings: resolveSettings({ flags, env, cwd, files }), misconfigured: undefined };
  } catch (error) {
    if (!mends || !(error instanceof AppError)) throw error;
    return { settings: resolveSettings({ flags, env: {}, cwd, files: [] }), misconfigured: error };
  }
}

async function operatorClient(deps: SessionsDeps, { url, admin_token: token }: RunningServer): Promise<Client> {
  const [{ createClient }, { clientOptions }] = await Promise.all([
    import('../src/client/client.ts'),
    import('../src/node/login/session.ts'),
  ]);
  return createClient({ ...clientOptions(deps, url), adminToken: async () => token });
}

/** Starts the work at the first call; every call returns the same promise. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
