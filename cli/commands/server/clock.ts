import type { MovedClock, ServerClock } from '../../../src/contract/clock.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { parseClockInstant, clockStepForm, parseClockStep } from '../../../src/domain/clock-choice.ts';
import { defineCommand, optional } from '../../command.ts';
import type { Context } from '../../context.ts';
import { detailView } from '../../shell/view.ts';
import type { View } from '../../shell/view.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';

const actions = ['show', 'advance', 'set'] as const;
type Action = (typeof actions)[number];

export const command = defineCommand({
  description:
    'For a server that was started with --clock. Everything due in between happens at its time and in order: deliveries are retried, jobs continue, tokens and keys expire, retention removes data. The command ends once all of that is done. A clock never goes back.',
  arguments: {
    action: optional(`${actions.join(', ')}; default show`, actions),
    to: optional(
      'With advance, a duration such as 2h, 30min or 0s; with set, a later instant such as 2026-03-02T09:00:00Z',
    ),
  },
  examples: [
    ['laudio server clock', 'show its time, and the next due time'],
    ['laudio server clock advance 2h', 'one-hour tokens have expired, and webhooks were retried'],
    ['laudio server clock advance 0s', 'wait until everything due now is done'],
    ['laudio server clock set 2026-04-01T00:00:00Z', 'the end of the month'],
  ],
  async run(context, { action: word = 'show', to }): Promise<View> {
    const action = actions.find((known) => known === word);
    if (!action) {
      throw unknownWord(`A clock takes ${actions.join(', ')}, not ${word}.`, word, actions);
    }
    if (action === 'show' && to !== undefined) throw new AppError('USAGE', { message: 'show takes no time.' });
    return clockView(await asked(context, action, to));
  },
});

async function asked({ operator, signal }: Context, action: Action, to = ''): Promise<ServerClock | MovedClock> {
  const call = { signal };
  switch (action) {
    case 'show': {
      const { clock: server } = await operator();
      return (await server.show({}, call)).data;
    }
    case 'advance': {
      if (parseClockStep(to) === undefined)
        throw new AppError('USAGE', {
          message: `advance takes ${clockStepForm}.`,
          hint: 'laudio server clock advance 2h',
        });
      const { clock: server } = await operator();
      return (await server.advance({ body: { by: to } }, call)).data;
    }
    case 'set': {
      const at = parseClockInstant(to);
      if (at === undefined)
        throw new AppError('USAGE', {
          message: 'set takes an instant of the years 2000 to 2199.',
          hint: 'laudio server clock set 2026-03-02T09:00:00Z',
        });
      const { clock: server } = await operator();
      return (await server.set({ body: { now: new Date(at).toISOString() } }, call)).data;
    }
  }
}

const kinds = {
  machine: 'the clock of the machine; it can’t be moved',
  fixed: 'stopped until it is moved',
  offset: 'runs like the clock of the machine',
} as const satisfies Record<ServerClock['kind'], string>;

function clockView(clock: ServerClock | MovedClock): View {
  const unsettled = 'settled' in clock && !clock.settled;
  return detailView({
    data: clock,
    fields: [
      ['Now', clock.now, 'strong'],
      ['Clock', kinds[clock.kind]],
      ['Next due', clock.next_due_at ?? (clock.kind === 'machine' ? undefined : 'nothing')],
      ['Work', unsettled ? 'runs on; some work takes long' : undefined, 'warn'],
    ],
  });
}
