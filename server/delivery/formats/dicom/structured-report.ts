/**
 * The document as a DICOM structured report by TID 2000, Basic Diagnostic Imaging Report (PS3.16): its sections as text, with their
 * codes. Basic Text SR (PS3.3 A.35.1) holds text alone; Enhanced SR (A.35.2) also holds the measurements of the text as values.
 */
import type { Section } from '../../../../src/contract/document.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { findEntry } from '../../../../src/domain/find-entry.ts';
import { normalForm } from '../../../../src/domain/normal-form.ts';
import { buildNotices, signedParts } from '../../../../src/reporting/report-head.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { readKeyImages } from '../../../../src/reporting/key-images.ts';
import type { KeyImage } from '../../../../src/reporting/key-images.ts';
import { readMeasurements } from '../../../../src/reporting/report-measurements.ts';
import { sectionCodes } from '../../../../src/reporting/sections/section-codes.ts';
import { codeMeasurement, findingConcepts } from '../measurement-codes.ts';
import type { CodedMeasurement, Concept } from '../measurement-codes.ts';
import { splitByOrder, orderedProcedures } from '../order-data.ts';
import { designate, identifySchemes } from './coding-schemes.ts';
import { code, dicomFile, reportConcept } from './modules.ts';
import type { Item } from './modules.ts';
import { studyUid } from './uids.ts';
import type { DicomKind } from './uids.ts';
import { identifier, longString, shownName, unlimitedText } from './values.ts';
import { verification } from './verification.ts';

const dcm = (value: string, meaning: string): Item => code(value, 'DCM', meaning);
const comment = dcm('121106', 'Comment');
const notice = code('notice', '99LAUDIO', 'Notice');
const signatureHeading = code('signature', '99LAUDIO', 'Signature');

export const dicomSr = (report: Report): Uint8Array => structuredReport(report, 'sr');
export const dicomEnhancedSr = (report: Report): Uint8Array => structuredReport(report, 'enhanced-sr');

const structuredReport = (report: Report, kind: Exclude<DicomKind, 'pdf'>): Uint8Array =>
  dicomFile(report, kind, [
    ...identifySchemes(['99LAUDIO', '99LICENCE', ...listSystems(report)]),
    // The performed procedure step belongs to the modality, and is unknown here.
    ['00081111', 'SQ', []],
    ...verification(report, kind),
    ...request(report),
    ...evidence(listImages(report)),
    ['0040A372', 'SQ', []],
    ['0040A040', 'CS', 'CONTAINER'],
    ['0040A043', 'SQ', [reportConcept]],
    ['0040A050', 'CS', 'SEPARATE'],
    ['0040A504', 'SQ', [template]],
    ['0040A730', 'SQ', buildContent(report, kind === 'enhanced-sr' ? measuredItems : textItems)],
  ]);

/** TID 2000 of the DICOM Content Mapping Resource. */
const template: Item = [
  ['00080105', 'CS', 'DCMR'],
  ['00080118', 'UI', '1.2.840.10008.8.1.1'],
  ['0040DB00', 'CS', '2000'],
];

const listSystems = ({ item }: Report): string[] =>
  splitByOrder(item).flatMap((ordered) => orderedProcedures(ordered)?.[2] ?? []);

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

/** Omits codes that are too long for DICOM. */
function procedure(item: WorklistItem): Item[] {
  const [value, text, system = ''] = orderedProcedures(item) ?? [];
  const [shortValue, scheme] = [identifier(value, 16), designate(system)];
  return shortValue === '' || scheme === '' ? [] : [code(shortValue, scheme, longString(text))];
}

const listImages = ({ record, item }: Report): readonly KeyImage[] => readKeyImages(record, item?.study_uid ?? null);

const reference = ({ class_uid, instance_uid }: KeyImage): Item => [
  ['00081150', 'UI', class_uid],
  ['00081155', 'UI', instance_uid],
];

/** Current Requested Procedure Evidence Sequence: all images that the content refers to (PS3.3 table C.17-2). */
function evidence(images: readonly KeyImage[]): Item {
  const studies = [...Map.groupBy(images, ({ study_uid }) => study_uid)].map(([study, ofStudy]): Item => [
    [
      '00081115',
      'SQ',
      [...Map.groupBy(ofStudy, ({ series_uid }) => series_uid)].map(([series, ofSeries]): Item => [
        ['00081199', 'SQ', ofSeries.map(reference)],
        ['0020000E', 'UI', series],
      ]),
    ],
    ['0020000D', 'UI', study],
  ]);
  return studies.length > 0 ? [['0040A375', 'SQ', studies]] : [];
}

const keyImages = code('55113-5', 'LN', 'Key Images');
const bestIllustration = dcm('121080', 'Best illustration of finding');

/** Content items of a text in its section, with this concept name. */
type TextWriter = (section: Section, concept: Item, report: Report) => Item[];

function buildContent(report: Report, writeText: TextWriter): Item[] {
  const { record, signature, preliminary, codes } = report;
  const author = signature?.who ?? preliminary?.who;
  const notices = buildNotices(report).map((text) => textItem(comment, text));
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
    ...container(notice, notices),
    ...container(
      keyImages,
      listImages(report).map((image) =>
        node('CONTAINS', 'IMAGE', bestIllustration, [['00081199', 'SQ', [reference(image)]]]),
      ),
    ),
    ...signedParts(report).flatMap(({ sections, signature: lines }) => [
      ...sections.flatMap((section) => {
        const concept = sectionConcept(section, codes);
        return section.text.trim() === '' ? [] : container(concept, writeText(section, concept, report));
      }),
      ...container(
        signatureHeading,
        lines.length > 0 ? [textItem(comment, lines.map(({ label, value }) => `${label}: ${value}`).join('\n'))] : [],
      ),
    ]),
  ];
}

/** A heading with its content: TID 2000 has nothing else below its root. */
const container = (concept: Item, content: readonly Item[]): Item[] =>
  content.length === 0
    ? []
    : [
        node('CONTAINS', 'CONTAINER', concept, [
          ['0040A050', 'CS', 'SEPARATE'],
          ['0040A730', 'SQ', content],
        ]),
      ];

function sectionConcept({ key, title }: Section, codes: Report['codes'] = {}): Item {
  const known = findEntry(codes, key) ?? findEntry(sectionCodes, key);
  return known ? code(known.code, known.system, title) : code(key, '99LAUDIO', title);
}

const textItems: TextWriter = ({ text }, concept) => [textItem(concept, text)];

/** Each sentence with measurements is a text that is inferred from them (TID 2002), between the texts around it. */
const measuredItems: TextWriter = (section, concept, { record }) => {
  const { text } = section;
  // Places of measurements are those of the normal form.
  const sentences = text === normalForm(text) ? readMeasurements(section, record.language) : [];
  const items: Item[] = [];
  let from = 0;
  for (const { start, end, measurements } of sentences) {
    const values = measurements.flatMap((measurement) => codeMeasurement(measurement) ?? []).flatMap(numericItems);
    if (values.length === 0) continue;
    const before = text.slice(from, start).trim();
    if (before !== '') items.push(textItem(concept, before));
    items.push(textItem(concept, text.slice(start, end), values));
    from = end;
  }
  const rest = text.slice(from).trim();
  return rest === '' ? items : [...items, textItem(concept, rest)];
};

/** A value for each axis (TID 1400 to 1402, TID 1404), with where it was taken. */
const numericItems = ({ values, quantity, unit, site, side }: CodedMeasurement): Item[] => {
  const laterality = side ? [modifier(findingConcepts.side, side)] : [];
  const modifiers = site ? [modifier(findingConcepts.site, site, laterality)] : laterality;
  return values.map((value) =>
    node('INFERRED FROM', 'NUM', codeConcept(quantity), [
      [
        '0040A300',
        'SQ',
        [
          [
            ['0040A30A', 'DS', value],
            ['004008EA', 'SQ', [codeConcept(unit)]],
          ],
        ],
      ],
      ...withContent(modifiers),
    ]),
  );
};

const codeConcept = ({ code: value, system, meaning }: Concept): Item => code(value, system, meaning);

const modifier = (concept: Concept, value: Concept, content: readonly Item[] = []): Item =>
  node('HAS CONCEPT MOD', 'CODE', codeConcept(concept), [
    ['0040A168', 'SQ', [codeConcept(value)]],
    ...withContent(content),
  ]);

const withContent = (content: readonly Item[]): Item => (content.length > 0 ? [['0040A730', 'SQ', content]] : []);

const textItem = (concept: Item, text: string, content: readonly Item[] = []): Item =>
  node('CONTAINS', 'TEXT', concept, [['0040A160', 'UT', unlimitedText(text)], ...withContent(content)]);

const node = (relation: string, type: string, concept: Item, value: Item): Item => [
  ['0040A010', 'CS', relation],
  ['0040A040', 'CS', type],
  ['0040A043', 'SQ', [concept]],
  ...value,
];
