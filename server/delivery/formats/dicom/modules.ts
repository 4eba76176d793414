/** Modules of all DICOM documents: file meta information, patient, study, series, equipment and general document data. */
import { explicitLittleEndian, writeDataSet } from '../../../../src/protocols/dimse/data-set.ts';
import { sopClasses } from '../../../../src/protocols/dimse/classes.ts';
import type { Attribute } from '../../../../src/protocols/dimse/data-set.ts';
import { toComponents } from '../../../../src/domain/person-name.ts';
import { buildLetterhead } from '../../../../src/reporting/report-head.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { reportCode } from '../../../../src/reporting/sections/section-codes.ts';
import { implementationClass } from '../../../../src/protocols/dimse/pdu.ts';
import { instanceUid, seriesUid, studyUid } from './uids.ts';
import type { DicomKind } from './uids.ts';
import { readText } from '../order-data.ts';
import { describeIssuer, describePatientIdIssuer } from './issuers.ts';
import { identifier, longString, toMoment, readOffset, personName } from './values.ts';

export type Item = readonly Attribute[];

/** SOP class by kind of document. */
export const classOf: Readonly<Record<DicomKind, string>> = {
  pdf: sopClasses.encapsulatedPdf,
  sr: sopClasses.basicTextSr,
  'enhanced-sr': sopClasses.enhancedSr,
  measurements: sopClasses.enhancedSr,
};
/** Modality, and a series number that no scanner reaches. */
const series: Readonly<Record<DicomKind, readonly [modality: string, number: string]>> = {
  pdf: ['DOC', '9901'],
  sr: ['SR', '9902'],
  'enhanced-sr': ['SR', '9903'],
  measurements: ['SR', '9904'],
};

/** The UTC offset of the exam, which applies to all dates of a document. */
export const clockOf = ({ item }: Report): number => readOffset(item?.exam_datetime);

export const institutionOf = (report: Report): string => longString(buildLetterhead(report)[0]);

/** A code of any length (PS3.3 8.1). */
export const code = (value: string, scheme: string, meaning: string): Item => [
  [...value].length > 16 ? ['00080119', 'UC', value] : ['00080100', 'SH', value],
  ['00080102', 'SH', scheme],
  ['00080104', 'LO', longString(meaning) || value],
];

export const reportConcept = code(reportCode, 'LN', 'Radiology Report');

/** The DICOM file (PS3.10 7.1) of a document whose specific attributes are `content`. */
export function dicomFile(report: Report, kind: DicomKind, content: Item): Uint8Array {
  const instance = instanceUid(report, kind);
  const meta = writeDataSet(
    [
      ['00020001', 'OB', Uint8Array.of(0, 1)],
      ['00020002', 'UI', classOf[kind]],
      ['00020003', 'UI', instance],
      ['00020010', 'UI', explicitLittleEndian],
      ['00020012', 'UI', implementationClass],
      ['00020013', 'SH', 'LAUDIO'],
    ],
    explicitLittleEndian,
  );
  const dataSet = writeDataSet(
    [...buildSharedAttributes(report, kind), ['00080018', 'UI', instance], ...content],
    explicitLittleEndian,
  );
  const length = writeDataSet([['00020000', 'UL', meta.length]], explicitLittleEndian);
  return Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), length, meta, dataSet]);
}

/** A sequence with the item, if it has attributes. */
export const ifAny = (tag: string, item: Item): Item => (item.length > 0 ? [[tag, 'SQ', [item]]] : []);

function buildSharedAttributes(report: Report, kind: DicomKind): Item {
  const { record, item } = report;
  const clock = clockOf(report);
  const exam = item && toMoment(item.exam_datetime, clock);
  const written = toMoment(record.updated_at, clock);
  const institution = institutionOf(report);
  const issuer = identifier(item?.metadata?.['patient_id_issuer'], 64);
  const [modality, number] = series[kind];
  return [
    ['00080005', 'CS', 'ISO_IR 192'],
    ['00080016', 'UI', classOf[kind]],
    ['00080020', 'DA', exam?.date ?? ''],
    ['00080023', 'DA', written.date],
    ['00080030', 'TM', exam?.time ?? ''],
    ['00080033', 'TM', written.time],
    ['00080050', 'SH', identifier(item?.accession_number, 16)],
    ...ifAny('00080051', describeIssuer(item?.accession_issuer ?? '', readText(item, 'accession_system'))),
    ['00080060', 'CS', modality],
    ['00080070', 'LO', 'Laudio'],
    ...(institution ? ([['00080080', 'LO', institution]] as const) : []),
    ['00080090', 'PN', personName(toComponents(item?.referring_physician ?? ''))],
    ['00080201', 'SH', written.offset],
    ['00081030', 'LO', longString(item?.exam_description ?? record.title)],
    ['0008103E', 'LO', longString(record.title)],
    ['00100010', 'PN', personName(item?.patient_name)],
    ['00100020', 'LO', identifier(item?.patient_id, 64)],
    ...(issuer ? ([['00100021', 'LO', issuer]] as const) : []),
    ...ifAny(
      '00100024',
      describePatientIdIssuer(readText(item, 'patient_id_system'), readText(item, 'patient_id_type')),
    ),
    ['00100030', 'DA', item?.patient_birth_date?.replaceAll('-', '') ?? ''],
    // An unknown sex is an empty value.
    ['00100040', 'CS', item?.patient_sex === 'U' ? '' : (item?.patient_sex ?? '')],
    ['0020000D', 'UI', studyUid(report)],
    ['0020000E', 'UI', seriesUid(report, kind)],
    ['00200010', 'SH', ''],
    ['00200011', 'IS', number],
    ['00200013', 'IS', String(record.version)],
  ];
}
