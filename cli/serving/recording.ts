/** `laudio serve --record` and `--replay`: a server that replaces a service, without a store. */
import { AppError } from '../../src/contract/errors.ts';
import { counted } from '../../src/domain/counted.ts';
import { kebab } from '../command.ts';
import type { Context } from '../context.ts';
import { printLine } from '../shell/render.ts';
import { onPort, untilStopped } from './serving-process.ts';

export interface RecordingInput {
  readonly record: string | undefined;
  readonly upstream: string | undefined;
  readonly insecureUpstream: boolean;
  readonly force: boolean;
  readonly replay: string | undefined;
  readonly timing: boolean;
  readonly port: number | undefined;
}

/** The options of each mode in addition to the port. */
const takes = {
  record: ['record', 'upstream', 'insecureUpstream', 'force'],
  replay: ['replay', 'timing'],
} as const satisfies Record<string, readonly (keyof RecordingInput)[]>;

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

/** The mode that the input asks for. USAGE for incompatible options. */
export function recordingKind(context: Context, input: RecordingInput): keyof typeof takes | undefined {
  const refuse = (message: string): never => {
    throw new AppError('USAGE', { message, hint: 'laudio help serve' });
  };
  const { record, replay, upstream } = input;
  if (record !== undefined && replay !== undefined) refuse('--record and --replay exclude each other.');
  const kind = record !== undefined ? 'record' : replay !== undefined ? 'replay' : undefined;
  if (record !== undefined && upstream === undefined) refuse('--record needs --upstream URL: the service to record.');
  const own: readonly string[] = kind ? ['port', ...takes[kind]] : [];
  const mine: readonly string[] = [...takes.record, ...takes.replay];
  for (const [name, value] of Object.entries(input)) {
    if (!isGiven(value) || own.includes(name)) continue;
    if (kind) refuse(`--${kebab(name)} does not go with --${kind}, which has no store and no engines.`);
    if (mine.includes(name)) refuse(`--${kebab(name)} needs --${name === 'timing' ? 'replay' : 'record'} FILE.`);
  }
  if (kind && context.origins.data_dir.from === 'flag')
    refuse(`--data-dir does not go with --${kind}, which stores no documents.`);
  return kind;
}

/** Runs until a signal ends the process. */
export async function runRecording(context: Context, input: RecordingInput, kind: keyof typeof takes): Promise<void> {
  context.io.noticeAtOnce();
  const { createRecorder, createReplay } = await (await import('../../server/index.ts')).recording();
  const running =
    kind === 'record' ? await record(context, input, createRecorder) : await replay(context, input, createReplay);
  try {
    await untilStopped(context.signal);
  } finally {
    await running.close();
  }
  context.io.notice('Stopped.', 'faint');
}

type Recording = Awaited<ReturnType<(typeof import('../../server/index.ts'))['recording']>>;

async function record(
  { io, clock, env, version }: Context,
  { port, record: file = '', upstream = '', insecureUpstream, force }: RecordingInput,
  createRecorder: Recording['createRecorder'],
) {
  let isTold = false;
  const running = await onPort(io, port, (port) =>
    createRecorder({
      file,
      replaces: force,
      upstream,
      insecure: insecureUpstream,
      port,
      version,
      clock,
      env,
      onRecorded: ({ method, path, status }) => {
        if (io.isRead && io.output !== 'json') io.notice(`${status} ${method} ${path}`, 'faint');
      },
      onTrouble: (error) => {
        if (!isTold)
          io.notice(
            `${file} cannot be written (${String(Object(error).code)}): calls continue without being recorded.`,
            'bad',
          );
        isTold = true;
      },
    }),
  );
  if (io.output === 'json') {
    await printLine(io, { event: 'ready', url: running.url, upstream, record: file, pid: process.pid });
    return running;
  }
  io.notice(`Recording ${upstream} at ${io.paint(running.url, 'strong', 'err')}`, 'good');
  io.notice(`  File           ${file}`);
  io.notice(`  Log in         laudio login --server ${running.url} --client-id ID`);
  io.notice('Names, texts, audio and secrets are replaced. Ctrl-C stops it.', 'faint');
  return running;
}

async function replay(
  { io, clock }: Context,
  { port, replay: file = '', timing }: RecordingInput,
  createReplay: Recording['createReplay'],
) {
  const running = await onPort(io, port, (port) =>
    createReplay({
      file,
      port,
      clock,
      timing,
      onAnswered: ({ method, path, isRecorded }) => {
        if (!isRecorded) io.notice(`not recorded: ${method} ${path}`, 'warn');
        else if (io.isRead && io.output !== 'json') io.notice(`${method} ${path}`, 'faint');
      },
    }),
  );
  const { url, calls, isRecovered } = running;
  if (isRecovered) io.notice(`${file} is truncated; the ${counted(calls, 'call')} before that are replayed.`, 'warn');
  if (io.output === 'json') {
    await printLine(io, { event: 'ready', url, replay: file, calls, pid: process.pid });
    return running;
  }
  io.notice(`Replaying ${counted(calls, 'call')} of ${file} at ${io.paint(url, 'strong', 'err')}`, 'good');
  io.notice(`  Log in         laudio login --server ${url} --client-id test_tc_local`);
  io.notice('Any secret and any token is accepted. Ctrl-C stops it.', 'faint');
  return running;
}
