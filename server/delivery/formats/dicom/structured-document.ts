/** A DICOM structured report by a template (PS3.16): what all of them have around their content. */
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import type { KeyImage } from '../../../../src/reporting/key-images.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { orderedProcedures, readText, splitByOrder } from '../order-data.ts';
import { designate, identifySchemes } from './coding-schemes.ts';
import { codeItem, dcm, evidence, node } from './content-items.ts';
import { describeIssuer } from './issuers.ts';
import { code, dicomFile, ifAny } from './modules.ts';
import type { Item } from './modules.ts';
import { studyUid } from './uids.ts';
import type { DicomKind } from './uids.ts';
import { identifier, longString, shownName } from './values.ts';
import { verification } from './verification.ts';

interface StructuredDocument {
  readonly kind: Exclude<DicomKind, 'pdf'>;
  /** Number of the template of its root in the DICOM Content Mapping Resource. */
  readonly template: string;
  readonly title: Item;
  /** Images that the content refers to, each once. */
  readonly images: readonly KeyImage[];
  readonly content: readonly Item[];
}

export const writeStructured = (
  report: Report,
  { kind, template, title, images, content }: StructuredDocument,
): Uint8Array =>
  dicomFile(report, kind, [
    ...identifySchemes(['99LAUDIO', '99LICENCE', ...listSystems(report)]),
    // The performed procedure step belongs to the modality, and is unknown here.
    ['00081111', 'SQ', []],
    ...verification(report, kind),
    ...request(report),
    ...evidence(images),
    ['0040A372', 'SQ', []],
    ['0040A040', 'CS', 'CONTAINER'],
    ['0040A043', 'SQ', [title]],
    ['0040A050', 'CS', 'SEPARATE'],
    ['0040A504', 'SQ', [templateItem(template)]],
    ['0040A730', 'SQ', content],
  ]);

export const templateItem = (number: string): Item => [
  ['00080105', 'CS', 'DCMR'],
  ['00080118', 'UI', '1.2.840.10008.8.1.1'],
  ['0040DB00', 'CS', number],
];

/** The language of the content, and who observed. */
export function contextItems({ record: { language }, signature, preliminary }: Report): Item[] {
  const author = signature?.who ?? preliminary?.who;
  return [
    codeItem(
      'HAS CONCEPT MOD',
      dcm('121049', 'Language of Content Item and Descendants'),
      code(language, 'RFC5646', language),
    ),
    ...(author
      ? [
          node('HAS OBS CONTEXT', 'PNAME', dcm('121008', 'Person Observer Name'), [
            ['0040A123', 'PN', shownName(author)],
          ]),
        ]
      : []),
  ];
}

const listSystems = ({ item }: Report): string[] =>
  splitByOrder(item).flatMap((ordered) => orderedProcedures(ordered)?.[2] ?? []);

/** The orders that the document fulfils. */
function request(report: Report): Item {
  const orders = splitByOrder(report.item).flatMap((item) => (item ? [orderItem(report, item)] : []));
  return orders.length > 0 ? [['0040A370', 'SQ', orders]] : [];
}

/** The codes of the procedures of its orders, each once. */
export function listProcedures({ item }: Report): Item[] {
  const codes = splitByOrder(item).flatMap((ordered) => (ordered ? procedure(ordered) : []));
  return [...new Map(codes.map((each) => [JSON.stringify(each), each])).values()];
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
  ...ifAny('00400026', describeIssuer(readText(item, 'placer_order_issuer'), readText(item, 'placer_order_system'))),
  ...ifAny('00400027', describeIssuer(readText(item, 'filler_order_issuer'), readText(item, 'filler_order_system'))),
];

/** Omits codes that are too long for DICOM. */
function procedure(item: WorklistItem): Item[] {
  const [value, text, system = ''] = orderedProcedures(item) ?? [];
  const [shortValue, scheme] = [identifier(value, 16), designate(system)];
  return shortValue === '' || scheme === '' ? [] : [code(shortValue, scheme, longString(text))];
}
