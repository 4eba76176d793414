import type { Wordings } from '../../../../src/contract/messages/message.ts';

export const impression = {
  propose: 'Propose from findings',
  title: 'Proposed from the findings',
  asking: 'Reading the findings',
  goes_to: 'The findings are sent to {host}, without the patient’s data.',
  take: 'Take',
  taken: 'In the impression',
  take_all: 'Take all',
  take_back: 'Undo',
  again: 'Propose again',
  nothing: 'Nothing to propose: write the impression yourself.',
  left_out: {
    one: 'One sentence left out: it said more than the findings.',
    other: '{n} sentences left out: they said more than the findings.',
  },
  rests_on: 'From the findings:',
  outdated: 'The findings have changed since. Propose again.',
  failed: 'The language model did not answer. Nothing was changed. Try again, or write the impression yourself.',
  changed: 'The report was changed meanwhile. Propose again.',
  offered: { one: 'One sentence proposed.', other: '{n} sentences proposed.' },
} as const satisfies Wordings;
