/** Documents from readable lines: an export, or what somebody wrote for a test. All of them or none. */
import type { Seeded } from '../../src/contract/maintenance.ts';
import { hasEnded } from '../../src/domain/job-state.ts';
import { isTestPatientName, startsWithTestPatientName } from '../../src/domain/test-data.ts';
import { createBreaks } from '../store/breaks.ts';
import { collectionNames } from '../store/collections.ts';
import type { CollectionName, Documents } from '../store/collections.ts';
import type { Reader, StoredDocument, Writer } from '../store/store.ts';
import { isPackableId } from '../tables/packing.ts';
import { Table } from '../tables/table.ts';
import { noCounts } from './backup.ts';
import type { Counts } from './backup.ts';
import type { Care } from './care.ts';
import { wrong } from './document-lines.ts';
import type { LineDocument } from './document-lines.ts';
import { completed } from './withheld.ts';

/** AppError VALIDATION_FAILED with the number of the first line that is not right; nothing is changed then. */
export async function seed(care: Care, source: AsyncIterable<Uint8Array>): Promise<Seeded> {
  const staged = await stage(care, source);
  const { store } = care;
  const transact = staged.isMuch ? store.overhaul : store.transact;
  await transact(async (tx) => {
    const breathe = createBreaks();
    const spaces = await spacesOf(tx, staged);
    for (const { line: _line, ...each } of staged.lines()) {
      await put(tx, each as StoredDocument);
      await breathe();
    }
    // Only now, since one document may be judged by another.
    let first: { readonly line: number; readonly what: string } | undefined;
    for (const { line, ...each } of staged.lines()) {
      const problem = await problemOf(tx, each as StoredDocument, spaces);
      if (problem !== undefined && !(first && first.line < line))
        first = { line, what: `${each.collection}: ${problem}` };
      await breathe();
    }
    if (first) throw wrong(first.line, first.what);
  });
  await care.renew();
  return { documents: staged.counts };
}

/** What a commit may have without anybody waiting. */
const little = { documents: 1000, bytes: 4 * 2 ** 20 };

/** Lines that were read, packed as a store packs documents: a million of them as objects are gigabytes. */
interface Staged {
  /** More than `little`. */
  readonly isMuch: boolean;
  readonly counts: Counts;
  /** Of one collection, or of all one after the other; by id. */
  lines(collection?: CollectionName): Generator<LineDocument, void>;
}

/** Documents read before it is looked again whether there is room for them. */
const checkEvery = 4096;

async function stage({ store, readExport }: Care, source: AsyncIterable<Uint8Array>): Promise<Staged> {
  // Without indexes: an export leaves out what some of them need.
  const tables = new Map(collectionNames.map((name) => [name, new Table(name, {})]));
  const counts = noCounts();
  let size = 0;
  const bytes = (): number => Array.from(tables.values()).reduce((sum, table) => sum + table.bytes, 0);
  for await (const { collection, document, line } of readExport(source)) {
    const table = tables.get(collection)!;
    if (!isPackableId(document.id)) throw wrong(line, `${collection}: its id is too long`);
    if (table.has(document.id)) throw wrong(line, `${collection}: this id stands above already`);
    table.set(document.id, Object.assign(document, { line }));
    counts[collection]! += 1;
    // They are here, and will be in what is put together of them and what is stored.
    if (++size % checkEvery === 0) store.requireRoom(2 * bytes());
  }
  return {
    isMuch: size > little.documents || bytes() > little.bytes,
    counts,
    *lines(only) {
      for (const [collection, table] of tables) {
        if (only !== undefined && only !== collection) continue;
        for (const each of table.view().documents()) {
          const { line, ...document } = each as typeof each & { line: number };
          yield { collection, document, line } as LineDocument;
        }
      }
    },
  };
}

async function put(tx: Writer, { collection, document }: StoredDocument): Promise<void> {
  tx.put(collection, completed(collection, document, await tx.get(collection, document.id)));
}

type Client = Documents['clients'];

/** Spaces of test clients, and those of the others. */
interface Spaces {
  readonly test: ReadonlySet<string>;
  readonly real: ReadonlySet<string>;
}

/** The clients of the file count like those there are. */
async function spacesOf(reader: Reader, staged: Staged): Promise<Spaces> {
  const clients: Client[] = [...(await reader.find('clients', {}))];
  for (const { document } of staged.lines('clients')) clients.push(document as Client);
  const of = (test: boolean) => new Set(clients.flatMap(({ space, test_mode }) => (test_mode === test ? [space] : [])));
  return { test: of(true), real: of(false) };
}

/** What cannot be right about a document besides its form; `undefined`: nothing. */
async function problemOf(
  tx: Writer,
  { collection, document }: StoredDocument,
  spaces: Spaces,
): Promise<string | undefined> {
  const isTest = 'space' in document && spaces.test.has(document.space);
  switch (collection) {
    case 'items':
      return isTest && !isTestPatientName(document.patient_name) ? notTestPatient : undefined;
    case 'records':
      return isTest && !(document.test_mode && isTestDocument(document)) ? notTestPatient : undefined;
    case 'versions': {
      const record = await tx.get('records', document.record_id);
      const inTest = record !== undefined && spaces.test.has(record.space);
      return inTest && !isTestDocument(document.record) ? notTestPatient : undefined;
    }
    case 'jobs': {
      const { request, status } = document;
      if (isTest && !(document.test_mode && (request.text === undefined || startsWithTestPatientName(request.text)))) {
        return notTestPatient;
      }
      const lacksAudio = request.text === undefined && !(await tx.get('jobs', document.id))?.audio;
      return lacksAudio && !hasEnded(status) ? 'the audio of this open job is not here' : undefined;
    }
    case 'clients': {
      const isMixed = spaces.test.has(document.space) && spaces.real.has(document.space);
      return isMixed ? 'a space holds test data or real data, not both' : undefined;
    }
    default:
      return undefined;
  }
}

const notTestPatient = 'a space of a test client takes test patients only';

const isTestDocument = ({
  source,
  transcript,
  text,
}: Documents['records'] | Documents['versions']['record']): boolean =>
  source.kind === 'audio' || startsWithTestPatientName(transcript ?? text);
