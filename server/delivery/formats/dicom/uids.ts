/** Deterministic UIDs: a version of a document always has the same ones (PS3.5 B.2: a UUID as a number below 2.25). */
import { createHash } from 'node:crypto';
import { uidOfUuid } from '../../../../src/protocols/dimse/uid.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

export type DicomKind = 'pdf' | 'sr' | 'enhanced-sr' | 'measurements';

function createUid(...names: readonly (string | number)[]): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify(['laudio', ...names]))
    .digest()
    .subarray(0, 16);
  // A UUID of version 8, for custom content (RFC 9562 5.8).
  bytes[6] = (elementAt(bytes, 6) & 0x0f) | 0x80;
  bytes[8] = (elementAt(bytes, 8) & 0x3f) | 0x80;
  return uidOfUuid(bytes.toString('hex'));
}

/** Study of the exam's images; if it is unknown, a generated one per exam. */
export const studyUid = ({ item, record }: Report): string => item?.study_uid ?? studyUidFor(item?.id ?? record.id);

/** The study of an exam whose order names none. */
export const studyUidFor = (exam: string): string => createUid('study', exam);

/** All versions of a document share a series. */
export const seriesUid = (report: Report, kind: DicomKind): string =>
  createUid('series', kind, report.record.id, studyUid(report));

export const instanceUid = ({ record: { id, version } }: Report, kind: DicomKind): string =>
  createUid('instance', kind, id, version);

/** A measurement, the same in all versions; of a viewer in all documents of its study. */
export const trackingUid = (holder: string, identifier: string): string => createUid('tracking', holder, identifier);
