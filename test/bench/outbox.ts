/** What a backlog of documents that goes out costs those who send exams meanwhile. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { contract } from '../../src/contract/index.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { framed, Frames } from '../../src/protocols/mllp/frames.ts';
import { testToken } from '../support/test-token.ts';
import { takerOf } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { callerOf, operatorOf } from './caller.ts';
import type { Call } from './caller.ts';
import { bodies, loadOn, seed } from './ingest.ts';
import type { Taker } from './ingest.ts';

/** How many documents wait, by where their PDF goes: writing it is most of the work. */
const backlogs = { none: 10_000, inside: 2000 } as const;
const writtenAtOnce = 32;
/** Seconds of each turn. */
const duration = 2;

const { channels, records, worklists } = contract;

export async function outboxRows(bench: Bench): Promise<Row[]> {
  return [await rowOf(bench, 'none'), await rowOf(bench, 'inside')];
}

async function rowOf({ serve }: Bench, pdf: keyof typeof backlogs): Promise<Row> {
  const waiting = backlogs[pdf];
  await using serving = await serve();
  const taker = await takerOf(serving);
  const operator = await operatorOf(serving.ready);
  const ris = await listen(waiting);
  const settings = { host: '127.0.0.1', port: ris.port, pdf, answer_seconds: 600 };
  const channel = { name: 'ris', kind: 'hl7-out', space: 'test_tc_local', settings };
  await operator(channels.endpoints.add, { body: JSON.stringify(channel) });
  await writeDocuments(waiting, taker, callerOf(serving.ready.url, await testToken(serving.ready)));

  await rateOf(taker);
  const without = [await rateOf(taker), await rateOf(taker)];
  const began = performance.now();
  let seconds = 0;
  const drained = ris.answer().then(() => void (seconds = (performance.now() - began) / 1000));
  const beside: number[] = [];
  while (seconds === 0) beside.push(await rateOf(taker));
  await drained;
  // The server holds fewer exams before them, and more after.
  without.push(await rateOf(taker), await rateOf(taker));
  ris.close();
  // The backlog ended within the last turn, unless there was one alone.
  const value = mean(beside.length > 1 ? beside.slice(0, -1) : beside);
  const base = mean(without);
  const documents = `${waiting.toLocaleString('en')} documents ${pdf === 'none' ? 'without' : 'with'} PDF`;
  const what = `ingest, new, while ${documents} go out (in ${seconds.toFixed(1)} s)`;
  return { what, against: 'the same while none goes out', value, base, unit: 'requests/s', target: { atLeast: 0.8 } };
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

async function rateOf(taker: Taker): Promise<number> {
  const outcome = await loadOn(taker, bodies.new, { duration, connections: 16 });
  return outcome['2xx'] / outcome.duration;
}

/** A signed document for each of that many exams. */
async function writeDocuments(waiting: number, taker: Taker, call: Call): Promise<void> {
  await seed(taker, waiting);
  const exams: string[] = [];
  for (let after = ''; exams.length < waiting;) {
    const page = await call<{ items: WorklistItem[]; next_cursor: string | null }>(worklists.endpoints.list, {
      query: `?limit=100${after}`,
    });
    exams.push(...page.items.map(({ id }) => id));
    after = `&cursor=${page.next_cursor}`;
  }
  const text = 'Test Patient. Findings: lungs are clear. Impression: normal.';
  const writer = async (): Promise<void> => {
    for (let exam = exams.pop(); exam !== undefined; exam = exams.pop()) {
      const body = JSON.stringify({ text, worklist_item_id: exam });
      const { id } = await call<MedicalRecord>(records.endpoints.generate, { body });
      await call(records.endpoints.update, { params: { id }, body: JSON.stringify({ status: 'final' }) });
    }
  };
  await Promise.all(Array.from({ length: writtenAtOnce }, writer));
}

/** A RIS that acknowledges nothing until `answer`, which resolves once it has acknowledged that many documents. */
async function listen(count: number) {
  let arrived = 0;
  const held = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    const frames = new Frames(2 ** 20);
    socket.on('data', async (chunk: Buffer) => {
      for (const frame of frames.push(chunk)) {
        if (frame.kind !== 'message') continue;
        await held.promise;
        socket.write(framed(Buffer.from(acknowledge(frame.bytes.toString()))));
        if (++arrived === count) all.resolve();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    answer(): Promise<void> {
      held.resolve();
      return all.promise;
    },
    close(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function acknowledge(message: string): string {
  const id = message.split('|')[9]!;
  return `MSH|^~\\&|RIS|||||20260302113000||ACK|A${id}|P|2.5.1\rMSA|AA|${id}\r`;
}
