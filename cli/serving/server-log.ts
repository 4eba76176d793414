/** The log of a server in the foreground: events on stderr, and with `--log` a file of everything. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../src/contract/errors.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { createBoundedLog, openLogFile, streamSink } from '../../src/node/files/bounded-log.ts';
import type { Log, ServerOptions } from '../../server/index.ts';
import type { Context } from '../context.ts';
import { jsonText } from '../shell/io.ts';

/** In increasing severity. */
export const logLevels = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggingChoice {
  /** A path, or `-`. */
  readonly log?: string | undefined;
  readonly logLevel?: LogLevel | undefined;
}

type Logging = Required<Pick<ServerOptions, 'log'>> & Pick<ServerOptions, 'callLog'> & { close(): Promise<void> };

/** CONFIGURATION if the file can't be written. */
export async function openLogging(
  { io, clock }: Context,
  { log: place, logLevel = 'info' }: LoggingChoice,
): Promise<Logging> {
  const say: Log = (entry) => io.notice(jsonText(entry));
  if (place === undefined) return { log: say, close: async () => {} };
  // Every call writes a line: prepending the time as text avoids copying all fields.
  const lineOf = (entry: Parameters<Log>[0]): string => `{"time":"${isoNow(clock)}",${JSON.stringify(entry).slice(1)}`;
  const file = createBoundedLog(place === '-' ? streamSink(io.stdout) : await openLogFile(place), {
    dropped: (count) => lineOf({ level: 'warn', event: 'log_dropped', count }),
    onTrouble: (code) => say({ level: 'error', event: 'log_failed', code }),
  });
  const minLevel = logLevels.indexOf(logLevel);
  const write: Log = (entry) => {
    if (logLevels.indexOf(entry.level) >= minLevel) file.add(lineOf(entry));
  };
  return {
    log(entry) {
      say(entry);
      write(entry);
    },
    callLog: write,
    close: file.close,
  };
}

/** Minimum length of a token. */
const minTokenLength = 16;

/** The token in the file. CONFIGURATION if it is missing or weak. */
export async function readMonitorToken(path: string | undefined): Promise<Pick<ServerOptions, 'monitorToken'>> {
  if (path === undefined) return {};
  const token = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (token.length >= minTokenLength && /^[A-Za-z0-9._~+/-]+=*$/.test(token)) return { monitorToken: token };
  throw new AppError('CONFIGURATION', {
    message: `The file of --metrics-token-file contains no token: one line of ${minTokenLength} characters or more, of letters, digits and ._~+/-.`,
    hint: 'Make one with: openssl rand -hex 32 > FILE',
  });
}
