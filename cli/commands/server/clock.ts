import type { MovedClock, ServerClock } from '../../../src/contract/clock.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { parseClockInstant, clockStepForm, parseClockStep } from '../../../src/domain/clock-choice.ts';
import { defineCommand, optional } from '../../command.ts';
import type { Context } from '../../context.ts';
import { detailView } from '../../shell/view.ts';
import type { View } from '../../shell/view.ts';

const actions = ['show', 'advance', 'set'] as const;
type Action = (typeof actions)[number];

export const command = defineCommand({
  description:
    'For a server that was started with --clock. What is due on the way is done at its time and in its order: deliveries are repeated, jobs go on, tokens and keys expire, what is kept no longer is removed. The command ends once all of that is done. A clock never goes back.',
  arguments: {
    action: optional(`${actions.join(', ')}; default show`),
    to: optional(
      'With advance how far, such as 2h, 30min or 0s; with set a later instant, such as 2026-03-02T09:00:00Z',
    ),
  },
  examples: [
    ['laudio server clock', 'what time it is there, and when something is due next'],
    ['laudio server clock advance 2h', 'tokens of an hour have expired, and webhooks were repeated'],
    ['laudio server clock advance 0s', 'wait until all that is due now is done'],
    ['laudio server clock set 2026-04-01T00:00:00Z', 'the end of the month'],
  ],
  async run(context, { action: word = 'show', to }): Promise<View> {
    const action = actions.find((known) => known === word);
    if (!action) {
      throw new AppError('USAGE', { message: `A clock takes ${actions.join(', ')}, not ${word}.` });
    }
    if (action === 'show' && to !== undefined) throw new AppError('USAGE', { message: 'show takes nothing else.' });
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
  machine: 'the clock of the machine; it cannot be moved',
  fixed: 'stands until it is moved',
  offset: 'goes on as the clock of the machine does',
} as const satisfies Record<ServerClock['kind'], string>;

function clockView(clock: ServerClock | MovedClock): View {
  const unsettled = 'settled' in clock && !clock.settled;
  return detailView({
    data: clock,
    fields: [
      ['Now', clock.now, 'strong'],
      ['Clock', kinds[clock.kind]],
      ['Next due', clock.next_due_at ?? (clock.kind === 'machine' ? undefined : 'nothing')],
      ['Work', unsettled ? 'goes on; something takes long' : undefined, 'warn'],
    ],
  });
}
