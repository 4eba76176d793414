/** The document as a DICOM Basic Text SR (PS3.3 A.35.1): its sections as text, with their codes. */
import type { Section } from '../../../../src/contract/document.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { findEntry } from '../../../../src/domain/find-entry.ts';
import { buildNotices, signedParts } from '../../../../src/reporting/report-head.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { sectionCodes } from '../../../../src/reporting/sections/section-codes.ts';
import { code, dicomFile, reportConcept } from './modules.ts';
import type { Item } from './modules.ts';
import { splitByOrder, orderedProcedures } from '../order-data.ts';
import { studyUid } from './uids.ts';
import { identifier, longString, shownName, unlimitedText } from './values.ts';
import { verification } from './verification.ts';

const dcm = (value: string, meaning: string): Item => code(value, 'DCM', meaning);
const comment = dcm('121106', 'Comment');

export const dicomSr = (report: Report): Uint8Array =>
  dicomFile(report, 'sr', [
    // The performed procedure step belongs to the modality, and is unknown here.
    ['00081111', 'SQ', []],
    ...verification(report),
    ...request(report),
    ['0040A372', 'SQ', []],
    ['0040A040', 'CS', 'CONTAINER'],
    ['0040A043', 'SQ', [reportConcept]],
    ['0040A050', 'CS', 'SEPARATE'],
    ['0040A730', 'SQ', buildContent(report)],
  ]);

/** The orders that the document fulfils. */
function request(report: Report): Item {
  const orders = splitByOrder(report.item).flatMap((item) => (item ? [orderItem(report, item)] : []));
  return orders.length > 0 ? [['0040A370', 'SQ', orders]] : [];
}

const orderItem = (report: Report, item: WorklistItem): Item => [
  ['00080050', 'SH', identifier(item.accession_number, 16)],
  ['00081110', 'SQ', []],
  ['0020000D', 'UI', studyUid(report)],
  ['00321060', 'LO', longString(item.exam_description)],
  ['00321064', 'SQ', procedure(item)],
  ['00401001', 'SH', identifier(item.procedure_id, 16)],
  ['00402016', 'LO', identifier(item.metadata?.['placer_order_number'], 64)],
  ['00402017', 'LO', identifier(item.metadata?.['filler_order_number'], 64)],
];

/** Omits codes and code systems that are too long for DICOM. */
function procedure(item: WorklistItem): Item[] {
  const [value, text, system] = orderedProcedures(item) ?? [];
  const [shortValue, scheme] = [identifier(value, 16), identifier(system, 16)];
  return shortValue === '' || scheme === '' ? [] : [code(shortValue, scheme, longString(text))];
}

function buildContent(report: Report): Item[] {
  const { record, signature, preliminary, codes } = report;
  const author = signature?.who ?? preliminary?.who;
  const notices = buildNotices(report).map((notice) => textItem(comment, notice));
  const parts = signedParts(report).flatMap(({ sections, signature: lines }) => [
    ...sections.flatMap((section) => sectionItem(section, codes)),
    ...(lines.length === 0
      ? []
      : [textItem(comment, lines.map(({ label, value }) => `${label}: ${value}`).join('\n'))]),
  ]);
  return [
    node('HAS CONCEPT MOD', 'CODE', dcm('121049', 'Language of Content Item and Descendants'), [
      ['0040A168', 'SQ', [code(record.language, 'RFC5646', record.language)]],
    ]),
    ...(author
      ? [
          node('HAS OBS CONTEXT', 'PNAME', dcm('121008', 'Person Observer Name'), [
            ['0040A123', 'PN', shownName(author)],
          ]),
        ]
      : []),
    ...notices,
    ...parts,
  ];
}

/** A heading with its text; empty sections are omitted. */
function sectionItem({ key, title, text }: Section, codes: Report['codes'] = {}): Item[] {
  if (text.trim() === '') return [];
  const known = findEntry(codes, key) ?? findEntry(sectionCodes, key);
  const concept = known ? code(known.code, known.system, title) : code(key, '99LAUDIO', title);
  const container = node('CONTAINS', 'CONTAINER', concept, [
    ['0040A050', 'CS', 'SEPARATE'],
    ['0040A730', 'SQ', [textItem(concept, text)]],
  ]);
  return [container];
}

const textItem = (concept: Item, text: string): Item =>
  node('CONTAINS', 'TEXT', concept, [['0040A160', 'UT', unlimitedText(text)]]);

const node = (relation: string, type: string, concept: Item, value: Item): Item => [
  ['0040A010', 'CS', relation],
  ['0040A040', 'CS', type],
  ['0040A043', 'SQ', [concept]],
  ...value,
];
