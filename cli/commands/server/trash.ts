import { AppError } from '../../../src/contract/errors.ts';
import type { TrashEntry } from '../../../src/contract/maintenance.ts';
import { counted } from '../../../src/domain/counted.ts';
import { defineCommand, optional } from '../../command.ts';
import { localTime } from '../../shell/time.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { messageView } from '../../shell/view.ts';
import type { View } from '../../shell/view.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';

const actions = ['list', 'restore'] as const;

export const command = defineCommand({
  description:
    'Lists what --keep-completed and --keep-audio removed in the last seven days. Restored items are complete, including reports and audio, and their retention starts again.',
  arguments: {
    action: optional(`${actions.join(', ')}; default list`, actions),
    id: optional('Id of the entry to restore', { shown: 'wli' }),
  },
  options: pagingOptions,
  examples: [
    ['laudio server trash', 'what can be restored, and until when'],
    ['laudio server trash restore wli_01KJQ4ZVP0MG7S4P2K4781R5KT', 'an exam with its reports'],
  ],
  async run({ operator, signal }, { action: word = 'list', id, ...paging }): Promise<View> {
    const action = actions.find((known) => known === word);
    if (!action) throw unknownWord(`The trash takes ${actions.join(', ')}, not ${word}.`, word, actions);
    const { maintenance } = await operator();
    if (action === 'restore') {
      if (paging.all || paging.limit !== undefined)
        throw new AppError('USAGE', { message: `${paging.all ? '--all' : '--limit'} needs list.` });
      if (id === undefined) {
        throw new AppError('USAGE', {
          message: 'restore takes the id of an entry.',
          hint: 'laudio server trash list shows the ids.',
        });
      }
      const { data } = await maintenance.restoreTrash({ params: { id } }, { signal });
      return messageView(`Restored ${data.id}: ${counted(data.documents, 'document')}.`, data);
    }
    if (id !== undefined) throw new AppError('USAGE', { message: 'list takes no id.' });
    return pagedList<TrashEntry>(paging, (page) => maintenance.trash({ query: page }, { signal }), {
      columns: [
        { title: 'Id', value: (entry) => entry.id, tone: () => 'strong' },
        { title: 'What', value: ({ kind }) => kind },
        { title: 'Accession', value: ({ accession_number: number }) => number ?? '' },
        { title: 'Removed', value: ({ removed_at: at }) => localTime(at) },
        { title: 'Until', value: ({ expires_at: at }) => (at === null ? 'restricted' : localTime(at)) },
      ],
      empty: 'Retention removed nothing in the last seven days.',
    });
  },
});
