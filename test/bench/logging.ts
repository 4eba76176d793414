/** What a line of the log for each call costs the processor: time of the process itself, whatever else the machine does. */
import { contract } from '../../src/contract/index.ts';
import type { Serving } from '../support/process.ts';
import { takerOf } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { adminTokenOf } from './caller.ts';
import { bodies, loadOn } from './ingest.ts';
import { takeTurns } from './rounds.ts';

/** Seconds of the processor that the server has taken so far. */
async function processorTime({ ready }: Serving): Promise<number> {
  const headers = { authorization: `Bearer ${await adminTokenOf(ready)}` };
  const text = await (await fetch(new URL(contract.system.endpoints.metrics.path, ready.url), { headers })).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

/** Milliseconds of the processor for a thousand requests. */
async function perThousand(serving: Serving, duration: number): Promise<number> {
  const taker = await takerOf(serving);
  const before = await processorTime(serving);
  const outcome = await loadOn(taker, bodies.known, { duration });
  return (((await processorTime(serving)) - before) * 1e6) / outcome['2xx'];
}

const measureLogging = (servers: { readonly quiet: Serving; readonly logging: Serving }) =>
  takeTurns({ base: () => perThousand(servers.quiet, 3), value: () => perThousand(servers.logging, 3) }, 5);

/** A line of the log for each request costs the processor under a tenth. */
export async function logRows({ serve, fresh }: Bench): Promise<Row[]> {
  await using quiet = await serve();
  await using logging = await serve(fresh(), ['--log', fresh()]);
  const what = 'a thousand requests with --log, processor time';
  const times = await measureLogging({ quiet, logging });
  return [{ what, against: 'the same without --log', ...times, unit: 'ms', target: { atMost: 1.1 } }];
}
