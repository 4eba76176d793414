/** Formats exams. */
import type { HistoryEntry, WorklistItem, WorklistStatus } from '../../src/contract/worklist.ts';
import { age, localTime } from '../shell/time.ts';
import { detailView } from '../shell/view.ts';
import type { Column, Tone, View } from '../shell/view.ts';

export const statusTone: Readonly<Record<WorklistStatus, Tone>> = {
  new: 'plain',
  in_progress: 'busy',
  completed: 'good',
  cancelled: 'faint',
};

export const statusWords: Readonly<Record<WorklistStatus, string>> = {
  new: 'new',
  in_progress: 'in progress',
  completed: 'completed',
  cancelled: 'cancelled',
};

export const itemColumns = (now: number): readonly Column<WorklistItem>[] => [
  { title: 'ID', value: (item) => item.id, tone: () => 'faint' },
  { title: 'Exam time', value: (item) => localTime(item.exam_datetime), spare: 1 },
  { title: 'Status', value: (item) => statusWords[item.status], tone: (item) => statusTone[item.status] },
  { title: 'Mod.', value: (item) => item.modality },
  { title: 'Patient', value: (item) => item.display_name, tone: () => 'strong', cut: true },
  { title: 'Exam', value: (item) => item.exam_description, cut: true },
  { title: 'Hospital', value: (item) => item.hospital_name, spare: 5 },
  { title: 'Accession', value: (item) => item.accession_number, spare: 3 },
  { title: 'With', value: (item) => item.assigned_to, tone: () => 'busy', spare: 2 },
  { title: 'Updated', value: (item) => age(item.updated_at, now), tone: () => 'faint', spare: 4 },
  { title: 'Report', value: (item) => item.report?.status, spare: 6 },
];

/** `2026-03-02 08:30 (3 min ago)`. */
const timeAndAge = (iso: string, now: number): string => `${localTime(iso)} (${age(iso, now)})`;

export const itemDetail = (item: WorklistItem, now: number): View =>
  detailView({
    data: item,
    fields: [
      ['Id', item.id],
      ['Status', statusWords[item.status], statusTone[item.status]],
      ['Reason', item.reason],
      ['Patient', item.display_name, 'strong'],
      ['Patient id', item.patient_id],
      ['Sex', item.patient_sex],
      ['Born', item.patient_birth_date],
      ['Age', item.patient_age],
      ['Exam', item.exam_description, 'strong'],
      ['Modality', item.modality],
      ['Exam time', localTime(item.exam_datetime)],
      ['Exam is', item.exam_status],
      ['Accession', item.accession_number],
      ['Issued by', item.accession_issuer],
      ['Study UID', item.study_uid],
      ['Hospital', item.hospital_name],
      ['Location', item.location],
      ['Room', item.exam_room],
      ['Referred by', item.referring_physician],
      ['Procedure', item.procedure_id],
      ['Series', item.series_count],
      ['Images', item.images_count],
      ['With', item.assigned_to, 'busy'],
      ['Given by', item.assigned_by],
      ['Record', item.record_id],
      ['Report', item.report && `${item.report.status}, ${timeAndAge(item.report.at, now)}`],
      ['Corrected', item.corrected_at && timeAndAge(item.corrected_at, now)],
      ['Sent by', item.source_system],
      ['Received', timeAndAge(item.created_at, now)],
      ['Updated', timeAndAge(item.updated_at, now)],
    ],
  });

export const historyColumns = (now: number): readonly Column<HistoryEntry>[] => [
  { title: 'When', value: (entry) => localTime(entry.at) },
  { title: 'Ago', value: (entry) => age(entry.at, now), tone: () => 'faint', spare: 2 },
  { title: 'From', value: (entry) => entry.from && statusWords[entry.from] },
  { title: 'To', value: (entry) => statusWords[entry.to], tone: (entry) => statusTone[entry.to] },
  { title: 'Who', value: (entry) => entry.who },
  { title: 'From where', value: (entry) => entry.source_system, spare: 1 },
  { title: 'Reason', value: reasonWords, cut: true },
];

/** The changes of a patient, which are more informative than the sentence about them. */
function reasonWords({ reason, changes = [], assigned_to: to }: HistoryEntry): string | null {
  if (to !== undefined) return [`given to ${to}`, reason].filter(Boolean).join(': ');
  return changes.length === 0 ? reason : changes.map(changeWords).join('; ');
}

/** `patient_name: SOUZA^ANA → SOUSA^ANA`. */
const changeWords = ({ field, before, after }: NonNullable<HistoryEntry['changes']>[number]): string =>
  `${field}: ${before ?? '–'} → ${after ?? '–'}`;
