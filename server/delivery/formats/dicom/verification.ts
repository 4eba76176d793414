/** Completion and verification of a document (PS3.3 C.17.2). */
import type { Report, Signature } from '../../../../src/reporting/report-head.ts';
import { addendumKey } from '../../../../src/domain/record-state.ts';
import { clockOf, code, institutionOf, classOf } from './modules.ts';
import type { Item } from './modules.ts';
import { instanceUid, seriesUid, studyUid } from './uids.ts';
import type { DicomKind } from './uids.ts';
import { toMoment, shownName } from './values.ts';

type NamedSignature = Signature & { readonly who: string };
const isSigned = (signature: Signature | null | undefined): signature is NamedSignature => Boolean(signature?.who);

/** Whether a person has signed the final document. */
export const isVerified = ({ record, signature }: Report): boolean => record.status === 'final' && isSigned(signature);

export function verification(report: Report, kind: DicomKind): Item {
  const { record, signature, addenda = [] } = report;
  const verified = isVerified(report);
  return [
    ['0040A491', 'CS', record.status === 'draft' ? 'PARTIAL' : 'COMPLETE'],
    ['0040A493', 'CS', verified ? 'VERIFIED' : 'UNVERIFIED'],
    ['0040A496', 'CS', record.status === 'final' ? 'FINAL' : 'PRELIMINARY'],
    ...(verified
      ? ([['0040A073', 'SQ', [signature, ...addenda].filter(isSigned).map((each) => observer(report, each))]] as const)
      : []),
    ...predecessors(report, kind),
  ];
}

function observer(report: Report, { who, at, licence }: NamedSignature): Item {
  const { date, time, offset } = toMoment(at, clockOf(report));
  return [
    ['0040A027', 'LO', institutionOf(report) || 'UNKNOWN'],
    ['0040A030', 'DT', `${date}${time}${offset}`],
    ['0040A075', 'PN', shownName(who)],
    ['0040A088', 'SQ', licence ? [code(licence.replaceAll('\\', '/'), '99LICENCE', who)] : []],
  ];
}

/** Documents that this version replaces: its previous version, and another document of the exam, which has a separate series. */
function predecessors(report: Report, kind: DicomKind): Item {
  const named = listReplaced(report);
  // A report without measurements has no document of them.
  const replaced = kind === 'measurements' ? (report.replaced ?? []).map(({ record }) => record) : named;
  const items = replaced.map(({ id, version }) =>
    reference({ ...report, record: { ...report.record, id, version } }, kind),
  );
  return items.length > 0 ? [['0040A360', 'SQ', items]] : [];
}

/** The versions that this one replaces. */
export function listReplaced({
  record,
  changed,
}: Pick<Report, 'record' | 'changed'>): Pick<Report['record'], 'id' | 'version'>[] {
  if (record.status !== 'final') return [];
  const isChanged = changed !== undefined || record.sections.some(({ key }) => key === addendumKey);
  const previous = isChanged ? record.version - 1 : record.preliminary?.version;
  const other = isChanged ? undefined : record.replaces;
  return [
    ...(previous ? [{ id: record.id, version: previous }] : []),
    ...(other ? [{ id: other.record_id, version: other.version }] : []),
  ];
}

/** Reference to the object of a version, in its study and series (PS3.3 table C.17-3). */
function reference(report: Report, kind: DicomKind): Item {
  const instance: Item = [
    ['00081150', 'UI', classOf[kind]],
    ['00081155', 'UI', instanceUid(report, kind)],
  ];
  const inSeries: Item = [
    ['00081199', 'SQ', [instance]],
    ['0020000E', 'UI', seriesUid(report, kind)],
  ];
  return [
    ['00081115', 'SQ', [inSeries]],
    ['0020000D', 'UI', studyUid(report)],
  ];
}
