/** The UIDs by which each format names key images, and a warning about images that lack one. */
import type { ExportFormat } from '../../../src/contract/export.ts';
import { countKeyImages, imageUids, readKeyImages } from '../../../src/reporting/key-images.ts';
import type { KeyImage } from '../../../src/reporting/key-images.ts';
import type { Report } from '../../../src/reporting/report-head.ts';
import type { Hl7Settings } from './hl7/settings.ts';

/** Placeholders of `image_link`. */
export const imagePlaceholder = /\{(study_uid|series_uid|instance_uid)\}/g;

/** Formats that are not here have no images. A result has an image by its UID alone, or by those in its link. */
const neededUids: Readonly<Partial<Record<ExportFormat, (settings: Hl7Settings) => readonly (keyof KeyImage)[]>>> = {
  hl7: ({ image_link: link }) =>
    link === undefined
      ? ['instance_uid']
      : imageUids.filter((name) => name === 'instance_uid' || link.includes(`{${name}}`)),
  'dicom-sr': () => imageUids,
  'dicom-enhanced-sr': () => imageUids,
};

/** The images that the format can name. */
export const listKeyImages = (
  { record, item }: Report,
  format: ExportFormat,
  settings: Hl7Settings = {},
): readonly KeyImage[] => readKeyImages(record, item?.study_uid ?? null, neededUids[format]?.(settings) ?? []);

/** For whoever set the images; `undefined`: none is left out. */
export function warnOfImages(report: Report, format: ExportFormat, settings: Hl7Settings = {}): string | undefined {
  const needed = neededUids[format]?.(settings);
  const count = needed ? countKeyImages(report.record) - listKeyImages(report, format, settings).length : 0;
  if (!needed || count === 0) return undefined;
  const [subject, verb] = count === 1 ? ['1 key image', 'is'] : [`${count} key images`, 'are'];
  return `${subject} of the record’s metadata ${verb} not in the ${format}: key_images need ${needed.join(', ')}.`;
}
