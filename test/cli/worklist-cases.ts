/** How the commands of the worklist are tried. */
import { fileURLToPath } from 'node:url';
import { has, id } from './command-case.ts';
import type { Case } from './command-case.ts';
import { day } from './world.ts';

export const worklistCases: Readonly<Record<string, Case>> = {
  'worklist ingest': {
    words: () => ['worklist', 'ingest', day],
    human: /^SL-2026-004415\tinserted\twli_\w{26}\t\n/,
    data: has({ processed: 23, deduped: 23, errors: [] }),
    isApart: true,
  },
  'worklist replay': {
    words: async (world) => {
      await world.day();
      return ['worklist', 'replay', day];
    },
    data: has({ processed: 23, inserted: 0, updated: 0, deduped: 23, refused: 0, errors: [] }),
  },
  'worklist mapping': {
    words: () => ['worklist', 'mapping', fileURLToPath(new URL('../../samples/worklists/order.hl7', import.meta.url))],
    human: /accession_number\tOBR-18\.1\n/,
    data: has({ format: 'hl7', items: 1, whole: 1, mapping: {} }),
  },
  'worklist list': {
    words: async (world) => {
      await world.day();
      return ['worklist', 'list', '--q', 'torax sem contraste'];
    },
    human: /^wli_\w{26}\t2026-03-02 11:30\tnew\tCT\tPaciente Teste\tTC de tórax sem contraste\t/,
    data: [has({ id: id('wli'), accession_number: 'SL-2026-004417' })],
  },
  'worklist show': {
    words: async (world) => ['worklist', 'show', await world.item('torax sem contraste')],
    human: /^Id\twli_/,
    data: has({ accession_number: 'SL-2026-004417' }),
  },
  'worklist set-status': {
    words: async (world, form) => [
      'worklist',
      'set-status',
      await world.item('SL-2026-004415'),
      form === 'human' ? 'in_progress' : 'new',
      '--reason',
      'Test',
    ],
    human: /^Status\tin progress\nBefore\tnew\nReason\tTest\n/m,
    data: has({ status: 'new', previous_status: 'in_progress' }),
  },
  'worklist assign': {
    words: async (world, form) => [
      'worklist',
      'assign',
      await world.item(form === 'human' ? 'SL-2026-004420' : 'SL-2026-004421'),
      'dra. teste',
      '--reason',
      'Test',
    ],
    human: /^With\tDra\. Teste\nGiven by\tDra\. Teste\nReason\tTest\n/m,
    data: has({ status: 'in_progress', assigned_to: 'Dra. Teste' }),
  },
  'worklist history': {
    words: async (world) => ['worklist', 'history', await world.movedItem()],
    human: /\tin progress\tnew\tDra\. Teste\t\tTest\n/,
    data: [
      { from: 'in_progress', to: 'new' },
      { from: 'new', to: 'in_progress' },
    ].map((entry) => has(entry)),
  },
};
