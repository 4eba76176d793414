/** Addresses of viewers, with the numbers of an exam in them: never a name, nor what else is known of a patient. The page imports this module. */
import type { Viewer } from '../contract/viewer.ts';
import type { WorklistItem } from '../contract/worklist-item.ts';
import { fold } from './fold.ts';

/** The fields between braces in an address. */
const numbers = {
  study_uid: ({ study_uid: uid }: ExamNumbers) => uid,
  accession: ({ accession_number: number }: ExamNumbers) => number,
} as const;
type ExamNumbers = Pick<WorklistItem, 'study_uid' | 'accession_number'>;
export const viewerFields = Object.keys(numbers) as (keyof typeof numbers)[];

/** Schemes that run code in the page or read files. Any other may start a viewer on this computer. */
const forbidden = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:']);

/** Why an address can't be used; `undefined`: it can. */
export function findViewerFault(address: string): 'scheme' | 'field' | 'no_field' | undefined {
  const scheme = /^([a-z][a-z0-9+.-]{1,30}:)[^\s]+$/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined || forbidden.has(scheme)) return 'scheme';
  const fields = Array.from(address.matchAll(/\{([^{}]*)\}/g), ([, field]) => field);
  if (fields.some((field) => !viewerFields.some((each) => each === field))) return 'field';
  return fields.length === 0 ? 'no_field' : undefined;
}

/** Whether an address is one of the viewer's, with numbers in it. */
export function isViewerAddress({ address: template }: Viewer, address: string): boolean {
  const [first = '', ...rest] = template.split(/\{[^{}]*\}/);
  let at = first.length;
  if (!address.startsWith(first)) return false;
  for (const text of rest) {
    const end = text === '' ? address.length : address.indexOf(text, at);
    if (end < 0 || !/^[\w.~%!'()*-]+$/.test(address.slice(at, end))) return false;
    at = end + text.length;
  }
  return at === address.length;
}

/** The address of the exam's images; `undefined`: there is no viewer for it, or it lacks a number of the address. */
export function findImages(
  viewers: readonly Viewer[],
  item: ExamNumbers & Pick<WorklistItem, 'hospital_name'>,
): string | undefined {
  const name = item.hospital_name == null ? undefined : fold(item.hospital_name.trim());
  const own = viewers.find(({ hospital }) => hospital !== null && fold(hospital.trim()) === name);
  const viewer = own ?? viewers.find(({ hospital }) => hospital === null);
  if (!viewer) return undefined;
  const values = viewerFields.map((field) => [field, numbers[field](item)] as const);
  let address = viewer.address;
  for (const [field, value] of values) {
    if (!address.includes(`{${field}}`)) continue;
    if (value === null) return undefined;
    address = address.replaceAll(`{${field}}`, encodeURIComponent(value));
  }
  return address;
}
