/** The log of a server in the foreground: events on stderr, and with `--log` a file of everything. */
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
  /** Receives entries instead of stderr. */
  readonly onLog?: Log;
}

type Logging = Required<Pick<ServerOptions, 'log'>> & Pick<ServerOptions, 'callLog'> & { close(): Promise<void> };

/** CONFIGURATION if the file can't be written. */
export async function openLogging(
  { io, clock }: Context,
  { log: place, logLevel = 'info', onLog }: LoggingChoice,
): Promise<Logging> {
  const say: Log = onLog ?? ((entry) => io.notice(jsonText(entry)));
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
