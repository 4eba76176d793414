/**
 * Lets a thread parse and pack large batches of plain new exams (server/storage/tables/bundle.ts), which a RIS sends by
 * the thousands while physicians work: half of the work leaves the event loop. Batches that are not plain or not new
 * take the normal path, so the thread affects only where the work is done.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FastifyRequest } from 'fastify';
import { worklists } from '../../../src/contract/worklist.ts';
import type { IngestResult } from '../../../src/contract/worklist.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Log } from '../../runtime/log.ts';
import { findEndpoint } from '../../http/plugins/errors.ts';
import type { Store, Transaction } from '../../storage/store.ts';
import type { TakenNames } from '../../storage/tables/packer.ts';
import { Bundle } from '../../storage/tables/bundle.ts';
import type { LooseBundle } from '../../storage/tables/bundle.ts';
import type { Definition, StringTable } from '../../storage/tables/string-table.ts';
import type { Arrival } from './merge.ts';
import { valueAt } from '../../../src/domain/elements.ts';

/** Minimum size of a body: passing on a smaller one costs as much as parsing it. */
const minBytes = 8 * 1024;
/** Limit of bytes queued for the thread: about thirty bodies of a hundred exams, or one of three thousand. */
const maxWaitingBytes = 1024 * 1024;
/** The limit grows with each packed body until the thread's code is optimised. */
const bodiesUntilFast = 256;
/** After useless bodies of a space, at most this many are parsed here before the thread gets another. */
const maxPatience = 64;
/** ms without a body after which the thread ends. */
const idleMs = 30_000;
/**
 * Limit of words that the thread may add to a string table: they are permanent, and each new thread learns them all.
 */
const maxWords = 2 ** 14;
/** Processors that must be free, of which the event loop uses one: if none is idle, the thread only competes with it. */
const minFree = 1.5;
/** Heap size in MiB. */
const heapMiB = 128;

/** A request's body for the thread. */
export interface SentBody {
  readonly number: number;
  readonly body: Uint8Array;
  readonly space: string;
  readonly source_system: string | null;
  readonly testMode: boolean;
  /** The number of the string table, and its new definitions since the last body. */
  readonly stringTable: number;
  readonly definitions: { readonly shapes: readonly DefinedText[]; readonly words: readonly DefinedText[] };
}
type DefinedText = readonly [number: number, json: string];

/** Exams that the thread packed, with their accession numbers in order. */
export interface PackedExams<B = LooseBundle> {
  readonly bundle: B;
  readonly accession_numbers: readonly (string | null)[];
}

/**
 * Messages of the thread: first that it is ready, then one per body; `undefined` if the body must take the normal path.
 */
export type ThreadMessage = 'ready' | { readonly number: number; readonly exams: PackedExams | undefined };

export interface Bundling {
  /** Runs the work of an ingest. Helps only when ingests overlap: a lone sender is faster on the event loop. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the thread takes a body of this size. Starts the thread if it would. */
  takes(space: string, bytes: number): boolean;
  /** Resolves to `undefined` if the body must take the normal path. */
  pack(
    body: Uint8Array,
    about: Pick<SentBody, 'space' | 'source_system' | 'testMode'>,
  ): Promise<PackedExams<Bundle> | undefined>;
  /** Records whether the thread was useful for a body of the space. */
  note(space: string, wasOfUse: boolean): void;
  close(): Promise<void>;
}

export interface BundlingOptions {
  readonly store: Pick<Store, 'packer'>;
  readonly log: Log;
  /** Default: the machine's. With one processor the thread would only compete. */
  readonly processors?: number;
  /** How many processors others leave free, those that this process uses included. Default: all. */
  readonly freeProcessors?: () => number;
}

interface PendingBody {
  readonly bytes: number;
  readonly give: (exams: PackedExams | undefined) => void;
}

export function createBundling({
  store,
  log,
  processors = availableParallelism(),
  freeProcessors = () => processors,
}: BundlingOptions): Bundling {
  const { packer } = store;
  let isOff = processors === 1 || !packer;
  let thread: Worker | undefined;
  let isReady = false;
  let ending: NodeJS.Timeout | undefined;
  const waiting = new Map<number, PendingBody>();
  let waitingBytes = 0;
  let underWay = 0;
  let sent = 0;
  let packed = 0;
  /** Spaces whose last body was useless: how many bodies to skip now, and next time. */
  const patience = new Map<string, { left: number; next: number }>();
  let stringTables = 0;
  /** The string table that the thread has a copy of, and its size then. */
  let copied: { readonly stringTable: StringTable; readonly size: StringTable['size'] } | undefined;

  function begin(): Worker {
    const program = fileURLToPath(new URL(import.meta.url.replace(/bundling(\.\w+)$/, 'bundling-thread$1')));
    const begun = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: heapMiB } });
    begun.unref();
    begun.on('message', (message: ThreadMessage) => {
      ending?.refresh();
      if (message === 'ready') isReady = true;
      else settle(message.number, message.exams);
    });
    begun.on('error', (error: NodeJS.ErrnoException) => {
      log({ level: 'warn', event: 'bundling_failed', code: error.code ?? error.name });
      // It would fail again.
      isOff = true;
    });
    begun.on('exit', () => {
      thread = copied = undefined;
      isReady = false;
      packed = 0;
      for (const number of waiting.keys()) settle(number, undefined);
    });
    ending = setTimeout(() => waiting.size === 0 && void begun.terminate(), idleMs).unref();
    return begun;
  }

  function settle(number: number, exams: PackedExams | undefined): void {
    const { bytes, give } = valueAt(waiting, number);
    waiting.delete(number);
    waitingBytes -= bytes;
    if (exams) packed++;
    give(exams);
  }

  /** Definitions that the thread's copy of the string table lacks. */
  function definitionsFor(stringTable: StringTable): SentBody['definitions'] {
    const known = copied?.stringTable === stringTable ? copied.size : undefined;
    if (!known) stringTables++;
    const { shapes, words } = stringTable.definitionsAfter(known ?? { shapes: 0, words: 0 });
    copied = { stringTable, size: stringTable.size };
    const textOf = ([number, json]: Definition): DefinedText => [number, json.toString()];
    return { shapes: shapes.map(textOf), words: words.map(textOf) };
  }

  return {
    async during(work) {
      underWay++;
      try {
        return await work();
      } finally {
        underWay--;
      }
    },
    takes(space, bytes) {
      if (isOff || underWay === 0 || bytes < minBytes || bytes > maxWaitingBytes) return false;
      const waits = patience.get(space);
      if (waits && waits.left-- > 0) return false;
      if (freeProcessors() < minFree) return false;
      thread ??= begin();
      const share = Math.min(1, (1 + packed) / bodiesUntilFast);
      return isReady && (waiting.size === 0 || waitingBytes + bytes <= share * maxWaitingBytes);
    },
    async pack(body, about) {
      if (!thread || !packer) return undefined;
      const stringTable = packer.stringTable('items');
      const definitions = definitionsFor(stringTable);
      const number = ++sent;
      const { promise, resolve } = Promise.withResolvers<PackedExams | undefined>();
      waiting.set(number, { bytes: body.length, give: resolve });
      waitingBytes += body.length;
      thread.postMessage({ number, body, ...about, stringTable: stringTables, definitions } satisfies SentBody);
      const exams = await promise;
      if (!exams) return undefined;
      for (const text of exams.bundle.wanted) {
        if (stringTable.size.words < maxWords && stringTable.numberOfWord(text) < 0) stringTable.addWord(text);
      }
      return { bundle: new Bundle(exams.bundle, stringTable), accession_numbers: exams.accession_numbers };
    },
    note(space, wasOfUse) {
      if (wasOfUse) return void patience.delete(space);
      const left = patience.get(space)?.next ?? 1;
      patience.set(space, { left, next: Math.min(2 * left, maxPatience) });
    },
    async close() {
      isOff = true;
      clearTimeout(ending);
      await thread?.terminate();
    },
  };
}

/** Whether the thread parses the body of a request. */
export const isForThread =
  ({ takes }: Bundling) =>
  (request: FastifyRequest, bytes: number): boolean =>
    findEndpoint(request) === worklists.endpoints.ingest &&
    request.caller !== undefined &&
    takes(request.caller.space, bytes);

/** Exams are new, and their patients unknown to ADT, if none of these names is in use. */
const taken: readonly TakenNames[] = [
  { names: 'accession', collection: 'items', index: 'accession' },
  { names: 'study', collection: 'items', index: 'study' },
  { names: 'patient', collection: 'told_patients', index: 'patient' },
];

/** Ingests packed exams as `ingest` would. Returns `undefined`, without effect, if not all of them are new. */
export function ingestBundle(
  tx: Transaction,
  ids: Ids,
  { bundle, accession_numbers }: PackedExams<Bundle>,
  { space, at }: Arrival,
): IngestResult | undefined {
  const { packer } = tx;
  if (!packer?.canPut(bundle, taken)) return undefined;
  const items = accession_numbers.map((accession_number) => {
    return { accession_number, status: 'inserted', id: ids('wli') } as const;
  });
  const exams = items.map(({ id }) => id);
  packer.put(bundle, exams, at);
  for (const { id, accession_number } of items)
    tx.publish('items', { space, id, accession_number, status: 'new', version: 1, change: 'inserted' });
  const { length } = items;
  return { batch_id: ids('bat'), processed: length, inserted: length, updated: 0, deduped: 0, errors: [], items };
}
