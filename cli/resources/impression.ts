/** Formats what a language model proposes for an impression. */
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { ImpressionProposals } from '../../src/contract/impression.ts';
import { counted } from '../../src/domain/counted.ts';
import { listView } from '../shell/view.ts';
import type { View } from '../shell/view.ts';

export const impressionList = (data: ImpressionProposals, { sections }: Pick<MedicalRecord, 'sections'>): View =>
  listView({
    data,
    rows: data.sentences,
    columns: [
      { title: 'Sentence', value: ({ text }) => text, tone: () => 'strong' },
      {
        title: 'Rests on',
        value: ({ basis }) =>
          basis
            .map(({ section, start, end }) => sections.find(({ key }) => key === section)?.text.slice(start, end) ?? '')
            .join(' '),
        cut: true,
      },
    ],
    empty: 'There is nothing to propose.',
    ...(data.refused > 0 && {
      note: `${counted(data.refused, 'sentence')} left out, which said more than the findings.`,
    }),
  });
