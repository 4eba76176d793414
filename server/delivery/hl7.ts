/** The document as an HL7 v2.5.1 result message, ORU^R01, in UTF-8; the same version gives the same message. */
import { createHash } from 'node:crypto';
import type { Section } from '../../src/contract/document.ts';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { entryOf } from '../../src/domain/entry-of.ts';
import { signedParts } from '../../src/domain/report-head.ts';
import type { Report, Signature } from '../../src/domain/report-head.ts';
import { pdfReport } from './pdf.ts';
import { reportStatus, statusCodes } from './report.ts';
import { reportCode, sectionCodes } from '../../src/domain/report/section-codes.ts';

/** A field is text, or components that are text or subcomponents. */
type Component = string | readonly string[];
type Field = string | readonly Component[];

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\E\\',
  '|': '\\F\\',
  '^': '\\S\\',
  '&': '\\T\\',
  '~': '\\R\\',
  '\n': '\\.br\\',
};

/** Delimiters and line breaks (HL7 2.5.1 2.7); other control characters as hexadecimal bytes (2.7.5). */
export function escapeHl7(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\\|^&~\n]|[\x00-\x1f\x7f]/g, (character) => escapes[character] ?? `\\X${hexByte(character)}\\`);
}

const hexByte = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');

const trimmed = (joined: string, separator: string): string => {
  let end = joined.length;
  while (end > 0 && joined[end - 1] === separator) end--;
  return joined.slice(0, end);
};

const writeComponent = (component: Component): string =>
  typeof component === 'string' ? escapeHl7(component) : trimmed(component.map(escapeHl7).join('&'), '&');

const writeField = (field: Field): string =>
  typeof field === 'string' ? escapeHl7(field) : trimmed(field.map(writeComponent).join('^'), '^');

/** `fields` by their number in the standard; gaps are empty. */
function segment(name: string, fields: Readonly<Record<number, Field>>): string {
  const last = Math.max(...Object.keys(fields).map(Number));
  const values = Array.from({ length: last }, (_, index) => writeField(fields[index + 1] ?? ''));
  return trimmed([name, ...values].join('|'), '|');
}

/** MSH counts its delimiters as the first two fields. */
function header(fields: Readonly<Record<number, Field>>): string {
  const shifted = Object.fromEntries(Object.entries(fields).map(([number, field]) => [Number(number) - 1, field]));
  return segment('MSH', shifted).replace('MSH|', 'MSH|^~\\&');
}

export async function hl7Report(report: Report): Promise<string | undefined> {
  const pdf = await pdfReport(report);
  if (!pdf) return undefined;
  const { record, item } = report;
  const status = statusCodes[reportStatus(report)];
  const filler = item?.accession_number ?? record.id;
  const examTime = item ? hl7Time(item.exam_datetime) : '';
  const segments = [
    header({
      3: 'LAUDIO',
      4: item?.hospital_name ?? '',
      7: hl7Time(record.updated_at),
      9: ['ORU', 'R01', 'ORU_R01'],
      10: controlId(report),
      11: record.test_mode ? 'T' : 'P',
      12: '2.5.1',
      18: 'UNICODE UTF-8',
    }),
    patientSegment(item),
    segment('PV1', { 1: '1', 2: 'U' }),
    segment('ORC', { 1: 'RE', 3: filler, 5: status.order }),
    orderSegment(report, filler, examTime, status.result),
    segment('TQ1', { 1: '1', 7: examTime }),
    ...observations(report, pdf, status.observation),
  ];
  return segments.map((text) => `${text}\r`).join('');
}

function patientSegment(item: WorklistItem | null): string {
  if (!item) return 'PID|1';
  return segment('PID', {
    1: '1',
    3: [item.patient_id],
    5: personName(item.patient_name),
    7: item.patient_birth_date?.replaceAll('-', '') ?? '',
    8: item.patient_sex ?? 'U',
  });
}

function orderSegment(
  { record, item, signature, preliminary }: Report,
  filler: string,
  examTime: string,
  status: string,
): string {
  return segment('OBR', {
    1: '1',
    3: filler,
    4: [item?.procedure_id || reportCode, item?.exam_description ?? record.title, item?.procedure_id ? 'L' : 'LN'],
    7: examTime,
    // XCN: an identifier before the name.
    16: item?.referring_physician ? ['', ...personName(item.referring_physician)] : '',
    18: item?.accession_number ?? '',
    19: item?.procedure_id ?? '',
    22: hl7Time(record.updated_at),
    24: item?.modality ?? '',
    25: status,
    // Who answers for the report; the resident assists where an attending has co-signed.
    32: interpreter(signature ?? preliminary),
    33: signature ? interpreter(preliminary) : '',
  });
}

/** NDL, whose first component is a CNN: id and family name. */
const interpreter = (of: Signature | null | undefined): Field => (of?.who ? [[of.licence ?? '', of.who]] : '');

/** An observation, and the notes below it. */
interface Row {
  readonly type: string;
  readonly identifier: Field;
  readonly value: Field;
  readonly sub?: string;
  /** Who answers for it, where that is somebody else than for the whole (OBR-32). */
  readonly by?: Signature | undefined;
  readonly notes?: readonly string[];
}

function observations(report: Report, pdf: Uint8Array, status: string): string[] {
  const { record, item, addenda = [] } = report;
  const rows: Row[] = [];
  if (item?.study_uid) {
    rows.push({ type: 'ST', identifier: ['113014', 'DICOM Study', 'DCM'], value: item.study_uid });
  }
  const times = new Map<string, number>();
  signedParts(report).forEach(({ sections, signature }, part) => {
    const notes = signature.map(({ label, value }) => `${label}: ${value}`);
    sections.forEach((section, at) => {
      const time = (times.get(section.key) ?? 0) + 1;
      times.set(section.key, time);
      rows.push({
        type: 'TX',
        identifier: sectionIdentifier(section, report.codes),
        sub: String(time),
        value: section.text,
        by: part > 0 ? addenda[part - 1] : undefined,
        ...(at === sections.length - 1 && { notes }),
      });
    });
  });
  rows.push({
    type: 'ED',
    identifier: [reportCode, record.title, 'LN'],
    value: ['', 'application', 'pdf', 'Base64', Buffer.from(pdf).toString('base64')],
  });
  return rows.flatMap(({ type, identifier, sub = '', value, by, notes = [] }, index) => [
    segment('OBX', {
      1: String(index + 1),
      2: type,
      3: identifier,
      4: sub,
      5: value,
      11: status,
      14: by ? hl7Time(by.at) : '',
      // XCN: id and family name.
      16: by?.who ? [by.licence ?? '', by.who] : '',
    }),
    ...notes.map((note, at) => segment('NTE', { 1: String(at + 1), 2: 'L', 3: note })),
  ]);
}

function sectionIdentifier({ key, title }: Section, codes: Report['codes'] = {}): readonly string[] {
  const known = entryOf(codes, key) ?? entryOf(sectionCodes, key);
  return known ? [known.code, title, known.system] : [key, title, 'L'];
}

/** DICOM PN has the prefix before the suffix, XPN after it. Of several groups of writing, the first. */
function personName(name: string): readonly string[] {
  const group = name.split('=').find((candidate) => /[^\s^]/.test(candidate)) ?? '';
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = group.split('^').map((part) => part.trim());
  return [family, given, middle, suffix, prefix];
}

/** At most 20 characters (MSH-10), the same whenever this version is written. */
const controlId = ({ record }: Report): string =>
  createHash('sha256').update(`${record.id}.${record.version}`).digest('hex').slice(0, 20).toUpperCase();

/** `2026-03-02T08:30:00-03:00` → `20260302083000-0300`; without an offset, none is made up. */
export function hl7Time(value: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/.exec(value);
  if (!match) return '';
  const [, year, month, day, hour, minute, second, offset = ''] = match;
  return `${year}${month}${day}${hour}${minute}${second}${offset === 'Z' ? '+0000' : offset.replace(':', '')}`;
}
