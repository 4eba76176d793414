/** How many orders a second a channel takes over MLLP, each durable before it is acknowledged, against single exams over HTTP. */
import type { Serving } from '../support/process.ts';
import { connectMllp, orderMessage } from '../support/mllp.ts';
import { takerOf } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { adminTokenOf } from './caller.ts';
import { bodies, loadOn } from './ingest.ts';
import { measureCosts } from './processor.ts';
import { takeTurns } from './rounds.ts';

const connections = 16;
/** Seconds of each turn. */
const duration = 3;

export async function hl7Rows({ serve }: Bench): Promise<Row[]> {
  await using serving = await serve();
  const address = await channelOf(serving);
  const taker = await takerOf(serving);
  const { pid } = serving.ready;
  const sendOrders = () => ordersOver(address);
  const sendExams = () => loadOn(taker, bodies.new, { duration, connections });
  const { hl7, http } = await takeTurns(
    {
      hl7: async () => (await sendOrders()) / duration,
      http: async () => {
        const outcome = await sendExams();
        return outcome['2xx'] / outcome.duration;
      },
    },
    3,
  );
  const costs = await measureCosts(
    { hl7: { pid, send: sendOrders }, http: { pid, send: async () => (await sendExams())['2xx'] } },
    3,
  );
  const against = 'single ingest over HTTP';
  const what = `orders over MLLP, ${connections} connections`;
  return [
    { what, against, value: hl7, base: http, unit: 'items/s', target: { atLeast: 0.5 } },
    {
      what: 'an order over MLLP, main thread',
      against,
      value: costs.hl7.main,
      base: costs.http.main,
      unit: 'µs',
      target: { atMost: 2 },
    },
  ];
}

/** Adds a channel, and gives where it listens. */
async function channelOf({ ready }: Serving): Promise<string> {
  const answer = await fetch(new URL('/api/v1/admin/channels', ready.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${await adminTokenOf(ready)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', kind: 'hl7-in', space: 'test_tc_local', settings: { port: 0 } }),
  });
  const { data } = (await answer.json()) as { data: { state: { address: string } } };
  return data.state.address;
}

let sent = 0;

/** The orders of a turn; each connection waits for each acknowledgement. */
async function ordersOver(address: string): Promise<number> {
  const end = performance.now() + duration * 1000;
  const counts = await Promise.all(
    Array.from({ length: connections }, async () => {
      const peer = await connectMllp(address);
      let count = 0;
      for (; performance.now() < end; count++) {
        const id = `B${sent++}`;
        const answer = await peer.ask(orderMessage({ id, accession: id, patient: id }));
        if (!answer.includes('|AA|')) throw new Error('an order was refused');
      }
      peer.close();
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
