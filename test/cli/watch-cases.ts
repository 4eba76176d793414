/** How the commands with which an operator watches a server are tried. */
import { expect } from 'vitest';
import { has } from './command-case.ts';
import type { Case } from './command-case.ts';

export const watchCases: Readonly<Record<string, Case>> = {
  'server audit': {
    async words(world) {
      await world.day();
      return ['server', 'audit', '--limit', '1000'];
    },
    human: /^\d+\t[\d-]{10} [\d:]{5}\t[\w-]+\tworklists\.ingest\twli_\w+ \+\d+\tdone\t127\.0\.0\.1\treq_\w+$/m,
    data: expect.arrayContaining([has({ action: 'worklists.ingest', kind: 'items', outcome: 'done' })]) as unknown,
  },
  'server trash': {
    words: () => ['server', 'trash'],
    data: [],
  },
  'server clock': {
    words: () => ['server', 'clock'],
    human: /^Now\t\d{4}-[^]*^Clock\tthe clock of the machine; it can’t be moved\n/m,
    data: has({ kind: 'machine', next_due_at: null }),
  },
  'server requests': {
    async words(world) {
      await world.day();
      return ['server', 'requests', '--client', 'test_tc_local', '--limit', '1'];
    },
    human: /^\d+\t[\d:]{8}\t[A-Z]+\t\/api\/v1\/\S+\t200\t[\d.]+\tallowed\ttest_tc_local\t/,
    data: [has({ number: expect.any(Number), client_id: 'test_tc_local', decision: 'allowed', status: 200 })],
  },
  'server status': {
    words: async (world) => {
      await world.day();
      return ['server', 'status'];
    },
    human: /^Address\thttp:\/\/127\.0\.0\.1:\d+\n[^]*^Storage\tok\n[^]*^items\t23\n/m,
    data: has({
      storage: 'ok',
      store: 'lowdb',
      blobs: 'files',
      stored: has({ items: 23 }),
      retention: { completed_s: null, audio_s: null, trash_s: 604_800, audit_s: null },
    }),
  },
};
