/** The thread of bundling.ts: parses bodies of new exams, validates and packs them. */
import { parentPort } from 'node:worker_threads';
import { createOrder } from '../../../src/domain/in-order.ts';
import { parseJson } from '../../http/plugins/json-body.ts';
import type { LooseBundle } from '../../storage/tables/bundle.ts';
import { createBundler, noStamp } from '../../storage/tables/bundler.ts';
import type { Bundler } from '../../storage/tables/bundler.ts';
import type { PackedExams, SentBody, ThreadMessage } from './bundling.ts';
import { missingCoreFields } from '../check-item.ts';
import type { CheckedItem, ItemRules } from '../check-item.ts';
import { createOutcome, readBatch } from './ingest.ts';
import { createItem } from './merge.ts';

/** As long as any exam id. */
const noId = `wli_${'0'.repeat(26)}`;

/** The exam needs more than the thread can do. */
class NotPlain extends Error {}

const refuse = (): never => {
  throw new NotPlain();
};

const createRules = (testMode: boolean): ItemRules => ({
  testMode,
  // Missing fields and zones are handled by the server.
  validate: refuse,
  zone: { name: '', offsetAt: refuse },
});

let bundler: Bundler | undefined;
let stringTable = 0;

function bundlerFor(sent: SentBody): Bundler {
  if (!bundler || sent.stringTable !== stringTable) bundler = createBundler('items');
  stringTable = sent.stringTable;
  const { shapes, words } = sent.definitions;
  const bytesOf = ([number, json]: readonly [number, string]) => [number, Buffer.from(json)] as const;
  bundler.learn({ shapes: shapes.map(bytesOf), words: words.map(bytesOf) });
  return bundler;
}

/** Rejects if the body or one of its exams is not plain. */
async function pack(sent: SentBody, bundler: Bundler): Promise<PackedExams | undefined> {
  const { body, testMode } = sent;
  const json = parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  const batch = await readBatch(json, createRules(testMode));
  const arrival = { space: sent.space, source_system: sent.source_system, who: '', at: noStamp.created_at };
  const exams = batch.items.map((item) => {
    if (item.errors.length > 0 || missingCoreFields(item).length > 0) return refuse();
    const exam = createItem(noId, item, arrival);
    return isPlain(item, createOutcome(exam, 'inserted', undefined, remarks)) ? exam : refuse();
  });
  const accession_numbers = exams.map(({ accession_number }) => accession_number);
  if (isRepeated(accession_numbers) || isRepeated(exams.map(({ study_uid }) => study_uid))) return undefined;
  const bundle = bundler.bundle(exams);
  return bundle && { bundle, accession_numbers };
}

const remarks = { move: undefined, zone: undefined, notes: undefined, outdated: undefined };

/** Whether the item has only fields of the exam, and needs no warnings. */
const isPlain = (item: CheckedItem, { warnings }: ReturnType<typeof createOutcome>): boolean =>
  !warnings && item.status === undefined && item.extra === undefined && item.fields['metadata'] === undefined;

function isRepeated(names: readonly (string | null)[]): boolean {
  const seen = new Set<string>();
  for (const name of names) if (name !== null && seen.size === seen.add(name).size) return true;
  return false;
}

const buffersOf = ({ bytes, numbers, instants }: LooseBundle): ArrayBuffer[] => [
  bytes.buffer,
  numbers.buffer,
  instants.buffer,
];

const port = parentPort;
if (!port) throw new Error('This module is the program of a thread.');
const send = (message: ThreadMessage, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved);

/** In order, because packing one body affects the next. */
const inOrder = createOrder();

port.on('message', (sent: SentBody) => {
  void inOrder(async () => {
    const bundler = bundlerFor(sent);
    // The server finds the same errors and reports them.
    const exams = await pack(sent, bundler).catch(() => undefined);
    send({ number: sent.number, exams }, exams && buffersOf(exams.bundle));
  });
});

send('ready');
