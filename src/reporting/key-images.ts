/** Images that illustrate a report, by reference: `key_images` of the record's metadata, as a viewer or PACS names them. */
import type { MedicalRecord } from '../contract/document.ts';
import { findEntry } from '../domain/find-entry.ts';
import { isPlainObject } from '../domain/normalise.ts';

/** Its UIDs, as DICOM writes them; one that no reader needs may be empty. */
export interface KeyImage {
  readonly study_uid: string;
  readonly series_uid: string;
  readonly instance_uid: string;
  /** SOP class. */
  readonly class_uid: string;
}

export const imageUids = [
  'study_uid',
  'series_uid',
  'instance_uid',
  'class_uid',
] as const satisfies readonly (keyof KeyImage)[];

const maxImages = 200;
const uid = /^(?=.{1,64}$)(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))+$/;

export const isUid = (text: unknown): text is string => typeof text === 'string' && uid.test(text);

const listEntries = ({ metadata }: Pick<MedicalRecord, 'metadata'>): readonly unknown[] => {
  const entries: unknown = findEntry(metadata, 'key_images');
  return Array.isArray(entries) ? entries : [];
};

/** How many are named, readable or not. */
export const countKeyImages = (record: Pick<MedicalRecord, 'metadata'>): number => listEntries(record).length;

/** The images in their order, at most 200. Leaves out entries without a needed UID: nobody could find them. */
export function readKeyImages(
  record: Pick<MedicalRecord, 'metadata'>,
  studyUid: string | null,
  needed: readonly (keyof KeyImage)[] = imageUids,
): readonly KeyImage[] {
  return listEntries(record)
    .slice(0, maxImages)
    .flatMap((entry): KeyImage[] => {
      if (!isPlainObject(entry)) return [];
      const read = (name: keyof KeyImage, fallback: unknown = ''): string => {
        const value = entry[name] ?? fallback;
        return isUid(value) ? value : '';
      };
      const image = {
        study_uid: read('study_uid', studyUid),
        series_uid: read('series_uid'),
        instance_uid: read('instance_uid'),
        class_uid: read('class_uid'),
      };
      return needed.some((name) => image[name] === '') ? [] : [image];
    });
}
