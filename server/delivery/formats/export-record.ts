/** A record as a file in one of the formats of registry.ts, made in a thread. */
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
import { letterheadFor } from '../../../src/reporting/report-head.ts';
import type { Report, Signature } from '../../../src/reporting/report-head.ts';
import type { Call } from '../../http/call.ts';
import { madeBy, toRecord, versionId } from '../../records/stored-record.ts';
import type { Documents } from '../../storage/collections.ts';
import type { StoredRecord, StoredVersion } from '../../records/stored-record.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { Reader } from '../../storage/store.ts';
import { resourcesAt } from '../../worklists/fhir-resources.ts';
import { exportDocument } from './export-document.ts';
import { htmlPolicy } from './html.ts';
import { maxPages } from './pdf/max-pages.ts';

/** Endings of file names, where they are not the name of the format. */
const endings: Partial<Record<ExportFormat, string>> = { fhir: 'json', 'dicom-pdf': 'pdf.dcm', 'dicom-sr': 'sr.dcm' };
export const endingOf = (format: ExportFormat): string => endings[format] ?? format;

/** Makes the file, whose name tells the exam and not the patient. VALIDATION_FAILED where the document is too long for the format. */
export async function exportRecord(
  services: Pick<DeliveryDeps, 'workers'> & ReportDeps,
  record: StoredRecord,
  format: ExportFormat,
  { caller, signal }: Pick<Call, 'caller' | 'signal'>,
): Promise<RawOutput> {
  const report = await fullReport(services, record);
  if (lacksStudy(report, [format])) throw withoutStudy();
  const bytes = await services.workers.run(exportDocument, { format, report }, { client: caller.client_id, signal });
  if (!bytes) throw tooLong();
  return {
    status: 200,
    headers: {
      'Content-Type': exportFormats[format],
      'Content-Disposition': `attachment; filename="${reportFileName(record, report.item)}.${endingOf(format)}"`,
      ...(format === 'html' && { 'Content-Security-Policy': htmlPolicy }),
    },
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}

/** Objects of DICOM belong to the study of the images: of an ordered exam nobody but the RIS and the archive say which it is. */
export const lacksStudy = ({ item }: Report, formats: readonly ExportFormat[]): boolean =>
  item !== null && item.study_uid === null && formats.some((format) => format.startsWith('dicom-'));

const withoutStudy = () =>
  validationFailed([
    {
      field: 'format',
      message:
        'the exam has no study UID, and a DICOM object would lie apart from its images; send the UID with the order, or take another format',
      code: 'FIELD_REQUIRED',
    },
  ]);

/** What a record is exported with. */
export type ReportDeps = Pick<DeliveryDeps, 'store' | 'templates' | 'letterheads'>;
/** A record as it is or as it was: a version of it, with its space. */
type Exported = MedicalRecord & Partial<Documents['records']> & Pick<StoredRecord, 'space'>;

/** The record with all that stands around it in an export. `server`: the FHIR server that gets it. */
export async function fullReport(
  { store, templates, letterheads }: ReportDeps,
  record: Exported,
  server?: string,
): Promise<Report> {
  const template = await templates.find(record, madeBy(record), record.language);
  const known = await reportOf(store, record, server);
  const letterhead = letterheadFor(known.item, letterheads);
  return { ...known, codes: codesOf(template?.sections ?? []), ...(letterhead && { letterhead }) };
}

const tooLong = () =>
  validationFailed([
    {
      field: 'format',
      message: `this document would have more than ${maxPages} pages; txt and html take any length`,
      code: 'TOO_LONG',
    },
  ]);

/** The codes of sections that are of no kind of ours, or that the template codes otherwise. */
const codesOf = (sections: readonly TypeOf<typeof TemplateSection>[]): NonNullable<Report['codes']> =>
  Object.fromEntries(sections.flatMap(({ key, code }) => (code ? [[key, code]] : [])));

async function reportOf(reader: Reader, record: Exported, server: string | undefined): Promise<Report> {
  const found = record.worklist_item_id === null ? undefined : await reader.get('items', record.worklist_item_id);
  const item = found?.space === record.space ? found : null;
  const known = item && server !== undefined ? resourcesAt(server, item) : undefined;
  const signatures = await reader.find('versions', { is: { signature: record.id } });
  const signed = signatures.find((version) => version.record.version <= record.version);
  const versions = signed ? await versionsSince(reader, record, signed) : [];
  const changed = changeOf(record, versions);
  return {
    addenda: addendaOf(record, versions),
    ...(changed && { changed }),
    record: toRecord(record),
    item,
    ...(known && { known }),
    signature: signed ? signatureBy(signed) : null,
    preliminary: await preliminaryOf(reader, record),
  };
}

/** The signature of the resident, from the version that the resident signed. */
async function preliminaryOf(reader: Reader, { id, preliminary }: Exported): Promise<Signature | null> {
  const version = preliminary && (await reader.get('versions', versionId(id, preliminary.version)));
  return version ? signatureBy(version) : null;
}

/** The version that was signed, and all later ones, the newest first. */
async function versionsSince(reader: Reader, { id, version }: Exported, signed: StoredVersion) {
  const versions: StoredVersion[] = [];
  for (let n = version; n > signed.record.version; n -= 1) {
    const found = await reader.get('versions', versionId(id, n));
    if (found) versions.push(found);
  }
  return [...versions, signed];
}

/** How the record differs from what receivers may have of it: a version that was signed, or a later one. */
function changeOf(record: Exported, [newest, ...issued]: readonly StoredVersion[]): Report['changed'] {
  if (!newest || issued.length === 0) return undefined;
  const present = communicationsOf(record);
  const isGone = issued.some((version) =>
    communicationsOf(version.record).some((told) => !present.some((each) => isDeepStrictEqual(each, told))),
  );
  return isGone ? 'amended' : 'appended';
}

/** Who signed each addendum: each version since the signature, newest first, with the sections that it added. */
function addendaOf(record: Exported, versions: readonly StoredVersion[]): Signature[] {
  // Who was told of a critical result adds no section.
  const adding = versions.filter(({ change }) => change !== 'communicated');
  return adding
    .flatMap((version, at) => {
      const before = adding[at + 1];
      const added = before ? version.record.sections.length - before.record.sections.length : 0;
      return Array.from({ length: added }, () => signatureBy(version));
    })
    .toReversed();
}

const signatureBy = ({ who, at, signer }: Pick<StoredVersion, 'who' | 'at' | 'signer'>): Signature => ({
  who,
  at,
  ...signer,
});
