/**
 * The measurements of a report as a document by TID 1500, Measurement Report (PS3.16), in an Enhanced SR: a group by TID 1501 for each,
 * with its values, where it was made, the image of a viewer, and what tracks it from exam to exam.
 */
import type { Report } from '../../../../src/reporting/report-head.ts';
import { isUid, readKeyImages } from '../../../../src/reporting/key-images.ts';
import type { KeyImage } from '../../../../src/reporting/key-images.ts';
import { findingConcepts } from '../measurement-codes.ts';
import { listMeasurementGroups } from './measurement-groups.ts';
import type { MeasurementGroup } from './measurement-groups.ts';
import {
  codeConcept,
  codeItem,
  comment,
  dcm,
  imageItem,
  modifier,
  node,
  numericItem,
  textItem,
} from './content-items.ts';
import { code } from './modules.ts';
import type { Item } from './modules.ts';
import { contextItems, listProcedures, templateItem, writeStructured } from './structured-document.ts';
import { studyUid, trackingUid } from './uids.ts';
import { unlimitedText } from './values.ts';

/** Empty if the report has no measurement, and replaces none. */
export function dicomMeasurements(report: Report): Uint8Array {
  const groups = listMeasurementGroups(report);
  const replaced = (report.replaced ?? []).filter((each) => listMeasurementGroups(each).length > 0);
  if (groups.length + replaced.length === 0) return new Uint8Array();
  const placed = groups.map((group) => ({ group, image: findImage(report, group) }));
  return writeStructured(
    { ...report, replaced },
    {
      kind: 'measurements',
      template: '1500',
      title: dcm('126000', 'Imaging Measurement Report'),
      images: uniqueImages(placed.flatMap(({ image }) => image ?? [])),
      content: [
        ...contextItems(report),
        ...listReported(report).map((procedure) =>
          codeItem('HAS CONCEPT MOD', dcm('121058', 'Procedure Reported'), procedure),
        ),
        node('CONTAINS', 'CONTAINER', dcm('126010', 'Imaging Measurements'), [
          ['0040A050', 'CS', 'SEPARATE'],
          ...(placed.length > 0 ? ([['0040A730', 'SQ', placed.map((each) => groupItem(report, each))]] as const) : []),
        ]),
      ],
    },
  );
}

/** A procedure is required; orders without a code have only this one in common. */
function listReported(report: Report): Item[] {
  const procedures = listProcedures(report);
  return procedures.length > 0 ? procedures : [code('363679005', 'SCT', 'Imaging procedure')];
}

interface PlacedGroup {
  readonly group: MeasurementGroup;
  readonly image: KeyImage | undefined;
}

function groupItem(report: Report, { group, image }: PlacedGroup): Item {
  const { name, values, finding, site, side, sentence, viewer } = group;
  const identifier = viewer ? name : `${report.record.id} ${name}`;
  const known = viewer?.tracking_uid;
  const uid = isUid(known) ? known : trackingUid(viewer ? studyUid(report) : report.record.id, name);
  const laterality = side ? [modifier(findingConcepts.side, side)] : [];
  const source = image ? [imageItem('INFERRED FROM', dcm('121112', 'Source of Measurement'), image)] : [];
  return node('CONTAINS', 'CONTAINER', dcm('125007', 'Measurement Group'), [
    ['0040A050', 'CS', 'SEPARATE'],
    ['0040A504', 'SQ', [templateItem('1501')]],
    [
      '0040A730',
      'SQ',
      [
        node('HAS OBS CONTEXT', 'TEXT', dcm('112039', 'Tracking Identifier'), [
          ['0040A160', 'UT', unlimitedText(identifier)],
        ]),
        node('HAS OBS CONTEXT', 'UIDREF', dcm('112040', 'Tracking Unique Identifier'), [['0040A124', 'UI', uid]]),
        ...(finding ? [codeItem('CONTAINS', dcm('121071', 'Finding'), codeConcept(finding))] : []),
        ...(site ? [modifier(findingConcepts.site, site, laterality)] : []),
        ...values.map(({ quantity, ...value }) =>
          numericItem('CONTAINS', quantity, value, [...(site ? [] : laterality), ...source]),
        ),
        ...(sentence === undefined ? [] : [textItem(comment, sentence)]),
      ],
    ],
  ]);
}

/** The image on which a viewer measured, if all of its UIDs are known; its class may be that of a key image. */
function findImage(report: Report, { viewer }: MeasurementGroup): KeyImage | undefined {
  const study = report.item?.study_uid ?? null;
  const { series_uid: series, instance_uid: instance } = viewer ?? {};
  const keyImage = readKeyImages(report.record, study).find(({ instance_uid }) => instance_uid === instance);
  if (keyImage) return keyImage;
  const sopClass = viewer?.class_uid;
  if (study === null || !isUid(series) || !isUid(instance) || !isUid(sopClass)) return undefined;
  return { study_uid: study, series_uid: series, instance_uid: instance, class_uid: sopClass };
}

const uniqueImages = (images: readonly KeyImage[]): KeyImage[] => [
  ...new Map(images.map((image) => [image.instance_uid, image])).values(),
];
