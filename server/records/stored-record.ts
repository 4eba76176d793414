/** A stored record: its space, audio and versions. */
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { RecordVersion } from '../../src/contract/record-version.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Documents } from '../storage/collections.ts';
import type { RecordChange } from '../storage/feeds.ts';
import type { Reader, Transaction } from '../storage/store.ts';
import type { TemplateRef } from './templates/templates.ts';
import type { Inspection } from '../../src/reporting/versions/inspection.ts';
import { documentOfRecord, isSigning, recordOfDocument } from './signature-state.ts';
import type { SettledRecord, SigningRecord, StoredRecord } from './signature-state.ts';

export { isSigning } from './signature-state.ts';
export type { OpenRecord, SettledRecord, SigningRecord, StoredRecord } from './signature-state.ts';
export type StoredVersion = Documents['versions'];

/** The record as the API shows it. */
export function toRecord({
  space: _space,
  audio_blob: _blob,
  heard_words: _words,
  suppressed: _suppressed,
  other_readings: _readings,
  unknown_words: _unknown,
  heard_sound: _sound,
  dismissals: _dismissals,
  checking: _checking,
  pending_signature: _pending,
  signatory_id: _signatory,
  ...record
}: MedicalRecord & Partial<Documents['records']>): MedicalRecord {
  return record;
}

/** Reads the record of any space. */
export async function findRecord(reader: Reader, id: string): Promise<StoredRecord | undefined> {
  const document = await reader.get('records', id);
  return document && recordOfDocument(document);
}

/** Reads the record. 404 if the space has no record with that id. */
export async function readRecord(reader: Reader, space: string, id: string): Promise<StoredRecord> {
  const record = await findRecord(reader, id);
  if (record?.space !== space) throw new AppError('NOT_FOUND', { message: 'There is no record with this id.' });
  return record;
}

/** The id of a stored version. Ids of a record sort by version. */
export const versionId = (recordId: string, version: number): string =>
  `${recordId}.${String(version).padStart(6, '0')}`;

/** The record's template. Records without a template version predate template versions. */
export const toTemplateRef = ({ template_id: id, template_version: version = 1 }: MedicalRecord): TemplateRef => ({
  id,
  version,
});

/** The origin of a version's words, as stored. */
export const toStoredProvenance = ({ provenance }: Pick<Inspection, 'provenance'>): Pick<StoredVersion, 'provenance'> =>
  provenance
    ? {
        provenance: {
          words: [...provenance.words],
          heard: [...provenance.heard],
          operations: [...provenance.operations],
        },
      }
    : {};

/** INVALID_TRANSITION if the record is in its grace period. */
export function checkNotSigning(record: StoredRecord): asserts record is SettledRecord {
  if (isSigning(record)) throw signingRefusal(record);
}

export const signingRefusal = ({ status, signing }: SigningRecord): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: `The document is signed, and becomes final at ${signing.final_at}.`,
    details: { status, signing },
    hint: 'To change the document, the signer first takes the signature back: DELETE …/signing.',
  });

/** Stores the record and its newest version, and publishes the change. */
export function putRecord(
  tx: Transaction,
  record: StoredRecord,
  by: Pick<StoredVersion, 'who' | 'change' | 'provenance' | 'signer' | 'open_findings' | 'note' | 'instruction'>,
): void {
  tx.put('records', documentOfRecord(record));
  tx.put('versions', {
    id: versionId(record.id, record.version),
    record_id: record.id,
    record: toRecord(record),
    at: record.updated_at,
    ...by,
  });
  publishRecord(tx, record, by.change);
}

/** Stores a change that makes no version, and publishes it. */
export function putUnversioned(tx: Transaction, record: StoredRecord, change: RecordChange['change']): void {
  tx.put('records', documentOfRecord(record));
  publishRecord(tx, record, change);
}

/** Stores decisions about the current version. */
export async function putReviewed(tx: Transaction, record: StoredRecord): Promise<StoredRecord> {
  const version = await tx.get('versions', versionId(record.id, record.version));
  if (version) tx.put('versions', { ...version, record: toRecord(record) });
  putUnversioned(tx, record, 'reviewed');
  return record;
}

/** Publishes the change to followers of records. */
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
