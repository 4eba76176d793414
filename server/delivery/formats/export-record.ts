/** Exports a record in one of the formats of registry.ts, in a thread. */
import { isDeepStrictEqual } from 'node:util';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { validationFailed } from '../../../src/contract/errors.ts';
import { exportFormats } from '../../../src/contract/export.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import type { ExportFormat } from '../../../src/contract/export.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import type { TemplateSection } from '../../../src/contract/template.ts';
import { communicationsOf } from '../../../src/reporting/critical.ts';
import { reportFileName } from '../../../src/reporting/report-file-name.ts';
import { listMeasurements } from '../../../src/reporting/versions/measurements.ts';
import { letterheadFor } from '../../../src/reporting/report-head.ts';
import type { Report, Signature } from '../../../src/reporting/report-head.ts';
import type { Call } from '../../http/call.ts';
import { toTemplateRef, toRecord, versionId } from '../../records/stored-record.ts';
import type { Documents } from '../../storage/collections.ts';
import type { StoredRecord, StoredVersion } from '../../records/stored-record.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { Reader } from '../../storage/store.ts';
import { resourcesAt } from '../../worklists/fhir-resources.ts';
import { listReplaced } from './dicom/verification.ts';
import { findUnfitIdentifier } from './dicom/unfit-identifiers.ts';
import type { UnfitIdentifier } from './dicom/unfit-identifiers.ts';
import { exportDocument } from './export-document.ts';
import { htmlPolicy } from './html.ts';
import { maxPages } from './pdf/max-pages.ts';

/** File extensions that differ from the name of the format. */
const fileExtensions: Partial<Record<ExportFormat, string>> = {
  fhir: 'json',
  'dicom-pdf': 'pdf.dcm',
  'dicom-sr': 'sr.dcm',
  'dicom-enhanced-sr': 'esr.dcm',
  'dicom-measurements': 'msr.dcm',
};
export const fileExtension = (format: ExportFormat): string => fileExtensions[format] ?? format;

/** Makes the file, whose name identifies the exam, not the patient. VALIDATION_FAILED: it is too long for the format. */
export async function exportRecord(
  services: Pick<DeliveryDeps, 'workers'> & ReportDeps,
  record: StoredRecord,
  format: ExportFormat,
  { caller, signal }: Pick<Call, 'caller' | 'signal'>,
): Promise<RawOutput> {
  const report = await buildReport(services, record);
  if (lacksStudy(report, [format])) throw withoutStudy();
  const unfit = findUnfit(report, [format]);
  if (unfit) throw validationFailed([{ field: 'format', message: unfit.message, code: 'INVALID_VALUE' }]);
  const bytes = await services.workers.run(exportDocument, { format, report }, { client: caller.client_id, signal });
  if (!bytes) throw tooLong();
  if (bytes.length === 0) throw withoutMeasurements();
  return {
    status: 200,
    headers: {
      'Content-Type': exportFormats[format],
      'Content-Disposition': `attachment; filename="${reportFileName(record, report.item)}.${fileExtension(format)}"`,
      ...(format === 'html' && { 'Content-Security-Policy': htmlPolicy }),
    },
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}

/** The document of a record as the operator gets it; `undefined`: it is too long for the format. */
export const renderRecord = async (
  services: Pick<DeliveryDeps, 'workers'> & ReportDeps,
  record: StoredRecord,
  format: ExportFormat,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> =>
  services.workers.run(
    exportDocument,
    { format, report: await buildReport(services, record) },
    { client: 'operator', signal },
  );

/** DICOM objects belong to the study of the images, which only the RIS and the archive of an ordered exam know. */
export const lacksStudy = ({ item }: Report, formats: readonly ExportFormat[]): boolean =>
  item !== null && item.study_uid === null && formats.some(isDicom);

/** Why the report cannot go in these formats, whatever is tried; `undefined`: it can. */
export const findUnfit = (report: Report, formats: readonly ExportFormat[]): UnfitIdentifier | undefined =>
  formats.some(isDicom) ? findUnfitIdentifier(report) : undefined;

const isDicom = (format: ExportFormat): boolean => format.startsWith('dicom-');

const withoutStudy = () =>
  validationFailed([
    {
      field: 'format',
      message:
        'the exam has no study UID, and a DICOM object would lie apart from its images; send the UID with the order, or take another format',
      code: 'FIELD_REQUIRED',
    },
  ]);

const withoutMeasurements = () =>
  validationFailed([
    {
      field: 'format',
      message: 'the report has no measurements; dicom-sr and dicom-enhanced-sr have its text',
      code: 'INVALID_VALUE',
    },
  ]);

export type ReportDeps = Pick<DeliveryDeps, 'store' | 'templates' | 'letterheads'>;
/** A record or a version of it, with its space. */
type RecordVersion = MedicalRecord & Partial<Documents['records']> & Pick<StoredRecord, 'space'>;

/** The record with everything that an export contains. `server`: the FHIR server that receives it. */
export async function buildReport(
  { store, templates, letterheads }: ReportDeps,
  record: RecordVersion,
  server?: string,
): Promise<Report> {
  const template = await templates.find(record, toTemplateRef(record), record.language);
  const known = await readReport(store, record, server);
  const letterhead = letterheadFor(known.item, letterheads);
  return { ...known, codes: codesOf(template?.sections ?? []), ...(letterhead && { letterhead }) };
}

/** The document has more pages than the format takes. */
export const tooLong = () =>
  validationFailed([
    {
      field: 'format',
      message: `this document would have more than ${maxPages} pages; txt and html take any length`,
      code: 'TOO_LONG',
    },
  ]);

/** Codes of sections of the template that differ from the standard ones, or have none. */
const codesOf = (sections: readonly TypeOf<typeof TemplateSection>[]): NonNullable<Report['codes']> =>
  Object.fromEntries(sections.flatMap(({ key, code }) => (code ? [[key, code]] : [])));

async function readReport(reader: Reader, record: RecordVersion, server: string | undefined): Promise<Report> {
  const found = record.worklist_item_id === null ? undefined : await reader.get('items', record.worklist_item_id);
  const item = found?.space === record.space ? found : null;
  const known = item && server !== undefined ? resourcesAt(server, item) : undefined;
  const signatures = await reader.find('versions', { is: { signature: record.id } });
  const signed = signatures.find((version) => version.record.version <= record.version);
  const versions = signed ? await readVersionsSince(reader, record, signed) : [];
  const changed = findChange(record, versions);
  const { measurements } = await readMeasured(reader, toRecord(record));
  const replaced = await Promise.all(
    listReplaced({ record: toRecord(record), ...(changed && { changed }) }).map(({ id, version }) =>
      reader.get('versions', versionId(id, version)),
    ),
  );
  return {
    addenda: listAddenda(record, versions),
    ...(changed && { changed }),
    record: toRecord(record),
    item,
    ...(known && { known }),
    ...(measurements && { measurements }),
    replaced: replaced.flatMap((version) => (version ? withMeasurements(version.record, version) : [])),
    signature: signed ? toSignature(signed) : null,
    preliminary: await readPreliminary(reader, record),
  };
}

async function readMeasured(reader: Reader, record: MedicalRecord): Promise<Pick<Report, 'record' | 'measurements'>> {
  return withMeasurements(record, await reader.get('versions', versionId(record.id, record.version)));
}

function withMeasurements(
  record: MedicalRecord,
  version: StoredVersion | undefined,
): Pick<Report, 'record' | 'measurements'> {
  const { provenance } = version ?? {};
  const measurements = provenance ? listMeasurements({ sections: record.sections, provenance }) : [];
  return { record, ...(measurements.length > 0 && { measurements }) };
}

/** The resident's signature, from the version that the resident signed. */
async function readPreliminary(reader: Reader, { id, preliminary }: RecordVersion): Promise<Signature | null> {
  const version = preliminary && (await reader.get('versions', versionId(id, preliminary.version)));
  return version ? toSignature(version) : null;
}

/** The signed version and all later ones, newest first. */
async function readVersionsSince(reader: Reader, { id, version }: RecordVersion, signed: StoredVersion) {
  const versions: StoredVersion[] = [];
  for (let n = version; n > signed.record.version; n -= 1) {
    const found = await reader.get('versions', versionId(id, n));
    if (found) versions.push(found);
  }
  return [...versions, signed];
}

/** How the record differs from issued versions, which receivers may have: the signed one, or a later one. */
function findChange(record: RecordVersion, [newest, ...issued]: readonly StoredVersion[]): Report['changed'] {
  if (!newest || issued.length === 0) return undefined;
  const present = communicationsOf(record);
  const isGone = issued.some((version) =>
    communicationsOf(version.record).some((earlier) => !present.some((each) => isDeepStrictEqual(each, earlier))),
  );
  return isGone ? 'amended' : 'appended';
}

/** Signatures of the addenda, oldest first: each later version that adds sections has one. */
function listAddenda(record: RecordVersion, versions: readonly StoredVersion[]): Signature[] {
  // Recording who was informed of a critical result adds no section.
  const adding = versions.filter(({ change }) => change !== 'communicated');
  return adding
    .flatMap((version, at) => {
      const before = adding[at + 1];
      const added = before ? version.record.sections.length - before.record.sections.length : 0;
      return Array.from({ length: added }, () => toSignature(version));
    })
    .toReversed();
}

const toSignature = ({ who, at, signer }: Pick<StoredVersion, 'who' | 'at' | 'signer'>): Signature => ({
  who,
  at,
  ...signer,
});
