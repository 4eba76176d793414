/** The commands for critical results. */
import { expect } from 'vitest';
import { has, id } from './command-case.ts';
import type { Case } from './command-case.ts';

const including = (fields: object) => expect.arrayContaining([has(fields)]) as unknown;

export const criticalCases: Readonly<Record<string, Case>> = {
  'critical list': {
    words: async (world) => (await world.critical(), ['critical', 'list']),
    human: /^rec_\S+\tf_\S+\t[^\n]*pneumoperitoneum\topen\t/im,
    data: including({ status: 'open', record_id: id('rec') }),
  },
  'critical show': {
    words: async (world) => ['critical', 'show', (await world.critical())[0]],
    human: /^rec_[^\n]*\topen\t/,
    data: has({ critical_results: [has({ status: 'open' })] }),
  },
  'critical mark': {
    words: async (world) => ['critical', 'mark', await world.record(), 'impression'],
    input: 'ormal\n',
    human: /\tormal\topen\t/,
    data: has({ critical_results: [has({ words: 'ormal', marked_by: expect.any(String) })] }),
  },
  'critical tell': {
    words: async (world) => ['critical', 'tell', (await world.critical())[0], '--to', 'Dr. Nunes', '--read-back'],
    human: /\ttold Dr. Nunes, phone, [^\n]*, read back\t/,
    data: has({ version: 2, critical_results: [has({ status: 'told' })] }),
  },
  'critical dismiss': {
    words: async (world) => ['critical', 'dismiss', ...(await world.critical())],
    input: 'Known since March\n',
    human: /\tdismissed: Known since March\t/,
    data: has({ critical_results: [has({ status: 'dismissed' })] }),
  },
};
