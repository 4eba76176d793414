/** Documents from readable lines: an export, or what somebody wrote for a test. All of them or none. */
import type { Seeded } from '../../src/contract/maintenance.ts';
import { hasEnded } from '../../src/domain/job-state.ts';
import { isTestPatientName, startsWithTestPatientName } from '../../src/domain/test-data.ts';
import { createBreaks } from '../store/breaks.ts';
import type { Documents } from '../store/collections.ts';
import type { Reader, StoredDocument, Transaction } from '../store/store.ts';
import { noCounts } from './backup.ts';
import type { Care } from './care.ts';
import { wrong } from './document-lines.ts';
import type { LineDocument } from './document-lines.ts';
import { completed } from './withheld.ts';

/** AppError VALIDATION_FAILED with the number of the first line that is not right; nothing is changed then. */
export async function seed(care: Care, source: AsyncIterable<Uint8Array>): Promise<Seeded> {
  const found: LineDocument[] = [];
  const documents = noCounts();
  for await (const each of care.readExport(source)) {
    found.push(each);
    documents[each.collection]! += 1;
  }
  await care.store.transact(async (tx) => {
    const breathe = createBreaks();
    const spaces = await spacesOf(tx, found);
    for (const { line: _line, ...each } of found) {
      await put(tx, each as StoredDocument);
      await breathe();
    }
    // Only now, since one document may be judged by another.
    for (const { line, ...each } of found) {
      const problem = await problemOf(tx, each as StoredDocument, spaces);
      if (problem !== undefined) throw wrong(line, `${each.collection}: ${problem}`);
      await breathe();
    }
  });
  await care.renew();
  return { documents };
}

async function put(tx: Transaction, { collection, document }: StoredDocument): Promise<void> {
  tx.put(collection, completed(collection, document, await tx.get(collection, document.id)));
}

type Client = Documents['clients'];

/** Spaces of test clients, and those of the others. */
interface Spaces {
  readonly test: ReadonlySet<string>;
  readonly real: ReadonlySet<string>;
}

/** The clients of the file count like those there are. */
async function spacesOf(reader: Reader, found: readonly LineDocument[]): Promise<Spaces> {
  const given = found.flatMap((each) => (each.collection === 'clients' ? [each.document as Client] : []));
  const clients = [...(await reader.find('clients', {})), ...given];
  const of = (test: boolean) => new Set(clients.flatMap(({ space, test_mode }) => (test_mode === test ? [space] : [])));
  return { test: of(true), real: of(false) };
}

/** What cannot be right about a document besides its form; `undefined`: nothing. */
async function problemOf(
  tx: Transaction,
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
