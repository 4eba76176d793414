/** A command line in the process of the tests, which signals reach as they reach one in a process of its own. */
import { run } from '../../cli/run.ts';
import type { Terminal } from '../../cli/shell/io.ts';

export interface SignalledRun {
  readonly code: Promise<number>;
  /** Sends SIGINT, SIGTERM or SIGHUP to this command, and to no other. */
  signal(signal: NodeJS.Signals): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];

export function runSignalled(words: readonly string[], terminal: Terminal): SignalledRun {
  const before = signals.flatMap((signal) => process.listeners(signal));
  // It listens before it does anything else.
  const code = run(words, terminal);
  const listeners = new Map<NodeJS.Signals, NodeJS.SignalsListener>(
    signals.map((signal) => [signal, process.listeners(signal).find((each) => !before.includes(each))!]),
  );
  return { code, signal: (signal) => listeners.get(signal)!(signal) };
}
