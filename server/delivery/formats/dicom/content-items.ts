/** Content items of DICOM structured reports (PS3.3 C.17.3), and the references to images in them. */
import type { KeyImage } from '../../../../src/reporting/key-images.ts';
import type { Concept } from '../measurement-codes.ts';
import { code } from './modules.ts';
import type { Item } from './modules.ts';
import { unlimitedText } from './values.ts';

export const dcm = (value: string, meaning: string): Item => code(value, 'DCM', meaning);
export const comment = dcm('121106', 'Comment');

export const node = (relation: string, type: string, concept: Item, value: Item): Item => [
  ['0040A010', 'CS', relation],
  ['0040A040', 'CS', type],
  ['0040A043', 'SQ', [concept]],
  ...value,
];

export const withContent = (content: readonly Item[]): Item =>
  content.length > 0 ? [['0040A730', 'SQ', content]] : [];

export const textItem = (concept: Item, text: string, content: readonly Item[] = []): Item =>
  node('CONTAINS', 'TEXT', concept, [['0040A160', 'UT', unlimitedText(text)], ...withContent(content)]);

export const codeItem = (relation: string, concept: Item, value: Item, content: readonly Item[] = []): Item =>
  node(relation, 'CODE', concept, [['0040A168', 'SQ', [value]], ...withContent(content)]);

export const codeConcept = ({ code: value, system, meaning }: Concept): Item => code(value, system, meaning);

export const modifier = (concept: Concept, value: Concept, content: readonly Item[] = []): Item =>
  codeItem('HAS CONCEPT MOD', codeConcept(concept), codeConcept(value), content);

export const numericItem = (
  relation: string,
  quantity: Concept,
  { value, unit }: { readonly value: string; readonly unit: Concept },
  content: readonly Item[],
): Item =>
  node(relation, 'NUM', codeConcept(quantity), [
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
    ...withContent(content),
  ]);

const reference = ({ class_uid, instance_uid }: KeyImage): Item => [
  ['00081150', 'UI', class_uid],
  ['00081155', 'UI', instance_uid],
];

export const imageItem = (relation: string, purpose: Item, image: KeyImage): Item =>
  node(relation, 'IMAGE', purpose, [['00081199', 'SQ', [reference(image)]]]);

/** Current Requested Procedure Evidence Sequence: all images that the content refers to (PS3.3 table C.17-2). */
export function evidence(images: readonly KeyImage[]): Item {
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
