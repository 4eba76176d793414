import { constants } from 'node:os';
import { basename } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import type { Log } from '../../server/index.ts';
import { createClient } from '../../src/client/client.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { FaultInput } from '../../src/contract/fault.ts';
import { counted } from '../../src/domain/counted.ts';
import { nameOwnClient, removeAbandonedSpaces } from '../../src/node/abandoned-spaces.ts';
import { clientOptions } from '../../src/node/login/session.ts';
import { makeEphemeralDirectory } from '../../src/node/files/ephemeral-directory.ts';
import type { RunningServer } from '../../src/node/running-server.ts';
import { openTestSpace, testEnvironment } from '../../src/node/test-space.ts';
import { defineCommand, flag, integer, kebab, list, several, text } from '../command.ts';
import type { Context } from '../context.ts';
import { runEphemerally } from '../serving/run-ephemerally.ts';
import { faultsFrom } from '../serving/fault-fields.ts';
import { openRunReport, parseReports } from '../serving/run-report.ts';
import type { RunReport } from '../serving/run-report.ts';
import { simulationOptions } from '../serving/simulation-options.ts';
import { exit } from '../shell/view.ts';
import type { Exit } from '../shell/view.ts';
import { runServer, defaultServerInput } from './serve.ts';

/** Exit codes of shells: the program is missing, or can't be run. */
const exits = { missing: 127, unusable: 126 } as const;
const signalBase = 128;

export const command = defineCommand({
  description:
    'The command gets a test server in its environment: LAUDIO_SERVER, LAUDIO_TOKEN (the test physician’s), and LAUDIO_CLIENT_ID with LAUDIO_CLIENT_SECRET, a test client that can also log in without a person. laudio commands in it work without a login, including laudio server …. The server is in memory, on a free port, without a rate limit, and ends with the command, whose exit code becomes that of laudio exec: 128 plus the number of the signal that ended it, 127 if there is no such program, 126 if it can’t be run. --isolated uses the server running on this computer instead, with a separate space, which is removed afterwards. --report saves the calls of the command: as HTTP Archive (.har), or as JUnit XML (.xml, .junit) with a case for the command and one per operation, in which failures of the server (5xx) count unless a fault caused them.',
  arguments: { command: several('The command with its own options') },
  passesThrough: true,
  options: {
    isolated: flag('In a separate space on the running server, or on the one that --server or --data-dir names'),
    port: integer('Port; default: any free one'),
    rateLimit: integer('Requests per minute and client; default 0: no limit'),
    ...simulationOptions,
    report: list('Save the calls of the command: .har, .xml or .junit; repeatable', { placeholder: 'FILE' }),
    log: text('Append the log of the server to this file, a JSON line for each call and event', {
      placeholder: 'FILE',
    }),
  },
  examples: [
    ['laudio exec -- npm test', 'tests against a separate server'],
    ['laudio exec -- npx playwright test', 'the app is at $LAUDIO_SERVER/'],
    ['laudio exec --clock fixed:2026-03-02T09:00:00Z --seed demo -- ./nightly.sh', 'the same in every run'],
    ['laudio exec --report run.har --report run.xml -- npm test', 'what the tests asked, for a browser and for CI'],
    ['laudio exec --isolated -- npm test', 'one of several jobs at once on one server'],
  ],
  async run(context, { command: words, isolated, faults: source, report, ...simulated }): Promise<Exit> {
    const faults = source === undefined ? [] : await faultsFrom(context.io, source);
    const reports = parseReports(report);
    if (isolated || context.origins.server.from === 'flag') {
      refuseServerOptions(simulated);
      return exit(await runAt(context, await context.localServer(), { words, faults, reports, isolated: true }));
    }
    // The standard error is the command's: the server's log stays out of it.
    let failures = 0;
    const onLog: Log = ({ level }) => void (level === 'error' && failures++);
    const input = { ...defaultServerInput, ...simulated, rateLimit: simulated.rateLimit ?? 0, key: {}, onLog };
    return runEphemerally(context, input, async (inside, server) => {
      const over = new AbortController();
      let code = 0;
      await runServer({ ...inside, signal: over.signal }, server, async (running) => {
        try {
          code = await runAt(context, running, { words, faults, reports, isolated: false });
        } finally {
          over.abort();
        }
      });
      if (failures > 0 && simulated.log === undefined)
        context.io.notice(
          `laudio exec: the server logged ${counted(failures, 'error')}; --log FILE keeps them.`,
          'warn',
        );
      return exit(code);
    });
  },
});

/** USAGE for options that a running server has already fixed. */
function refuseServerOptions(options: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(options).find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new AppError('USAGE', {
    message: `--${kebab(given)} is for a server that exec starts; --isolated uses one that runs.`,
    hint: 'Give it to "laudio serve" instead.',
  });
}

interface Run {
  readonly words: readonly string[];
  readonly faults: readonly FaultInput[];
  readonly reports: ReturnType<typeof parseReports>;
  readonly isolated: boolean;
}

/** Runs the command as a test client of that server; returns its exit code. */
async function runAt(
  context: Context,
  { url, admin_token: token, data_dir: dataDir }: RunningServer,
  { words, faults, reports, isolated }: Run,
): Promise<number> {
  const http = clientOptions(await context.deps(), url);
  const operator = createClient({ ...http, adminToken: async () => token });
  // Files that the command stores, such as a login, stay out of the user's directories.
  await using directory = await makeEphemeralDirectory();
  if (isolated) await removeAbandonedSpaces(operator);
  const space = await openTestSpace(operator, { name: nameOwnClient(), isolated });
  try {
    const env = {
      ...context.env,
      ...(await testEnvironment(http, space.testClient)),
      LAUDIO_DATA_DIR: dataDir,
      LAUDIO_CONFIG_DIR: directory.path,
      LAUDIO_STATE_DIR: directory.path,
      LAUDIO_CREDENTIAL_STORE: 'file',
      // Either variable would override the settings made here.
      LAUDIO_PROFILE: undefined,
      LAUDIO_CLIENT_KEY_FILE: undefined,
    };
    // Added now, so that they first affect the calls of the command.
    await space.addFaults(faults);
    const client = isolated ? space.testClient.client_id : undefined;
    const { clock, version } = context;
    const report =
      reports.length === 0
        ? undefined
        : await openRunReport(reports, { inspector: operator.inspector, server: url, client, clock, version });
    return await runReported(context, report, words, env);
  } finally {
    await space.close();
  }
}

/** Runs the command, and writes the report of what it asked; one that can't be started ends with a code too. */
async function runReported(
  context: Context,
  report: RunReport | undefined,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const start = context.clock.elapsed();
  try {
    const code = await runCommand(context, words, env);
    const duration_ms = context.clock.elapsed() - start;
    await report?.write({ program: basename(words[0] ?? ''), code, duration_ms });
    return code;
  } finally {
    await report?.close();
  }
}

async function runCommand(
  { io, signals }: Context,
  [program = '', ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  // Node can't start scripts of the Windows shell, such as npm.
  const { default: spawn } = await import('cross-spawn');
  const child = spawn(program, words, { env, stdio: 'inherit' });
  const release = signals.take({
    // A terminal signals the command itself, too.
    interrupt: () => void (process.stdin.isTTY || child.kill('SIGINT')),
    terminate: (signal) => void child.kill(signal),
    suspend: async () => {},
    resume: () => void child.kill('SIGCONT'),
  });
  try {
    return await endOf(child);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const words = isMissing ? 'there is no such program' : 'it cannot be run';
    io.notice(`${io.paint('laudio:', 'bad', 'err')} ${program}: ${words}.`);
    return isMissing ? exits.missing : exits.unusable;
  } finally {
    release();
  }
}

/** Resolves to the exit code of the process once it has ended. Rejects if it could not be started. */
const endOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      resolve(code ?? signalBase + (signal === null ? 0 : constants.signals[signal])),
    );
  });
