/** Runs what writes to a data directory in a process of its own, kills it, and remembers what it said. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Orders } from './store-writer.ts';

const writer = fileURLToPath(new URL('store-writer.ts', import.meta.url));

export interface Run {
  readonly lines: readonly string[];
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Attempts by the number that they were acknowledged under. */
  readonly kept: ReadonlyMap<number, string>;
  readonly refused: readonly string[];
}

export interface RunOptions {
  /** A program in front of node, with its own arguments: strace, a shell. */
  readonly before?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Is told each line at once, with what kills the process. */
  readonly heard?: (line: string, kill: () => void) => void;
}

/** Runs a writer to its end. */
export async function runWriter(
  orders: Orders,
  { before = [], env = {}, heard = () => {} }: RunOptions = {},
): Promise<Run> {
  const [program, ...args] = [...before, process.execPath, writer, JSON.stringify(orders)];
  const child = spawn(program!, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const stderr = text(child.stderr);
  const lines: string[] = [];
  const kept = new Map<number, string>();
  const refused: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    const [what, first, second] = line.split(' ');
    if (what === 'kept') kept.set(Number(first), second!);
    if (what === 'refused') refused.push(first!);
    heard(line, () => void child.kill('SIGKILL'));
  }
  const [code, signal] = await ended;
  return { lines, stderr: await stderr, code, signal, kept, refused };
}

/** Calls `seen` once, when a temporary file of the store first appears in the directory: a snapshot has begun. */
export function onTemporary(directory: string, seen: () => void): () => void {
  const watcher = watch(directory, (_event, name) => {
    if (!name?.endsWith('.tmp') || name.startsWith('.lock')) return;
    watcher.close();
    seen();
  });
  return () => watcher.close();
}
