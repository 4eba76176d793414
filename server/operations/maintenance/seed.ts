/** Imports documents from readable lines, exported or written for a test: all or none. */
import type { SeedResult } from '../../../src/contract/maintenance.ts';
import { hasEnded } from '../../../src/domain/job-state.ts';
import { wordsOfRequest } from '../../../src/reporting/typed-report.ts';
import { isTestPatientName, containsTestPatientName } from '../../../src/domain/test-data.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import { collectionNames } from '../../storage/collections.ts';
import type { CollectionName, Documents } from '../../storage/collections.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Reader, StoredDocument, Writer } from '../../storage/store.ts';
import { isPackableId } from '../../storage/tables/packing.ts';
import { Table } from '../../storage/tables/table.ts';
import { noCounts } from './backup.ts';
import type { Counts } from './backup.ts';
import type { Care } from './care.ts';
import { refuseLine } from './document-lines.ts';
import type { LineDocument } from './document-lines.ts';
import { completeExported, trailCollections } from './withheld.ts';
import { valueAt } from '../../../src/domain/elements.ts';

/** Stores the documents. AppError VALIDATION_FAILED with the number of the first invalid line; nothing changes then. */
export async function seed(care: Care, source: AsyncIterable<Uint8Array>): Promise<SeedResult> {
  const staged = await stage(care, source);
  const { store } = care;
  const transact = staged.isLarge ? store.overhaul : store.transact;
  const actor = () => serviceActor('maintenance.seed');
  await transact(async (tx) => {
    const breathe = createBreaks();
    const spaces = await readSpaces(tx, staged);
    for (const { line: _line, ...each } of staged.lines()) {
      await put(tx, each as StoredDocument);
      await breathe();
    }
    // Documents are checked after all are stored, because checks may read other documents.
    let first: { readonly line: number; readonly message: string } | undefined;
    for (const { line, ...each } of staged.lines()) {
      const problem = await checkDocument(tx, each as StoredDocument, spaces);
      if (problem !== undefined && !(first && first.line < line))
        first = { line, message: `${each.collection}: ${problem}` };
      await breathe();
    }
    if (first) throw refuseLine(first.line, first.message);
  }, actor);
  await care.renew();
  return { documents: staged.counts };
}

/** Size of a commit that does not block other transactions. */
const smallCommit = { documents: 1000, bytes: 4 * 2 ** 20 };

/** The documents of the file, packed like in a store: a million objects would take gigabytes. */
interface StagedDocuments {
  /** Whether the documents exceed `smallCommit`. */
  readonly isLarge: boolean;
  readonly counts: Counts;
  /** The lines of one collection, or of all in turn, ordered by id. */
  lines(collection?: CollectionName): Generator<LineDocument, void>;
}

/** Documents between two checks of memory. */
const checkEvery = 4096;

async function stage({ store, readExport }: Care, source: AsyncIterable<Uint8Array>): Promise<StagedDocuments> {
  // The tables have no indexes, because exports lack fields that some indexes need.
  const tables = new Map(collectionNames.map((name) => [name, new Table(name, {})]));
  const counts = noCounts();
  let size = 0;
  const bytes = (): number => Array.from(tables.values()).reduce((sum, table) => sum + table.bytes, 0);
  for await (const { collection, document, line } of readExport(source)) {
    const table = valueAt(tables, collection);
    if (trailCollections.includes(collection))
      throw refuseLine(line, `${collection}: only the server writes the audit trail`);
    if (!isPackableId(document.id)) throw refuseLine(line, `${collection}: the id is too long`);
    if (table.has(document.id)) throw refuseLine(line, `${collection}: a line above has the same id`);
    table.set(document.id, Object.assign(document, { line }));
    counts[collection] += 1;
    // The documents take memory twice: here and in the store.
    if (++size % checkEvery === 0) store.requireRoom(2 * bytes());
  }
  return {
    isLarge: size > smallCommit.documents || bytes() > smallCommit.bytes,
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
  tx.put(collection, completeExported(collection, document, await tx.get(collection, document.id)));
}

type Client = Documents['clients'];

/** Spaces of test clients, and of other clients. */
interface Spaces {
  readonly test: ReadonlySet<string>;
  readonly real: ReadonlySet<string>;
}

/** Spaces of the clients in the store and in the file. */
async function readSpaces(reader: Reader, staged: StagedDocuments): Promise<Spaces> {
  const clients: Client[] = [...(await reader.find('clients', {}))];
  for (const { document } of staged.lines('clients')) clients.push(document as Client);
  const of = (test: boolean) => new Set(clients.flatMap(({ space, test_mode }) => (test_mode === test ? [space] : [])));
  return { test: of(true), real: of(false) };
}

/** Checks a document beyond its schema; returns the problem, or `undefined`. */
async function checkDocument(
  tx: Writer,
  { collection, document }: StoredDocument,
  spaces: Spaces,
): Promise<string | undefined> {
  const isTest = 'space' in document && spaces.test.has(document.space);
  switch (collection) {
    case 'items':
    case 'priors':
      return isTest && !isTestPatientName(document.patient_name) ? notTestPatient : undefined;
    case 'told_patients': {
      const { patient_name: name } = document.facts;
      return isTest && name !== undefined && !isTestPatientName(name) ? notTestPatient : undefined;
    }
    case 'records':
      return isTest && !(document.test_mode && isTestDocument(document)) ? notTestPatient : undefined;
    case 'versions': {
      const record = await tx.get('records', document.record_id);
      const inTest = record !== undefined && spaces.test.has(record.space);
      return inTest && !isTestDocument(document.record) ? notTestPatient : undefined;
    }
    case 'jobs': {
      const { request, status } = document;
      const words = wordsOfRequest(request);
      if (isTest && !(document.test_mode && (words === undefined || containsTestPatientName(words)))) {
        return notTestPatient;
      }
      const lacksAudio = words === undefined && !(await tx.get('jobs', document.id))?.audio;
      return lacksAudio && !hasEnded(status) ? 'the audio of this open job is missing' : undefined;
    }
    case 'macros':
    case 'vocabulary':
      return (document.owner === 'person') === (document.user_id === null)
        ? 'user_id must name the owner, or be null for an item of the space'
        : undefined;
    case 'clients': {
      const isMixed = spaces.test.has(document.space) && spaces.real.has(document.space);
      return isMixed ? 'a space holds test data or real data, not both' : undefined;
    }
    default:
      return undefined;
  }
}

const notTestPatient = 'a space of a test client may only contain test patients';

const isTestDocument = ({
  source,
  transcript,
  text,
}: Documents['records'] | Documents['versions']['record']): boolean =>
  source.kind === 'audio' || containsTestPatientName(transcript ?? text);
