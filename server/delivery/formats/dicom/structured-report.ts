/**
 * The document as a DICOM structured report by TID 2000, Basic Diagnostic Imaging Report (PS3.16): its sections as text, with their
 * codes. Basic Text SR (PS3.3 A.35.1) holds text alone; Enhanced SR (A.35.2) also holds the measurements of the text as values.
 */
import type { Section } from '../../../../src/contract/document.ts';
import { findEntry } from '../../../../src/domain/find-entry.ts';
import { normalForm } from '../../../../src/domain/normal-form.ts';
import { buildNotices, signedParts } from '../../../../src/reporting/report-head.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { listKeyImages } from '../key-image-uids.ts';
import type { KeyImage } from '../../../../src/reporting/key-images.ts';
import { readMeasurements } from '../../../../src/reporting/report-measurements.ts';
import { sectionCodes } from '../../../../src/reporting/sections/section-codes.ts';
import { codeMeasurement, findingConcepts } from '../measurement-codes.ts';
import type { CodedMeasurement } from '../measurement-codes.ts';
import { comment, dcm, imageItem, modifier, node, numericItem, textItem } from './content-items.ts';
import { code, reportConcept } from './modules.ts';
import type { Item } from './modules.ts';
import { contextItems, writeStructured } from './structured-document.ts';

const notice = code('notice', '99LAUDIO', 'Notice');
const signatureHeading = code('signature', '99LAUDIO', 'Signature');

export const dicomSr = (report: Report): Uint8Array => structuredReport(report, 'sr');
export const dicomEnhancedSr = (report: Report): Uint8Array => structuredReport(report, 'enhanced-sr');

const structuredReport = (report: Report, kind: 'sr' | 'enhanced-sr'): Uint8Array =>
  writeStructured(report, {
    kind,
    template: '2000',
    title: reportConcept,
    images: listImages(report),
    content: buildContent(report, kind === 'enhanced-sr' ? measuredItems : textItems),
  });

const listImages = (report: Report): readonly KeyImage[] => listKeyImages(report, 'dicom-sr');

const keyImages = code('55113-5', 'LN', 'Key Images');
const bestIllustration = dcm('121080', 'Best illustration of finding');

/** Content items of a text in its section, with this concept name. */
type TextWriter = (section: Section, concept: Item, report: Report) => Item[];

function buildContent(report: Report, writeText: TextWriter): Item[] {
  const notices = buildNotices(report).map((text) => textItem(comment, text));
  return [
    ...contextItems(report),
    ...container(notice, notices),
    ...container(
      keyImages,
      listImages(report).map((image) => imageItem('CONTAINS', bestIllustration, image)),
    ),
    ...signedParts(report).flatMap(({ sections, signature: lines }) => [
      ...sections.flatMap((section) => {
        const concept = sectionConcept(section, report.codes);
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
  return values.map((value) => numericItem('INFERRED FROM', quantity, { value, unit }, modifiers));
};
