/** Formats priors. */
import type { Prior, PriorSummary } from '../../src/contract/prior.ts';
import { localTime } from '../shell/time.ts';
import { detailView } from '../shell/view.ts';
import type { Column, Tone, View } from '../shell/view.ts';

type PriorRow = Omit<PriorSummary, 'differs'> & Partial<Pick<PriorSummary, 'differs'>>;

const tones: Readonly<Record<Prior['status'], Tone>> = {
  preliminary: 'warn',
  final: 'good',
  corrected: 'good',
  withdrawn: 'bad',
};

export const priorColumns: readonly Column<PriorRow>[] = [
  { title: 'ID', value: ({ id }) => id, tone: () => 'faint' },
  { title: 'Exam', value: ({ exam_datetime: at }) => localTime(at) },
  { title: 'Status', value: ({ status }) => status, tone: ({ status }) => tones[status] },
  { title: 'Patient', value: (prior) => prior.display_name },
  { title: 'Description', value: (prior) => prior.exam_description, tone: () => 'strong', cut: true },
  { title: 'From', value: ({ origin, source_system: system }) => system ?? origin, spare: 1 },
  { title: 'Accession', value: (prior) => prior.accession_number, spare: 2 },
  { title: 'Report', value: (prior) => prior.report_id, spare: 3 },
];

export const priorDetail = (prior: Prior): View =>
  detailView({
    data: prior,
    fields: [
      ['Id', prior.id],
      ['Exam', prior.exam_description, 'strong'],
      ['Taken', localTime(prior.exam_datetime)],
      ['Patient', prior.display_name],
      ['Patient id', prior.patient_id],
      ['Birth date', prior.patient_birth_date],
      ['Status', prior.status, tones[prior.status]],
      ['Version', prior.version],
      ['Accession', prior.accession_number],
      ['Report', prior.report_id],
      ['Signed by', prior.author],
      ['From', prior.source_system ?? prior.origin],
      ['Imported', prior.origin === 'imported' ? localTime(prior.created_at) : null],
    ],
    sections: prior.sections.map(({ title, text }) => ({ title: title ?? 'Report', text })),
  });
