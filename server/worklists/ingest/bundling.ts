/**
 * Has a thread read and pack large batches of plain new exams (server/storage/tables/bundle.ts), which a RIS sends by the thousands while
 * physicians work: half of the work leaves the event loop. Whatever is not plain, or not new, is read where all else is read, so that
 * nothing but the place of the work depends on the thread.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FastifyRequest } from 'fastify';
import { worklists } from '../../../src/contract/worklist.ts';
import type { IngestResult } from '../../../src/contract/worklist.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Log } from '../../runtime/log.ts';
import { endpointOf } from '../../http/plugins/errors.ts';
import type { Store, Transaction } from '../../storage/store.ts';
import type { TakenNames } from '../../storage/tables/packer.ts';
import type { Bundle, LooseBundle } from '../../storage/tables/bundle.ts';
import { openBundle } from '../../storage/tables/bundler.ts';
import type { Definition, StringTable } from '../../storage/tables/string-table.ts';
import type { Arrival } from './merge.ts';
import { valueAt } from '../../../src/domain/elements.ts';

/** Bytes of a body: to have a thread read a smaller one takes about as long as to read it. */
const smallest = 8 * 1024;
/** Bytes of the bodies that wait for the thread, at most: about thirty of a hundred exams, or one of three thousand. */
const mostWaiting = 1024 * 1024;
/** The thread has a larger share of that with each body that it has packed, until its code is as fast as it gets. */
const bodiesUntilFast = 256;
/** Bodies of a space that are read here, at most, before the thread has another after others that were not plain, or not new. */
const mostPatience = 64;
/** ms without a body after which the thread ends. */
const idleMs = 30_000;
/** Words of a string table to which the thread may add: each stays for good, and each new thread learns them all. */
const mostWords = 2 ** 14;
/** MiB of its heap. */
const heapMiB = 128;

/** The body of a request, as it goes to the thread. */
export interface SentBody {
  readonly number: number;
  readonly body: Uint8Array;
  readonly space: string;
  readonly source_system: string | null;
  readonly testMode: boolean;
  /** The number of the string table, and what it has defined since the last body. */
  readonly stringTable: number;
  readonly definitions: { readonly shapes: readonly DefinedText[]; readonly words: readonly DefinedText[] };
}
type DefinedText = readonly [number: number, json: string];

/** Exams that the thread has packed, and their accession numbers in that order. */
export interface PackedExams<B = LooseBundle> {
  readonly bundle: B;
  readonly accession_numbers: readonly (string | null)[];
}

/** What comes from the thread: first that it is there, then an answer to each body; `undefined`: it has to be read elsewhere. */
export type Told = 'ready' | { readonly number: number; readonly exams: PackedExams | undefined };

export interface Bundling {
  /** Does the work of an ingest. Beside none the thread takes nothing: whoever sends one batch after the other is served soonest here. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the thread takes a body of so many bytes for that space, beside the ingests under way. Starts the thread where it would. */
  takes(space: string, bytes: number): boolean;
  /** Resolves to `undefined` where the body has to be read elsewhere. */
  pack(
    body: Uint8Array,
    about: Pick<SentBody, 'space' | 'source_system' | 'testMode'>,
  ): Promise<PackedExams<Bundle> | undefined>;
  /** Whether it was of use that the thread had a body of that space. */
  note(space: string, wasOfUse: boolean): void;
  close(): Promise<void>;
}

export interface BundlingOptions {
  readonly store: Pick<Store, 'packer'>;
  readonly log: Log;
  /** Default: those of the machine. On a single one the thread would take from everybody else what it saves them. */
  readonly processors?: number;
}

interface Waiting {
  readonly bytes: number;
  readonly give: (exams: PackedExams | undefined) => void;
}

export function createBundling({ store, log, processors = availableParallelism() }: BundlingOptions): Bundling {
  const { packer } = store;
  let isOff = processors === 1 || !packer;
  let thread: Worker | undefined;
  let isReady = false;
  let ending: NodeJS.Timeout | undefined;
  const waiting = new Map<number, Waiting>();
  let waitingBytes = 0;
  let underWay = 0;
  let sent = 0;
  let packed = 0;
  /** Of a space whose last body was of no use: how many bodies it waits, and how many after the next. */
  const patience = new Map<string, { left: number; next: number }>();
  let stringTables = 0;
  /** The string table of which the thread has a copy, as of that size. */
  let copied: { readonly stringTable: StringTable; readonly size: StringTable['size'] } | undefined;

  function begin(): Worker {
    const program = fileURLToPath(new URL(import.meta.url.replace(/bundling(\.\w+)$/, 'bundling-thread$1')));
    const begun = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: heapMiB } });
    begun.unref();
    begun.on('message', (told: Told) => {
      ending?.refresh();
      if (told === 'ready') isReady = true;
      else settle(told.number, told.exams);
    });
    begun.on('error', (error: NodeJS.ErrnoException) => {
      log({ level: 'warn', event: 'bundling_failed', code: error.code ?? error.name });
      // What failed once fails again.
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

  /** What the thread's copy of the string table lacks. */
  function definitionsFor(stringTable: StringTable): SentBody['definitions'] {
    const isKnown = copied?.stringTable === stringTable;
    if (!isKnown) stringTables++;
    const { shapes, words } = stringTable.definitionsAfter(isKnown ? copied!.size : { shapes: 0, words: 0 });
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
      if (isOff || underWay === 0 || bytes < smallest || bytes > mostWaiting) return false;
      const waits = patience.get(space);
      if (waits && waits.left-- > 0) return false;
      thread ??= begin();
      const share = Math.min(1, (1 + packed) / bodiesUntilFast);
      return isReady && (waiting.size === 0 || waitingBytes + bytes <= share * mostWaiting);
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
        if (stringTable.size.words < mostWords && stringTable.numberOfWord(text) < 0) stringTable.addWord(text);
      }
      return { bundle: openBundle(exams.bundle, stringTable), accession_numbers: exams.accession_numbers };
    },
    note(space, wasOfUse) {
      if (wasOfUse) return void patience.delete(space);
      const left = patience.get(space)?.next ?? 1;
      patience.set(space, { left, next: Math.min(2 * left, mostPatience) });
    },
    async close() {
      isOff = true;
      clearTimeout(ending);
      await thread?.terminate();
    },
  };
}

/** Whether a request has its body read by the thread. */
export const leftToThread =
  ({ takes }: Bundling) =>
  (request: FastifyRequest, bytes: number): boolean =>
    endpointOf(request) === worklists.endpoints.ingest &&
    request.caller !== undefined &&
    takes(request.caller.space, bytes);

/** Exams are new, and of patients of whom nothing was told, where nobody has these names. */
const taken: readonly TakenNames[] = [
  { names: 'accession', collection: 'items', index: 'accession' },
  { names: 'study', collection: 'items', index: 'study' },
  { names: 'patient', collection: 'told_patients', index: 'patient' },
];

/** Ingests exams that a thread has packed, as `ingest` would. `undefined`: not all of them are new; nothing has happened. */
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
