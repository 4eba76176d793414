/** HL7 v2 results, ORU^R01 (HL7 v2.5.1 chapter 7): each report in a message, one for each filler number. */
import { distinctMessages } from '../../contract/messages/message.ts';
import type { Message as TextMessage } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import type { PriorInput } from '../../contract/prior.ts';
import { findEntry } from '../../domain/find-entry.ts';
import { sectionCodes } from '../../reporting/sections/section-codes.ts';
import { decodeText } from '../worklist/character-sets.ts';
import type { Mapping } from '../worklist/draft.ts';
import { hl7Reader } from '../worklist/hl7/hl7.ts';
import { readComponent, deletion, readField, linesOfText, readRepetitions } from '../worklist/hl7/message.ts';
import type { Message, Segment } from '../worklist/hl7/message.ts';
import { readTimes } from '../worklist/hl7/order.ts';
import { lookupIn } from '../worklist/hl7/places.ts';
import type { Times } from '../worklist/kinds.ts';
import type { Reader } from '../worklist/reader.ts';
import { problem } from '../worklist/reading.ts';
import type { Position, Reading } from '../worklist/reading.ts';
import { binaryBytes } from '../worklist/text.ts';
import { fromBase64 } from '../worklist/web-standards.ts';
import { draftFacts, finishedReport } from './draft.ts';
import type { Sections } from './draft.ts';
import { textOfBody } from './body-text.ts';
import { textOfHtml } from './html-text.ts';
import { isRtf } from './rtf-text.ts';

/** Places are segment, field and component; a place without component is a name. */
export const resultMapping: readonly Mapping[] = [
  { to: 'report_id', kind: 'text', from: ['OBR-3.1', 'ORC-3.1'] },
  { to: 'accession_number', kind: 'text', from: ['OBR-18.1', 'OBR-3.1', 'ORC-3.1'] },
  { to: 'study_uid', kind: 'uid', from: ['ZDS-1.1'] },
  { to: 'patient_id', kind: 'text', from: ['PID-3.1', 'PID-2.1'] },
  { to: 'patient_id_issuer', kind: 'text', from: ['PID-3.4'] },
  { to: 'patient_name', kind: 'text', from: ['PID-5'] },
  { to: 'patient_birth_date', kind: 'date', from: ['PID-7.1'] },
  { to: 'modality', kind: 'modality', from: ['OBR-24.1'] },
  { to: 'exam_datetime', kind: 'instant', from: ['OBR-7.1', 'TQ1-7.1', 'OBR-36.1', 'OBR-22.1'] },
  { to: 'exam_description', kind: 'text', from: ['OBR-44.2', 'OBR-4.5', 'OBR-4.2', 'OBR-4.1'] },
  { to: 'reported_at', kind: 'instant', from: ['OBR-22.1'] },
  { to: 'author', kind: 'text', from: ['OBR-32'] },
  { to: 'hospital_name', kind: 'text', from: ['MSH-4.1'] },
];

/** Result status (OBR-25, table 0123) and observation result status (OBX-11, table 0085). */
const statuses: Readonly<Record<string, NonNullable<PriorInput['status']>>> = {
  P: 'preliminary',
  R: 'preliminary',
  A: 'preliminary',
  F: 'final',
  C: 'corrected',
  K: 'corrected',
  X: 'withdrawn',
  U: 'final',
  D: 'withdrawn',
  W: 'withdrawn',
};
/** Posted as wrong, such as for another patient: the text is not this patient's. */
const isWrong = (status: string): boolean => status === 'W' || status === 'D';
/** Results of which nothing is there yet: scheduled, in progress, ordered, received. */
const pending = new Set(['O', 'I', 'S', 'Y', 'Z']);
/** Observations that do not count: deleted, posted for another patient, cancelled. */
const void0085 = new Set(['D', 'W', 'X', 'N']);

export const readResults: Reader = hl7Reader(() => (message, position, { times, isOpen }) => {
  const header = message.segments[0];
  const [kind = '', trigger = ''] = readField(header, 9).split(message.separators.component);
  if (kind === 'ACK') return [];
  if (kind !== 'ORU') {
    const type = `${kind}^${trigger}`;
    const noResult = /^\w{3}\^\w{3}$/.test(type)
      ? fileMessage('no_result_but', { kind: type })
      : fileMessage('no_result');
    return [problem(position, noResult, fileMessage(/^(?:ORM|OMI)$/.test(kind) ? 'to_ingest' : 'results_read'))];
  }
  const own = readTimes(message, times);
  const patients = splitByPatient(message);
  if (patients.length === 0) {
    return [problem(position, fileMessage('result_without_patient'), fileMessage('message_cut'))];
  }
  const readings = patients.flatMap((patient) => readPatientReports(patient, position, own));
  return isOpen ? readings.map(withOpenEnd) : readings;
});

/** The text of the last segment may go on. */
const withOpenEnd = (reading: Reading, at: number, all: readonly Reading[]): Reading =>
  reading.kind === 'item' && at === all.length - 1
    ? {
        ...reading,
        warnings: [...(reading.warnings ?? []), fileMessage('open_segment')],
      }
    : reading;

/** A message may have results of several patients, each after a separate PID (7.3.1). */
function splitByPatient(message: Message): Message[] {
  const header = message.segments.slice(0, 1);
  const parts: Segment[][] = [];
  for (const segment of message.segments.slice(1)) {
    if (segment.name === 'PID') parts.push([...header, segment]);
    else parts.at(-1)?.push(segment);
  }
  return parts.map((own) => ({ ...message, segments: own }));
}

/** The segments of one report, without those of its patient. */
type Group = Segment[];

/** Results of one filler number are parts of one report; a result without a number goes on with the one before. */
function readPatientReports(message: Message, position: Position, times: Times): Reading[] {
  const shared: Segment[] = [];
  const orders: Segment[][] = [];
  for (const segment of message.segments) {
    const current = orders.at(-1);
    const isNext = segment.name === 'OBR' && current?.some(({ name }) => name === 'OBR') !== false;
    if (segment.name === 'ORC' || isNext) orders.push([segment]);
    else (current ?? shared).push(segment);
  }
  const groups = new Map<string, Group>();
  let latest = '';
  for (const order of orders) {
    const lookup = lookupIn({ ...message, segments: order });
    const number = ['OBR-3.1', 'ORC-3.1', 'OBR-18.1'].map((place) => lookup(place, 'report_id')).find(Boolean) ?? '';
    if (number !== '' || groups.size === 0) latest = number;
    const group = groups.get(latest);
    if (group) for (const segment of order) group.push(segment);
    else groups.set(latest, [...order]);
  }
  const named = [...groups.values()];
  if (named.length === 0) return [problem(position, fileMessage('result_without_obr'), fileMessage('message_cut'))];
  const read = named.map((group) => ({ group, words: readWords(group, message) }));
  // Many systems put one report for several exams below the last of them.
  const spoken = read.filter(
    ({ group, words }) => words.sections.length > 0 || readStatus(group, message) === 'withdrawn',
  );
  const silent = read.length - spoken.length;
  return (spoken.length > 0 ? spoken : read.slice(0, 1)).map(({ group, words }, at) => {
    const warnings = [
      ...words.warnings,
      ...(at === 0 && spoken.length > 0 && silent > 0 ? [fileMessage('left_without_text', { count: silent })] : []),
    ];
    return readReport({ ...message, segments: [...shared, ...group] }, words.sections, { position, times, warnings });
  });
}

const saidIn = (group: Group, message: Message): string =>
  readComponent(
    readField(
      group.find(({ name }) => name === 'OBR'),
      25,
    ),
    1,
    message,
  ).toUpperCase();

function readStatus(group: Group, message: Message): NonNullable<PriorInput['status']> | 'pending' {
  const said = saidIn(group, message);
  const observed = group.filter(({ name }) => name === 'OBX').map((segment) => readField(segment, 11).toUpperCase());
  // A status that nobody knows is none to rely on.
  if (said !== '') return pending.has(said) ? 'pending' : (findEntry(statuses, said) ?? 'preliminary');
  if (observed.length > 0 && observed.every((status) => void0085.has(status))) return 'withdrawn';
  return observed.includes('C') ? 'corrected' : observed.includes('P') ? 'preliminary' : 'final';
}

/** Warnings about the status of a report. */
function listStatusWarnings(said: string): TextMessage[] {
  if (isWrong(said)) return [fileMessage('entered_in_error')];
  return said === '' || Object.hasOwn(statuses, said) ? [] : [fileMessage('unknown_result_status')];
}

function readReport(
  message: Message,
  sections: Sections,
  { position, times, warnings }: { position: Position; times: Times; warnings: readonly TextMessage[] },
): Reading {
  const status = readStatus([...message.segments], message);
  if (status === 'pending')
    return problem(position, fileMessage('no_report_yet', { what: 'OBR-25' }), fileMessage('once_written'));
  const said = saidIn([...message.segments], message);
  const draft = draftFacts(resultMapping, lookupIn(message), times);
  draft.warnings.push(...warnings, ...listStatusWarnings(said));
  draft.fields['study_uid'] ??= studyIn(message);
  if (draft.fields['study_uid'] === undefined) delete draft.fields['study_uid'];
  if (status !== 'withdrawn' && sections.length === 0) {
    return problem(position, fileMessage('result_without_text'), fileMessage('obx_text'));
  }
  if (isWrong(said)) return finishedReport(draft, position, status, undefined);
  const [only, ...others] = sections;
  // The headings of an undivided report make its sections.
  const words = only && others.length === 0 && !only.title ? { text: only.text } : { sections };
  return finishedReport(draft, position, status, sections.length === 0 ? undefined : words);
}

/** DICOM PS3.16: (113014, DCM) DICOM Study. */
const studyCode = '113014';
const readCode = (segment: Segment, message: Message): string => readComponent(readField(segment, 3), 1, message);

const studyIn = (message: Message): string | undefined => {
  const study = message.segments.find((segment) => segment.name === 'OBX' && readCode(segment, message) === studyCode);
  const value = study && readComponent(readField(study, 5), 1, message);
  return value === '' ? undefined : value;
};

/** Observations one below the other that have one name are one section; notes belong to what they follow. */
function readWords(group: Group, message: Message): { sections: Sections; warnings: TextMessage[] } {
  const found: { id: string; title: string | null; lines: string[] }[] = [];
  const warnings: TextMessage[] = [];
  let isCounted = false;
  for (const segment of group) {
    if (segment.name === 'NTE') {
      const note = textsIn(readField(segment, 3), message).join('\n');
      if (note === '') continue;
      // Some systems have no observations, and write the report in the notes.
      const counted = isCounted ? found.at(-1) : undefined;
      if (counted) counted.lines.push(note);
      else if (!group.some(({ name }) => name === 'OBX')) {
        found[0] ??= { id: '', title: null, lines: [] };
        found[0].lines.push(note);
      }
    }
    if (segment.name !== 'OBX') continue;
    isCounted = !void0085.has(readField(segment, 11).toUpperCase()) && readCode(segment, message) !== studyCode;
    if (!isCounted) continue;
    const { text, lost } = readValue(segment, message);
    if (lost !== undefined) warnings.push(lost);
    if (text === undefined) {
      isCounted = false;
      continue;
    }
    const id = readField(segment, 3);
    const last = found.at(-1);
    if (last?.id === id) last.lines.push(text);
    else found.push({ id, title: readTitle(id, message), lines: [text] });
  }
  const worded = found
    .map(({ id, title, lines }) => ({ id, title, text: lines.join('\n').trim() }))
    .filter(({ text }) => text !== '');
  const isOnePiece = new Set(worded.map(({ id }) => id)).size === 1;
  const bodies = worded.map(({ title, text }) => ({ title: isOnePiece ? null : title, body: textOfBody(text) }));
  return {
    sections: bodies.map(({ title, body }) => ({ title, text: body.text })).filter(({ text }) => text !== ''),
    warnings: distinctMessages([...warnings, ...bodies.flatMap(({ body }) => body.warnings)]),
  };
}

/** Suffixes of observation ids in radiology (7.2.4), by the names of sections. */
const suffixes: Readonly<Record<string, string>> = { IMP: 'Impression', REC: 'Recommendations', GDT: 'Findings' };

function readTitle(id: string, message: Message): string | null {
  const [[code = [], name = []] = []] = readRepetitions(id, message);
  const suffix = findEntry(suffixes, code[1] ?? '');
  if (suffix !== undefined) return suffix;
  const known = Object.entries(sectionCodes).find(([, { code: each }]) => each === code[0])?.[0];
  const title = name[0] || known || code[0] || '';
  return title === '' || title === deletion ? null : title.replace(/\s+/g, ' ').slice(0, 200);
}

/** The repetitions of a text, each a line. */
const textsIn = (field: string, message: Message): string[] =>
  linesOfText(field, message).filter((text) => text !== deletion);

/** The text of an observation; `lost` warns about content that is left out. */
function readValue(segment: Segment, message: Message): { text?: string; lost?: TextMessage } {
  const type = readField(segment, 2).trim().toUpperCase();
  const field = readField(segment, 5);
  const part = (number: number): string => readComponent(field, number, message);
  switch (type) {
    case '':
    case 'TX':
    case 'FT':
    case 'ST':
      return { text: textsIn(field, message).join('\n') };
    case 'CE':
    case 'CWE':
    case 'CF':
      return { text: part(2) || part(1) };
    case 'NM':
    case 'SN': {
      const unit = readComponent(readField(segment, 6), 1, message);
      const value = type === 'NM' ? part(1) : [1, 2, 3, 4].map(part).join('');
      return value === ''
        ? {}
        : { text: `${readComponent(readField(segment, 3), 2, message)}: ${value} ${unit}`.trim() };
    }
    case 'ED': {
      const [subtype, encoding, data] = [part(3).toUpperCase(), part(4).toUpperCase(), part(5)];
      const bytes = encoding === 'BASE64' ? fromBase64(data) : undefined;
      if (bytes !== undefined && /^(?:PLAIN|TEXT|TXT|HTML|RTF|X-RTF|OCTET-STREAM|)$/.test(subtype)) {
        const text = decodeText(binaryBytes(bytes), []);
        // Some name no type, and send what their editor wrote.
        if (/^(?:PLAIN|TEXT|TXT)$/.test(subtype) || isRtf(text)) return { text };
        if (subtype === 'HTML') return { text: textOfHtml(text) };
      }
      return {
        lost: fileMessage('document_inside', { type: /^[A-Z\d.+-]{1,20}$/.test(subtype) ? subtype : 'ED' }),
      };
    }
    default:
      return {
        lost: /^[A-Z]{2,3}$/.test(type) ? fileMessage('value_type', { type }) : fileMessage('unknown_value_type'),
      };
  }
}
