/** What one request costs the processor: time of the process itself, whatever else the machine does. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Serving } from '../support/process.ts';
import { takerOf } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { bodies, loadOn } from './ingest.ts';
import type { Taker } from './ingest.ts';

/** Microseconds of the processor for one request: of the main thread, and of all threads. */
interface Cost {
  readonly main: number;
  readonly all: number;
}

/** A server in a process of its own. */
interface Measured {
  readonly pid: number;
  /** Sends requests for a turn, and gives how many were answered. */
  readonly send: () => Promise<number>;
}

/** Microseconds of the processor that the process has taken so far. Linux alone tells them (proc(5): schedstat, in nanoseconds). */
function spentBy(pid: number): Cost {
  const spent = (thread: string): number => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]) / 1000;
    } catch {
      // The thread has ended meanwhile.
      return 0;
    }
  };
  const threads = readdirSync(`/proc/${pid}/task`);
  return { main: spent(String(pid)), all: threads.reduce((sum, thread) => sum + spent(thread), 0) };
}

/** The least of all turns, by turns: what else the machine does makes a request dearer, never cheaper. The first turn warms up. */
export async function measureCosts<Name extends string>(
  measured: Readonly<Record<Name, Measured>>,
  rounds: number,
): Promise<Record<Name, Cost>> {
  const costs = {} as Record<Name, Cost>;
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { send, pid }] of Object.entries(measured) as [Name, Measured][]) {
      const before = spentBy(pid);
      const requests = await send();
      const after = spentBy(pid);
      const { main, all } = { main: (after.main - before.main) / requests, all: (after.all - before.all) / requests };
      const least = costs[name];
      if (round === 0) continue;
      costs[name] = least ? { main: Math.min(least.main, main), all: Math.min(least.all, all) } : { main, all };
    }
  }
  return costs;
}

/**
 * The goals are 130 µs of the main thread for one exam and 800 for a hundred, and 1,000 of all threads, on a machine where the echo of
 * one exam takes 42.
 */
export async function processorRows({ serve, run }: Bench): Promise<Row[]> {
  await using echo = await run('echo.ts');
  await using serving = await serve();
  const taker = await takerOf(serving);
  const rounds = 6;
  const load = (to: Taker, body: object, { ready: { pid } }: Serving): Measured => ({
    pid,
    send: async () => (await loadOn(to, body, { connections: 32, duration: 2 }))['2xx'],
  });
  const echoing = load({ url: echo.ready.url }, bodies.new, echo);
  const one = await measureCosts({ echo: echoing, server: load(taker, bodies.new, serving) }, rounds);
  const hundred = (await measureCosts({ server: load(taker, bodies['batch of 100'], serving) }, rounds)).server;
  const against = 'the echo of one exam';
  const common = { against, base: one.echo.main, unit: 'µs' } as const;
  return [
    { what: 'one exam, main thread', value: one.server.main, ...common, target: { atMost: 130 / 42 } },
    { what: 'one exam, all threads', value: one.server.all, ...common },
    { what: 'a batch of 100, main thread', value: hundred.main, ...common, target: { atMost: 800 / 42 } },
    { what: 'a batch of 100, all threads', value: hundred.all, ...common, target: { atMost: 1000 / 42 } },
  ];
}
