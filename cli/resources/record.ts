/** Formats records. */
import type { RecordDestination } from '../../src/contract/distribution.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { SectionChange } from '../../src/contract/record.ts';
import type { RecordVersion } from '../../src/contract/record-version.ts';
import { counted } from '../../src/domain/counted.ts';
import { findingsText } from './finding.ts';
import { duration, localTime } from '../shell/time.ts';
import { detailView } from '../shell/view.ts';
import type { Column, Tone, View } from '../shell/view.ts';

const tone = ({ status }: Pick<MedicalRecord, 'status'>) => (status === 'final' ? 'good' : 'warn');

export const recordColumns: readonly Column<MedicalRecord>[] = [
  { title: 'ID', value: (record) => record.id, tone: () => 'faint' },
  { title: 'Made', value: (record) => localTime(record.created_at) },
  { title: 'Status', value: (record) => record.status, tone },
  { title: 'Title', value: (record) => record.title, tone: () => 'strong', cut: true },
  { title: 'Ver.', value: (record) => record.version, align: 'right' },
  { title: 'Language', value: (record) => record.language, spare: 1 },
  { title: 'Template', value: (record) => record.template_id, spare: 2 },
  { title: 'Exam', value: (record) => record.worklist_item_id, spare: 3 },
];

const signedBy = (signature: { readonly by: string; readonly at: string } | undefined): string | null =>
  signature === undefined ? null : `by ${signature.by}, ${localTime(signature.at)}`;

const sourceOf = ({ source }: MedicalRecord): string =>
  source.kind === 'text'
    ? 'text'
    : `audio${source.audio_seconds === undefined ? '' : `, ${duration(source.audio_seconds)}`}`;

/** A signature that can still be undone. */
const signedUntil = ({ signing }: MedicalRecord): string | null =>
  signing ? `by ${signing.by}, ${localTime(signing.at)}; final at ${localTime(signing.final_at)}` : null;

export const recordDetail = (record: MedicalRecord): View =>
  detailView({
    data: record,
    fields: [
      ['Id', record.id],
      ['Title', record.title, 'strong'],
      ['Status', record.status, tone(record)],
      ['Signed', signedUntil(record), 'warn'],
      ['Preliminary', signedBy(record.preliminary)],
      ['Sent back', signedBy(record.sent_back), 'warn'],
      ['Version', record.version],
      ['Language', record.language],
      ['Template', record.template_id],
      ['Made from', sourceOf(record)],
      ['Exam', record.worklist_item_id],
      ['Job', record.job_id],
      ['Made', localTime(record.created_at)],
      ['Updated', localTime(record.updated_at)],
      ['Test mode', record.test_mode ? 'yes: simulated, from test data' : null, 'warn'],
    ],
    sections: [
      ...(record.sent_back?.note === undefined
        ? []
        : [{ title: 'Sent back with this note', text: record.sent_back.note }]),
      ...record.sections,
      ...[{ title: 'To review before signing', text: findingsText(record) }].filter(({ text }) => text !== ''),
    ],
  });

/** A correction: only its changes. */
export const correctionDetail = (data: {
  record: MedicalRecord;
  changes: readonly SectionChange[];
  instruction: string;
  message?: string;
}): View =>
  detailView({
    data,
    fields: [
      ['Record', data.record.id],
      ['Version', data.record.version],
      ['Understood', data.instruction],
      ['Result', data.message ?? `${counted(data.changes.length, 'section')} changed`],
    ],
    sections: data.changes.flatMap(({ section, before, after }) => [
      { title: `${section}, before`, text: before ?? '(there was none)' },
      { title: `${section}, after`, text: after ?? '(removed)' },
    ]),
  });

const destinationTones: Readonly<Record<RecordDestination['state'], Tone>> = {
  waiting: 'busy',
  sent: 'good',
  refused: 'bad',
  dropped: 'faint',
};

export const destinationColumns: readonly Column<RecordDestination>[] = [
  { title: 'Channel', value: ({ channel }) => channel, tone: () => 'strong' },
  { title: 'State', value: ({ state }) => state, tone: ({ state }) => destinationTones[state] },
  { title: 'Since', value: ({ since }) => localTime(since) },
  { title: 'Ver.', value: ({ version }) => version, align: 'right' },
];

/** The warnings that were open at the signature: `side_lost, unit_changed (not acknowledged)`. */
const signedOver = ({ open_findings: open = [] }: RecordVersion): string =>
  open.map(({ kind, acknowledged }) => (acknowledged ? kind : `${kind} (not acknowledged)`)).join(', ');

export const versionColumns: readonly Column<RecordVersion>[] = [
  { title: 'Ver.', value: (version) => version.version, align: 'right' },
  { title: 'When', value: (version) => localTime(version.at) },
  { title: 'Change', value: (version) => version.change },
  { title: 'Status', value: (version) => version.status, tone },
  { title: 'Who', value: (version) => version.who },
  { title: 'Title', value: (version) => version.title, cut: true },
  { title: 'Signed over', value: signedOver, spare: 1 },
  { title: 'Note', value: ({ note }) => note, spare: 2 },
];
