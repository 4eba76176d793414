/** The document as an HL7 v2.5.1 result message, ORU^R01. A version always results in the same message. */
import type { Section } from '../../../src/contract/document.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { signedParts } from '../../../src/reporting/report-head.ts';
import type { Report, Signature } from '../../../src/reporting/report-head.ts';
import { controlIdOf, versionName } from '../../storage/control-id.ts';
import * as echoed from './hl7/echo-order.ts';
import { splitByOrder, orderedProcedures, readText, visitNumber } from './order-data.ts';
import { divideText } from './hl7/divide-text.ts';
import { measurementRows } from './hl7/measurement-rows.ts';
import { header, segment } from './hl7/segments.ts';
import type { Field } from './hl7/segments.ts';
import type { Hl7Settings } from './hl7/settings.ts';
import { imagePlaceholder, listKeyImages } from './key-image-uids.ts';
import { pdfReport } from './pdf.ts';
import { reportStatus, statusCodes } from './report.ts';
import type { KeyImage } from '../../../src/reporting/key-images.ts';
import { reportCode, sectionCodes } from '../../../src/reporting/sections/section-codes.ts';

/** `undefined`: the document is too long for the embedded PDF. */
export async function hl7Report(report: Report, settings: Hl7Settings = {}): Promise<string | undefined> {
  const pdf = await pdfRow(report, settings);
  if (!pdf) return undefined;
  const { record, item } = report;
  const physicianIds = settings.physician_ids ?? {};
  const status = statusCodes[reportStatus(report)];
  const segments = [
    header({
      3: splitName(settings.sending_application) ?? 'LAUDIO',
      4: splitName(settings.sending_facility) ?? echoed.authority(item?.hospital_name ?? ''),
      5: splitName(settings.receiving_application) ?? '',
      6: splitName(settings.receiving_facility) ?? '',
      7: hl7Time(record.updated_at),
      9: ['ORU', 'R01', 'ORU_R01'],
      10: settings.control_id ?? controlIdOf(versionName(record)),
      11: record.test_mode ? 'T' : 'P',
      12: '2.5.1',
      18: settings.character_set ?? 'UNICODE UTF-8',
    }),
    patientSegment(item),
    segment('PV1', { 1: '1', 2: readText(item, 'patient_class') || 'U', 19: visitNumber(item) }),
    // A RIS files a result by order: each order of the exam gets the whole text, the first also the PDF.
    ...splitByOrder(item).flatMap((ordered, at) => [
      ...orderSegments({ ...report, item: ordered }, at + 1, status, physicianIds),
      ...observations(report, at === 0 ? pdf : [], status.observation, settings),
    ]),
  ];
  return segments.map((text) => `${text}\r`).join('');
}

/** A name in the header: `^` separates its components. */
const splitName = (name: string | undefined): Field | undefined => name?.split('^');

function patientSegment(item: WorklistItem | null): string {
  if (!item) return 'PID|1';
  return segment('PID', {
    1: '1',
    3: echoed.patientId(item),
    5: personName(item.patient_name),
    7: item.patient_birth_date?.replaceAll('-', '') ?? '',
    8: item.patient_sex ?? 'U',
  });
}

function orderSegments(
  { record, item, signature, preliminary }: Report,
  position: number,
  status: { readonly order: string; readonly result: string },
  physicianIds: PhysicianIds,
): string[] {
  const numbers = { 2: echoed.placerNumber(item), 3: echoed.fillerNumber(item, record.id) };
  const examTime = item ? hl7Time(item.exam_datetime) : '';
  const request = segment('OBR', {
    1: String(position),
    ...numbers,
    4: orderedProcedures(item) ?? [
      item?.procedure_id || reportCode,
      item?.exam_description ?? record.title,
      item?.procedure_id ? 'L' : 'LN',
    ],
    7: examTime,
    // XCN: an identifier before the name.
    16: item?.referring_physician ? echoed.referrer(item, personName(item.referring_physician)) : '',
    18: item?.accession_number ?? '',
    19: item?.procedure_id ?? '',
    22: hl7Time(record.updated_at),
    24: item?.modality ?? '',
    25: status.result,
    31: ['', readText(item, 'indication')],
    // The principal interpreter; the resident is the assistant if an attending co-signed.
    32: interpreter(signature ?? preliminary, physicianIds),
    33: signature ? interpreter(preliminary, physicianIds) : '',
  });
  return [
    segment('ORC', { 1: 'RE', ...numbers, 5: status.order }),
    request,
    segment('TQ1', { 1: '1', 7: examTime, 9: echoed.priority(item) }),
  ];
}

/** NDL, whose first component is a CNN: id and family name. */
const interpreter = (of: Signature | null | undefined, ids: PhysicianIds): Field =>
  of?.who ? [[physicianId(of, ids), of.who]] : '';

type PhysicianIds = NonNullable<Hl7Settings['physician_ids']>;

/** The id that the receiver knows, else the licence number. */
const physicianId = ({ who, licence = '' }: Signature, ids: PhysicianIds): string =>
  findEntry(ids, licence) ?? findEntry(ids, who ?? '') ?? licence;

/** An observation and its notes. */
interface Row {
  readonly type: string;
  readonly identifier: Field;
  readonly value: Field;
  readonly sub?: string;
  readonly unit?: Field;
  /** Responsible observer, if not the interpreter of the whole report (OBR-32). */
  readonly by?: Signature | undefined;
  readonly notes?: readonly string[];
}

/** The PDF, or a link to it; `undefined`: the document is too long for a PDF. */
async function pdfRow(
  report: Report,
  { pdf: place = 'inside', pdf_link: link }: Hl7Settings,
): Promise<readonly Row[] | undefined> {
  const { record } = report;
  if (place === 'none') return [];
  const identifier = [reportCode, record.title, 'LN'];
  if (place === 'link') {
    if (link === undefined) throw new TypeError('pdf is link, but pdf_link is not set.');
    const url = link.replaceAll('{record_id}', record.id).replaceAll('{version}', String(record.version));
    return [{ type: 'RP', identifier, value: [url, '', 'application', 'pdf'] }];
  }
  const pdf = await pdfReport(report);
  const base64 = pdf && Buffer.from(pdf).toString('base64');
  return base64 === undefined
    ? undefined
    : [{ type: 'ED', identifier, value: ['', 'application', 'pdf', 'Base64', base64] }];
}

/** Key images by reference: RP (2.A.65). */
const imageRows = (report: Report, settings: Hl7Settings): Row[] =>
  listKeyImages(report, 'hl7', settings).map((image, at) => ({
    type: 'RP',
    identifier: ['55113-5', 'Key Images', 'LN'],
    sub: String(at + 1),
    value: [
      settings.image_link?.replace(imagePlaceholder, (_, name: keyof KeyImage) => image[name]) ??
        `urn:oid:${image.instance_uid}`,
      '',
      'application',
      'dicom',
    ],
  }));

function observations(report: Report, pdf: readonly Row[], status: string, settings: Hl7Settings): string[] {
  const { item, addenda = [] } = report;
  const { physician_ids: physicianIds = {} } = settings;
  const rows: Row[] = [];
  if (item?.study_uid) {
    rows.push({ type: 'ST', identifier: ['113014', 'DICOM Study', 'DCM'], value: item.study_uid });
  }
  const times = new Map<string, number>();
  signedParts(report).forEach(({ sections, signature }, part) => {
    const notes = signature.map(({ label, value }) => `${label}: ${value}`);
    sections.forEach((section, at) => {
      const texts = divideText(section.text, settings);
      texts.forEach((text, row) => {
        const time = (times.get(section.key) ?? 0) + 1;
        times.set(section.key, time);
        rows.push({
          // Text with commands of format, which only FT has (2.A.31).
          type: text.includes('\n') ? 'FT' : 'TX',
          identifier: sectionIdentifier(section, report.codes),
          sub: String(time),
          value: text,
          by: part > 0 ? addenda[part - 1] : undefined,
          ...(at === sections.length - 1 && row === texts.length - 1 && { notes }),
        });
      });
    });
  });
  rows.push(...imageRows(report, settings));
  if (settings.measurements === 'rows') rows.push(...measurementRows(report));
  return [...rows, ...pdf].flatMap(({ type, identifier, sub = '', value, unit = '', by, notes = [] }, index) => [
    segment('OBX', {
      1: String(index + 1),
      2: type,
      3: identifier,
      4: sub,
      5: value,
      6: unit,
      11: status,
      14: by ? hl7Time(by.at) : '',
      // XCN: id and family name.
      16: by?.who ? [physicianId(by, physicianIds), by.who] : '',
    }),
    ...notes.map((note, at) => segment('NTE', { 1: String(at + 1), 2: 'L', 3: note })),
  ]);
}

function sectionIdentifier({ key, title }: Section, codes: Report['codes'] = {}): readonly string[] {
  const known = findEntry(codes, key) ?? findEntry(sectionCodes, key);
  return known ? [known.code, title, known.system] : [key, title, 'L'];
}

/** DICOM PN has the prefix before the suffix, XPN after it. Uses the first non-empty representation. */
function personName(name: string): readonly string[] {
  const group = name.split('=').find((candidate) => /[^\s^]/.test(candidate)) ?? '';
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = group.split('^').map((part) => part.trim());
  return [family, given, middle, suffix, prefix];
}

/** `2026-03-02T08:30:00-03:00` → `20260302083000-0300`; a missing offset is not invented. */
export function hl7Time(value: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/.exec(value);
  if (!match) return '';
  const [, year, month, day, hour, minute, second, offset = ''] = match;
  return `${year}${month}${day}${hour}${minute}${second}${offset === 'Z' ? '+0000' : offset.replace(':', '')}`;
}
