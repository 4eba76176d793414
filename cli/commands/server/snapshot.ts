import { AppError } from '../../../src/contract/errors.ts';
import type { Snapshot } from '../../../src/contract/maintenance.ts';
import { counted } from '../../../src/domain/counted.ts';
import { defineCommand, flag, optional } from '../../command.ts';
import type { Context } from '../../context.ts';
import { localTime } from '../../shell/time.ts';
import { wholeList, wholeListOptions } from '../../shell/paging.ts';
import type { PagingInput } from '../../shell/paging.ts';
import { messageView } from '../../shell/view.ts';
import type { View } from '../../shell/view.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';

const actions = ['save', 'load', 'list', 'remove'] as const;

export const command = defineCommand({
  description:
    'A named state of all documents and audio: in the server’s data directory, encrypted if that is, or in memory if its audio is. Tests load one as their starting point. Loading replaces everything, including logins, like laudio server restore; a truncated or damaged snapshot is refused, and nothing changes. A snapshot is no backup: it is on the same disk.',
  arguments: {
    action: optional(`${actions.join(', ')}; default list`, actions),
    name: optional('Name of the snapshot: lower-case letters, digits and hyphens', { shown: 'snapshot' }),
  },
  options: { ...wholeListOptions, yes: flag('Don’t ask before replacing everything', { short: 'y' }) },
  examples: [
    ['laudio server snapshot save seeded', 'once, with the data that the tests start with'],
    ['laudio server snapshot load seeded --yes', 'before each of them'],
  ],
  async run(context, { action: word = 'list', name, yes, ...paging }): Promise<View> {
    const action = actions.find((known) => known === word);
    if (!action) throw unknownWord(`A snapshot takes ${actions.join(', ')}, not ${word}.`, word, actions);
    if (action === 'list') {
      if (name !== undefined) throw new AppError('USAGE', { message: 'list takes no name.' });
      return list(context, paging);
    }
    if (paging.all || paging.limit !== undefined)
      throw new AppError('USAGE', { message: `${paging.all ? '--all' : '--limit'} needs list.` });
    if (name === undefined) {
      throw new AppError('USAGE', {
        message: `${action} takes the name of a snapshot.`,
        hint: 'laudio server snapshot list shows the names.',
      });
    }
    return { save, load, remove }[action](context, name, yes);
  },
});

async function list({ operator, signal }: Context, paging: PagingInput): Promise<View> {
  const { maintenance } = await operator();
  const { items } = (await maintenance.snapshots({}, { signal })).data;
  return wholeList<Snapshot>(paging, items, {
    columns: [
      { title: 'Name', value: ({ name }) => name, tone: () => 'strong' },
      { title: 'Saved', value: ({ created_at: at }) => localTime(at) },
    ],
    empty: 'The server has no snapshots.',
  });
}

async function save({ io, operator, signal }: Context, name: string): Promise<View> {
  const { maintenance } = await operator();
  const { data } = await io.progress('Saving', () => maintenance.saveSnapshot({ params: { name } }, { signal }));
  return messageView(`Saved the current state as ${data.name}.`, data);
}

async function load({ io, ask, localServer, operator, signal }: Context, name: string, yes: boolean): Promise<View> {
  const { data_dir: dataDir } = await localServer();
  if (!yes && !(await ask.confirm(`Replace everything in ${dataDir} by the snapshot ${name}?`, '--yes'))) {
    throw new AppError('INTERRUPTED', { message: 'Nothing was changed.' });
  }
  const { maintenance } = await operator();
  const { data } = await io.progress('Loading', () => maintenance.loadSnapshot({ params: { name } }, { signal }));
  const count = Object.values(data.documents).reduce<number>((sum, each) => sum + Number(each), 0);
  return messageView(
    `Loaded the state of ${localTime(data.created_at)}: ${counted(count, 'document')}, ${counted(data.audio_files, 'audio file')}.`,
    data,
  );
}

async function remove({ operator, signal }: Context, name: string): Promise<View> {
  const { maintenance } = await operator();
  const { data } = await maintenance.removeSnapshot({ params: { name } }, { signal });
  return messageView(`Removed the snapshot ${data.name}.`, data);
}
