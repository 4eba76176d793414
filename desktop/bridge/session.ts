/** The session: who is logged in, and where. */
import { PinState } from '../../src/contract/signature.ts';
import { UserRole } from '../../src/contract/admin.ts';
import { array, boolean, integer, named, nullable, object, oneOf, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id, languages } from '../../src/contract/shared.ts';
import { call } from './call.ts';
import { nothing, revised } from './shapes.ts';

/** Where the work is stored: on this computer, at a remote service, or on this computer with test patients only. */
export const places = ['this-computer', 'service', 'test'] as const;

/** The recogniser: none, a simulation in test mode, or a real one. */
export const recogniserKinds = ['none', 'simulated', 'real'] as const;

export const SessionState = named(
  'SessionState',
  object({
    phase: oneOf(['logged-out', 'ready', 'locked', 'expired'], {
      description:
        '`expired`: the login has ended; the person can go on working, and the app sends it after the next login.',
    }),
    place: nullable(oneOf(places)),
    server: nullable(string({ description: 'Base URL of a service elsewhere.' })),
    user: nullable(string({ description: 'Display name.' })),
    test_mode: boolean(),
    online: boolean({ description: 'Whether the service answered the last request.' }),
    waiting: integer({ minimum: 0, description: 'How many changes wait to be sent.' }),
    overdue: boolean({ description: 'Whether one of them has waited for half a minute.' }),
    unsent: array(Id, { description: 'The exams, documents and others that have changes which wait.' }),
    unsigned: array(Id, {
      description: 'Documents whose signature waits: the service does not have it, and they are not signed.',
    }),
    needs_first_user: boolean({ description: 'The server on this computer has no user yet.' }),
    recogniser: nullable(oneOf(recogniserKinds, { description: '`null`: the service has not said.' })),
    sound_goes_to: nullable(
      string({
        description: 'Host to which the service sends sound. `null`: to none, as far as the service has said.',
      }),
    ),
    proposes_impressions: boolean({
      description: 'Whether the service proposes impressions, as far as it has said.',
    }),
    text_goes_to: nullable(
      string({ description: 'Host to which the service sends text. `null`: to none, as far as the service has said.' }),
    ),
    role: nullable(UserRole),
    pin: PinState,
    desk: nullable(string({ description: 'Identifies this person at this place; the same at each login.' })),
    asks_code: boolean({
      description:
        'Whoever creates the first user, adds a service or changes the speech models has to type the setup code of the server.',
    }),
    places: array(oneOf(places), { description: 'The places at which this page can log in.' }),
    ...revised,
  }),
);
export type SessionState = TypeOf<typeof SessionState>;

/** The setup code proves that the person is the server's operator, if `asks_code` is true. */
export const SetupCode = string({
  maxLength: 40,
  description: 'The setup code, as the terminal of the server shows it.',
});

/** `details.reason` of a refusal: the setup code is missing or wrong. */
export const setupCodeNeeded = 'setup_code';

/** `details.reason` of a refusal: the call names another desk than that of the person who is logged in. */
export const otherPerson = 'other_person';

export const sessionCalls = {
  'session.state': call({ summary: 'Who is logged in, and where', input: nothing, output: SessionState }),
  'session.start': call({
    summary: 'Log in',
    input: object(
      { place: oneOf(places) },
      {
        server: string({ maxLength: 1024 }),
        client_id: string({ maxLength: 128 }),
        client_secret: string({ maxLength: 512 }),
        code: SetupCode,
        language: oneOf(languages, { description: 'Language of the login pages.' }),
      },
    ),
    output: object({
      go_to: nullable(
        string({
          description: 'Address to which this browser has to go; `null`: the app opened the browser of the system.',
        }),
      ),
    }),
  }),
  'session.first_user': call({
    summary: 'Create the first user of this computer, and log them in',
    input: object(
      {
        username: string({ minLength: 1, maxLength: 100 }),
        display_name: string({ minLength: 1, maxLength: 200 }),
        password: string({ minLength: 8, maxLength: 200 }),
      },
      { code: SetupCode },
    ),
    output: nothing,
  }),
  'session.end': call({ summary: 'Log out; the app keeps the changes that wait', input: nothing, output: nothing }),
  'session.lock': call({ summary: 'Hide everything until the next login', input: nothing, output: nothing }),
} as const;
