/** Checks that every document in the database can be read, and that its row agrees with it. Changes nothing. */
import { noteAudio } from '../blobs/named-audio.ts';
import type { NamedAudio } from '../blobs/named-audio.ts';
import { collectionNames } from '../collections.ts';
import type { CollectionName } from '../collections.ts';
import type { DocumentsReport, Problem } from '../condition.ts';
import type { StoredDocument } from '../store.ts';
import { isIndexable } from '../transactions/tables.ts';
import type { DatabaseAddress } from './address.ts';
import { openConnections } from './connections.ts';
import { toStoreError } from './failures.ts';
import { columnsIn, numberColumn, toColumnText } from './layout.ts';
import { readRows, toDocument } from './rows.ts';
import type { Row } from './rows.ts';
import { readSchema } from './schema.ts';
import { readUnfilled } from './upgrade.ts';

type CheckedRow = Row & { readonly id: string } & Readonly<Record<string, unknown>>;

/** The column that does not agree with the document, or `doc`; `undefined`: all do that were read. Words of searches are not compared. */
function findFault(collection: CollectionName, row: CheckedRow): string | undefined {
  if (!isIndexable(collection, row.doc) || toColumnText(row.doc.id) !== row.id) return 'doc';
  return columnsIn(collection).find(
    ({ name, type, read }) =>
      type !== 'tsvector' && name !== numberColumn && name in row && read(row.doc) !== row[name],
  )?.name;
}

/** Reads all rows of the store, as they were at one moment. */
async function withRows(
  address: DatabaseAddress,
  take: (collection: CollectionName, row: CheckedRow) => void,
): Promise<void> {
  const connections = openConnections(address.connection, address);
  try {
    await readSchema(connections, address, async (connection, tables) => {
      const unfilled = tables.has('unfilled') ? await readUnfilled(connection, `"${address.schema}"`) : new Set();
      const isFilled = (collection: CollectionName, column: string): boolean =>
        tables.get(collection)?.has(column) === true && !unfilled.has(`${collection} ${column}`);
      for (const collection of collectionNames) {
        // A later version has more tables than the one that made the schema.
        if (!tables.has(collection)) continue;
        const names = columnsIn(collection).map(({ name }) => name);
        const columns = names.filter((name) => isFilled(collection, name));
        for await (const row of readRows(connection, `"${address.schema}"`, collection, columns)) take(collection, row);
      }
    });
  } catch (error) {
    throw toStoreError(error);
  } finally {
    await connections.close();
  }
}

export async function checkDocuments(address: DatabaseAddress): Promise<DocumentsReport> {
  const problems: Problem[] = [];
  const documents: Record<string, number> = Object.fromEntries(collectionNames.map((name) => [name, 0]));
  const audio: NamedAudio = new Map();
  await withRows(address, (collection, row) => {
    documents[collection] = (documents[collection] ?? 0) + 1;
    const fault = findFault(collection, row);
    if (fault === undefined) noteAudio(audio, { collection, document: toDocument(collection, row) } as StoredDocument);
    else
      problems.push({
        file: null,
        offset: null,
        harmless: false,
        what: `the row ${row.id} of the table ${collection} does not agree with its document (${fault})`,
        advice: 'Somebody changed the database by hand. Restore a backup of before.',
      });
  });
  return { files: [], acknowledged: null, problems, found: { sequence: 0, documents }, audio };
}

export async function findNamedAudio(address: DatabaseAddress): Promise<NamedAudio> {
  const audio: NamedAudio = new Map();
  await withRows(address, (collection, row) => {
    if (findFault(collection, row) === undefined)
      noteAudio(audio, { collection, document: toDocument(collection, row) } as StoredDocument);
  });
  return audio;
}
