/**
 * The sessions of a device: which person is logged in at which page. They survive a restart, and send events to their
 * pages.
 */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { boolean, object, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createKeyedListeners } from '../../../src/domain/listeners.ts';
import { ensurePrivateDirectory } from '../../../src/node/files/private-file.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { places } from '../../bridge/session.ts';
import type { SessionState } from '../../bridge/session.ts';
import { jsonFile } from '../json-file.ts';
import type { JsonFile } from '../json-file.ts';
import { createRevisions } from '../revisions.ts';
import type { AppEvent, Listener } from '../service.ts';
import { deskKey } from './desks.ts';
import type { Desks } from './desks.ts';
import type { LocalServer } from './local-server.ts';
import type { FinishedLogin } from './logins.ts';

/** A session as stored. `desk`: the key of the person's desk. */
const Session = object({ desk: string(), locked: boolean() });
type Session = TypeOf<typeof Session>;

export interface Sessions {
  get(id: string | undefined): Session | undefined;
  /** Keys of the desks with a logged-in person. */
  desks(): ReadonlySet<string>;
  /** The state of a session, or of a page without one. */
  state(id: string | undefined): Promise<SessionState>;
  /** Follows the events for the pages of a session. The returned function stops following. */
  follow(id: string, listener: Listener): () => void;
  /** Sends an event to the pages of everyone at that desk, except locked ones. */
  emit(desk: string, event: AppEvent): void;
  /** Sends an event to the pages of everyone, except locked ones. */
  emitToAll(event: AppEvent): void;
  /** Sends the pages of everyone at that desk the state of their session. */
  emitState(desk: string): void;
  lock(id: string): Promise<void>;
  end(id: string): Promise<void>;
  /** Creates the session `next` for the login, and ends the session `previous`. */
  enter(login: FinishedLogin): Promise<void>;
}

export interface SessionsDeps {
  /** Directory of the app. */
  readonly directory: string;
  readonly clock: Clock;
  readonly sealing?: Sealing | undefined;
  readonly desks: Desks;
  readonly local: LocalServer;
}

export async function openSessions({ directory, clock, sealing, desks, local }: SessionsDeps): Promise<Sessions> {
  const folder = join(directory, 'sessions');
  await ensurePrivateDirectory(folder);
  const fileOf = (id: string): JsonFile<Session> => jsonFile(join(folder, `${id}.json`), Session, sealing);
  const sessions = new Map<string, Session>();
  for (const name of await readdir(folder)) {
    const id = /^([A-Za-z0-9_-]+)\.json$/.exec(name)?.[1];
    const session = id === undefined ? undefined : await fileOf(id).read();
    if (id !== undefined && session) sessions.set(id, session);
  }
  const followers = createKeyedListeners<string, [event: AppEvent]>();
  const revision = createRevisions(clock);

  const get = (id: string | undefined): Session | undefined => (id === undefined ? undefined : sessions.get(id));
  const save = async (id: string, session: Session): Promise<void> => {
    await fileOf(id).write(session);
    sessions.set(id, session);
  };
  const state = async (id: string | undefined): Promise<SessionState> => {
    const session = get(id);
    const shown = session
      ? await stateAtDesk(session, desks)
      : { ...loggedOut, needs_first_user: await local.needsFirstUser() };
    return {
      ...shown,
      asks_code: local.asksCode,
      places: places.filter((place) => place !== 'test' || local.testClient !== undefined),
      revision: revision(),
    };
  };
  const emitSessionState = async (id: string): Promise<void> =>
    followers.notify(id, { name: 'session', data: await state(id) });
  const deskKeys = (): ReadonlySet<string> => new Set([...sessions.values()].map(({ desk }) => desk));
  /** A desk sends nothing on behalf of a person who has logged out. */
  const leaveIfEmpty = async (desk: string): Promise<void> => {
    if (!deskKeys().has(desk)) await desks.leave(desk);
  };
  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    if (!session) return;
    sessions.delete(id);
    await fileOf(id).remove();
    await emitSessionState(id);
    await leaveIfEmpty(session.desk);
  };

  return {
    get,
    desks: deskKeys,
    state,
    follow: followers.add,
    emit(desk, event) {
      for (const [id, session] of sessions) if (session.desk === desk && !session.locked) followers.notify(id, event);
    },
    emitToAll(event) {
      for (const [id, session] of sessions) if (!session.locked) followers.notify(id, event);
    },
    emitState(desk) {
      for (const [id, session] of sessions) if (session.desk === desk) void emitSessionState(id);
    },
    async lock(id) {
      const session = sessions.get(id);
      if (!session || session.locked) return;
      await save(id, { ...session, locked: true });
      await emitSessionState(id);
    },
    end,
    async enter({ previous, next, login, credentials }) {
      const desk = deskKey(login);
      const before = get(previous);
      if (before && before.desk !== desk && before.locked) {
        throw new AppError('LOGIN_FAILED', {
          message: appMessage('other_person_locked'),
          hint: appMessage('other_person_locked_hint'),
        });
      }
      try {
        await desks.enter(login, credentials);
        await save(next, { desk, locked: false });
      } catch (error) {
        // Without a session, these tokens would be invisible and could not be revoked.
        await leaveIfEmpty(desk).catch(() => undefined);
        throw error;
      }
      if (previous !== undefined && previous !== next) await end(previous);
      else if (before && before.desk !== desk) await leaveIfEmpty(before.desk);
      await emitSessionState(next);
    },
  };
}

type PersonState = Omit<SessionState, 'asks_code' | 'places' | 'revision'>;

const loggedOut: PersonState = {
  phase: 'logged-out',
  place: null,
  server: null,
  user: null,
  test_mode: false,
  online: true,
  waiting: 0,
  overdue: false,
  unsent: [],
  unsigned: [],
  needs_first_user: false,
  recogniser: null,
  sound_goes_to: null,
  proposes_impressions: false,
  text_goes_to: null,
  role: null,
  pin: { has_pin: false, locked: false },
  desk: null,
};

async function stateAtDesk({ desk: key, locked }: Session, desks: Desks): Promise<PersonState> {
  const desk = await desks.open(key);
  const { place, server, person, test_mode } = desk.login;
  const { expired, ...state } = desk.state();
  return {
    phase: locked ? 'locked' : expired ? 'expired' : 'ready',
    place,
    server: place === 'service' ? server : null,
    user: person.display_name,
    test_mode,
    needs_first_user: false,
    ...state,
    desk: key,
  };
}
