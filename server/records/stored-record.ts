/** A record in the store: the document, its space, its audio, and each of its versions. */
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { RecordVersion } from '../../src/contract/record-version.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Documents } from '../storage/collections.ts';
import type { RecordChange } from '../storage/feeds.ts';
import type { Reader, Transaction } from '../storage/store.ts';
import type { Named } from './templates/templates.ts';
import type { Inspection } from '../../src/reporting/versions/inspection.ts';

export type StoredRecord = Documents['records'];
export type StoredVersion = Documents['versions'];

/** The document alone, as the API shows it. */
export function toRecord({
  space: _space,
  audio_blob: _blob,
  heard_words: _words,
  suppressed: _suppressed,
  heard_sound: _sound,
  dismissals: _dismissals,
  pending_signature: _pending,
  signatory_id: _signatory,
  ...record
}: MedicalRecord & Partial<StoredRecord>): MedicalRecord {
  return record;
}

/** Reads the record. 404 where the space has no record with that id. */
export async function readRecord(reader: Reader, space: string, id: string): Promise<StoredRecord> {
  const record = await reader.get('records', id);
  if (record?.space !== space) throw new AppError('NOT_FOUND');
  return record;
}

/** The id of a stored version. Ids of one record sort in the order of its versions. */
export const versionId = (recordId: string, version: number): string =>
  `${recordId}.${String(version).padStart(6, '0')}`;

/** The template by which the record was made. Records without a version are older than versions of templates. */
export const madeBy = ({ template_id: id, template_version: version = 1 }: MedicalRecord): Named => ({ id, version });

/** The origin of a version's words, in the form that is stored with the version. */
export const toKept = ({ provenance }: Pick<Inspection, 'provenance'>): Pick<StoredVersion, 'provenance'> =>
  provenance
    ? {
        provenance: {
          words: [...provenance.words],
          heard: [...provenance.heard],
          operations: [...provenance.operations],
        },
      }
    : {};

/** A record whose signature can still be taken back. */
export type SigningRecord = StoredRecord & Required<Pick<StoredRecord, 'signing' | 'pending_signature'>>;

export const isSigning = (record: StoredRecord): record is SigningRecord => record.signing !== undefined;

/** What nobody changes while a signature can be taken back. AppError INVALID_TRANSITION where it can. */
export function refuseWhileSigning(record: StoredRecord): void {
  if (isSigning(record)) throw refusedWhileSigning(record);
}

export const refusedWhileSigning = ({ status, signing }: SigningRecord): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: `The document is signed, and becomes final at ${signing.final_at}.`,
    details: { status, signing },
    hint: 'To change the document, whoever signed takes the signature back first: DELETE …/signing.',
  });

/** Stores the record, stores the same state as its newest version, and publishes the change. */
export function putRecord(
  tx: Transaction,
  record: StoredRecord,
  by: Pick<StoredVersion, 'who' | 'change' | 'provenance' | 'signer' | 'open_findings' | 'note' | 'instruction'>,
): void {
  tx.put('records', record);
  tx.put('versions', {
    id: versionId(record.id, record.version),
    record_id: record.id,
    record: toRecord(record),
    at: record.updated_at,
    ...by,
  });
  publishRecord(tx, record, by.change);
}

/** Publishes the change to the followers of the records. */
export function publishRecord(tx: Transaction, record: StoredRecord, change: RecordChange['change']): void {
  const { space, id, worklist_item_id, version } = record;
  tx.publish('records', { space, id, worklist_item_id, version, change });
}

export const toVersion = ({ record, at, who, change, signer, open_findings, note }: StoredVersion): RecordVersion => ({
  version: record.version,
  at,
  who,
  change,
  status: record.status,
  title: record.title,
  ...(signer && { signer }),
  ...(open_findings && { open_findings }),
  ...(note !== undefined && { note }),
});
