/** Runs one command line, from its words to the exit code. */
import { homedir } from 'node:os';
import { AppError, errors, exitCodes } from '../src/contract/errors.ts';
import { programVersion } from '../src/node/program-version.ts';
import { explain, isSystemError } from '../src/node/system-error.ts';
import type { Context, Signals, SignalTaker } from './context.ts';
import type { HelpOutput, ParsedCommand } from './parse.ts';
import { createIo, jsonText } from './shell/io.ts';
import type { Io, Terminal } from './shell/io.ts';
import type { View } from './shell/view.ts';
import { asksForRootHelp, rootHelp } from './shell/root-help.ts';
import { helpFor } from './shell/error-help.ts';

/** Runs `laudio WORDS…`. The promise resolves to the exit code and never rejects. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const version = programVersion();
  const interruption = listenForInterruption();
  // The writer handles a closed pipe (io.ts); without a listener, Node would end the process.
  for (const stream of [terminal.stdout, terminal.stderr]) stream.on('error', () => {});
  // Before the settings are known, the words and the environment determine the error format.
  let io = createIo(terminal, {
    output: asksForJson(words) || terminal.env['LAUDIO_OUTPUT'] === 'json' ? 'json' : 'auto',
    jq: undefined,
    color: 'auto',
    input: false,
  });
  try {
    const help: HelpOutput = { write: (text) => terminal.stdout.write(text), width: Math.min(io.width, 110) };
    if (asksForRootHelp(words)) {
      help.write(rootHelp(help.width));
      return exitCodes.done;
    }
    const { parse } = await import('./parse.ts');
    const parsed = await parse(words, version, help);
    if (!parsed) return exitCodes.done;
    const context = await contextFor(parsed, version, terminal, interruption);
    io = context.io;
    const { checkFilter, render } = await import('./shell/render.ts');
    if (io.jq !== undefined) await checkFilter(io.jq);
    const view = await parsed.command.run(context, parsed.input as never).catch(async (error: unknown) => {
      throw await (await import('./shell/explain-refusal.ts')).explainRefusal(error, { ...parsed, ...context });
    });
    if (view) {
      if (view.kind === 'exit') return view.code;
      await render(io, view);
      await helpOn(context, { words, parsed, view });
    }
    io.noticeAtOnce();
    return exitCodes.done;
  } catch (error) {
    return await fail(io, error, interruption.exitCode());
  } finally {
    interruption.end();
  }
}

/** Says which word may be mistyped if nothing was found, and remembers the ids on the screen for the shell's completion. */
async function helpOn(
  { io, paths }: Context,
  { words, parsed, view }: { words: readonly string[]; parsed: ParsedCommand; view: View },
): Promise<void> {
  if (view.kind === 'list' && view.rows.length === 0) {
    const suggestion = await (await import('./shell/mistyped-id.ts')).suggestTyped(parsed, paths);
    if (suggestion !== undefined) io.notice(suggestion);
  }
  if (!io.toTerminal) return;
  const [noun = '', verb] = words.filter((word) => !word.startsWith('-'));
  const { rememberWords } = await import('./shell/completion/shown-words.ts');
  await rememberWords(paths, noun === 'server' && verb !== undefined ? verb : noun, view);
}

/** Whether the options before a `--` include `--json`. */
function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  return options.some((word) => word === '--json' || word === '--jq' || word.startsWith('--jq='));
}

async function contextFor(
  { globals, command }: ParsedCommand,
  version: string,
  terminal: Terminal,
  { signal, signals }: Pick<Interruption, 'signal' | 'signals'>,
): Promise<Context> {
  const { createContext } = await import('./create-context.ts');
  return createContext({
    globals,
    mends: command.mends === true,
    version,
    terminal,
    signal,
    signals,
    cwd: process.cwd(),
    home: homeDirectory(),
    platform: process.platform,
  });
}

/** `undefined` for a user without a home directory, as in some containers. */
function homeDirectory(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

interface Interruption {
  readonly signal: AbortSignal;
  readonly signals: Signals;
  /** The exit code of the signal that ended the command. */
  exitCode(): number | undefined;
  end(): void;
}

/**
 * Ctrl-C, SIGTERM and a closed terminal end the running command in order; a second signal ends the process at once. A
 * command that handles the signals decides itself, and is also notified of a suspension.
 */
function listenForInterruption(): Interruption {
  const controller = new AbortController();
  let code: number | undefined;
  let taker: SignalTaker | undefined;
  const interrupt = (exitCode: number) => {
    code = exitCode;
    controller.abort();
    // Without listeners the next signal ends the process by default. Not at once: the spinner listens as well, and ends
    // the process if no other listener is left.
    setImmediate(end);
  };
  const terminate = (signal: 'SIGTERM' | 'SIGHUP', exitCode: number) => () => {
    if (!taker) return interrupt(exitCode);
    code = exitCode;
    taker.terminate(signal);
  };
  const always = {
    SIGINT: () => (taker ? taker.interrupt() : interrupt(exitCodes.interrupted)),
    SIGTERM: terminate('SIGTERM', exitCodes.terminated),
    SIGHUP: terminate('SIGHUP', exitCodes.hungUp),
  };
  const whileTaken = {
    SIGTSTP: () => void taker?.suspend().finally(() => process.kill(process.pid, 'SIGSTOP')),
    SIGCONT: () => taker?.resume(),
  };
  const end = () => offAll(always);
  onAll(always);
  return {
    signal: controller.signal,
    signals: {
      take(next) {
        taker = next;
        onAll(whileTaken);
        return () => {
          taker = undefined;
          offAll(whileTaken);
        };
      },
    },
    exitCode: () => code,
    end,
  };
}

type Listeners = Partial<Record<NodeJS.Signals, () => void>>;
function onAll(listeners: Listeners): void {
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal as NodeJS.Signals, listener);
}
function offAll(listeners: Listeners): void {
  for (const [signal, listener] of Object.entries(listeners)) process.off(signal as NodeJS.Signals, listener);
}

async function fail(io: Io, error: unknown, interrupted: number | undefined): Promise<number> {
  // A reader that needs no more, such as head, closes the pipe: that is no failure.
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE') return exitCodes.done;
  const explained = isSystemError(error) ? new AppError('CONFIGURATION', { ...explain(error), cause: error }) : error;
  const known = explained instanceof AppError ? explained : toDefect(explained);
  const exitCode = interrupted ?? (explained instanceof AppError ? errors[known.code].exit : exitCodes.defect);
  if (io.output === 'json') {
    const notices = io.takeNotices();
    io.noticeAtOnce();
    io.notice(jsonText({ error: { ...errorDocument(known, exitCode), ...(notices.length > 0 && { notices }) } }));
  } else {
    const { wrap } = await import('./shell/table.ts');
    const folded = (text: string, before: number): string =>
      wrap(text, io.noticeWidth - before).replaceAll('\n', '\n  ');
    io.notice(`${io.paint('laudio:', 'bad', 'err')} ${folded(known.message, 'laudio: '.length)}`);
    for (const line of explanation(known)) io.notice(`  ${folded(line, 2)}`, 'faint');
  }
  return exitCode;
}

/** An unforeseen error. Its message may quote data, so the output shows only its source location. */
function toDefect(error: unknown): AppError {
  const frame = /\n[^\S\n]+at (.*)/.exec((error as Error | undefined)?.stack ?? '')?.[1];
  const name = error instanceof Error ? error.name : typeof error;
  return new AppError('INTERNAL_ERROR', {
    message: 'This is a bug in laudio.',
    hint: 'Please report it with the line below.',
    details: { defect: `${name}${frame ? ` at ${frame}` : ''}` },
  });
}

function explanation(error: AppError): string[] {
  const { details, hint, requestId } = error;
  const fieldErrors = (details?.['errors'] ?? []) as { index?: number; field?: string; message?: string }[];
  const lines = Array.isArray(fieldErrors)
    ? fieldErrors
        .slice(0, 20)
        .map(({ index, field, message }) => `${index === undefined ? '' : `item ${index}: `}${message ?? field}`)
    : [];
  return [
    // Skips fields that the message already names.
    ...lines.filter((line) => !error.message.includes(line)),
    ...(typeof details?.['defect'] === 'string' ? [details['defect']] : []),
    ...(hint ? [hint] : []),
    ...(requestId ? [`Request id: ${requestId}`] : []),
  ];
}

/** The JSON form of an error for `--json` (product: command line). */
function errorDocument(error: AppError, exitCode: number): Record<string, unknown> {
  return {
    code: error.code,
    message: error.message,
    hint: error.hint ?? null,
    http_status: error.status,
    request_id: error.requestId ?? null,
    retry_after_s: error.retryAfter ?? null,
    exit_code: exitCode,
    help: helpFor(error.code),
    ...(error.details && { details: error.details }),
  };
}
