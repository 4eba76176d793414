/** The time of a server that simulates one, for tests (extension). */
import { endpoint, group } from './endpoint.ts';
import { boolean, extended, meanings, named, nullable, object, oneOf, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';

const kinds = {
  machine: 'the clock of the machine; it cannot be moved',
  fixed: 'it stands until it is moved',
  offset: 'it goes on as the clock of the machine does, and can be moved ahead of it',
} as const;

export const ServerClock = named(
  'ServerClock',
  object({
    kind: oneOf(Object.keys(kinds) as (keyof typeof kinds)[], { description: meanings('The clock.', kinds) }),
    now: timestamp('What the clock says.'),
    next_due_at: nullable(
      timestamp(
        'When the server does something by itself next: repeats a delivery, goes on with a job, removes what has expired. `null`: not known, or nothing is due.',
      ),
    ),
  }),
  'The clock by which the server stamps, lets expire, repeats and goes on.',
);
export type ServerClock = TypeOf<typeof ServerClock>;

export const MovedClock = named(
  'MovedClock',
  extended(ServerClock, {
    settled: boolean({
      description:
        'Whether all that was due on the way has been done. `false`: something took longer than the server waits, such as a receiver of webhooks that does not answer, and goes on.',
    }),
  }),
  'The clock after a move.',
);
export type MovedClock = TypeOf<typeof MovedClock>;

const moves =
  'Whatever is due on the way is done at its time and in its order: deliveries are repeated, jobs go on, tokens and keys expire, what is kept no longer is removed. The answer comes once all of that is done. 409 where the server goes by the clock of the machine';

export const clock = group({
  title: 'Clock',
  description:
    'The time of a server that was started with `--clock`. Only the operator of the server may make these calls.',
  endpoints: {
    show: endpoint({
      method: 'GET',
      path: '/api/v1/admin/clock',
      summary: 'Show the clock of the server',
      description:
        'What time the server goes by, and when it does something by itself next. Every server has a clock; only one of tests can be moved.',
      access: 'admin',
      answer: 'envelope',
      responses: { 200: ServerClock },
      extension: true,
    }),
    advance: endpoint({
      method: 'POST',
      path: '/api/v1/admin/clock/advance',
      summary: 'Move the clock of the server forward',
      description: `${moves}.`,
      access: 'admin',
      body: object({
        by: string({
          maxLength: 20,
          pattern: '^[0-9]{1,6}(s|min|h|d|w)$',
          'x-error-message': 'by must be a length of time such as 2h, 30min or 0s',
          description:
            'How far: a number and `s`, `min`, `h`, `d` or `w`. `0s` moves nothing, and waits until all that is due is done.',
          examples: ['2h', '30min', '0s'],
        }),
      }),
      answer: 'envelope',
      responses: { 200: MovedClock },
      errors: ['INVALID_TRANSITION'],
      extension: true,
    }),
    set: endpoint({
      method: 'PUT',
      path: '/api/v1/admin/clock',
      summary: 'Set the clock of the server to a later time',
      description: `${moves}, or the time has passed: a clock does not go back.`,
      access: 'admin',
      body: object({ now: timestamp('What the clock shall say.') }),
      answer: 'envelope',
      responses: { 200: MovedClock },
      errors: ['INVALID_TRANSITION'],
      extension: true,
    }),
  },
});
