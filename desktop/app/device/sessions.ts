/**
 * The sessions of a device, or of all processes of a server: which person is logged in at which page. They survive a restart,
 * and send events to their pages.
 */
import { appMessage } from '../../../src/contract/messages/app.ts';
import type { SharedSession as Session, SharedSessions } from '../../../server/index.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createKeyedListeners } from '../../../src/domain/listeners.ts';
import type { places as allPlaces, SessionState } from '../../bridge/session.ts';
import { createRevisions } from '../revisions.ts';
import type { AppEvent, Listener } from '../service.ts';
import { deskKey } from './desks.ts';
import type { Desks } from './desks.ts';
import type { LocalServer } from './local-server.ts';
import type { FinishedLogin } from './logins.ts';

export interface Sessions {
  get(id: string | undefined): Promise<Session | undefined>;
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
  /** Takes no notice of other processes any more. */
  close(): void;
}

export interface SessionsDeps {
  readonly kept: SharedSessions;
  readonly clock: Clock;
  readonly desks: Desks;
  readonly local: LocalServer;
  /** Where a login that is offered may lead. */
  readonly places: readonly (typeof allPlaces)[number][];
}

export function createSessions({ kept, clock, desks, local, places }: SessionsDeps): Sessions {
  /** The sessions whose pages may be here, as they were last seen. */
  const seen = new Map<string, Session>();
  const followers = createKeyedListeners<string, [event: AppEvent]>();
  const revision = createRevisions(clock);

  const get = async (id: string | undefined): Promise<Session | undefined> => {
    const session = id === undefined ? undefined : await kept.get(id);
    if (id !== undefined && session) seen.set(id, session);
    return session;
  };
  const save = async (id: string, session: Session): Promise<void> => {
    await kept.put(id, session);
    seen.set(id, session);
  };
  const state = async (id: string | undefined): Promise<SessionState> => {
    const session = await get(id);
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
  /** A desk sends nothing on behalf of a person who has logged out. */
  const leaveIfEmpty = async (desk: string): Promise<void> => {
    if (!(await kept.isAnybodyAt(desk))) await desks.leave(desk);
  };
  const end = async (id: string): Promise<void> => {
    const session = await kept.get(id);
    if (!session) return;
    seen.delete(id);
    await kept.remove(id);
    await emitSessionState(id);
    await leaveIfEmpty(session.desk);
  };
  /** Shows the pages here a session that was changed elsewhere. */
  const notice = async (id: string): Promise<void> => {
    const before = seen.get(id);
    if (!before) return;
    const now = await kept.get(id);
    if (now?.desk === before.desk && now.locked === before.locked) return;
    if (!now) seen.delete(id);
    await emitSessionState(id);
    if (!now) await leaveIfEmpty(before.desk);
  };
  const stopWatching = kept.watch((ids) => {
    // A session that cannot be read now is read by the next call of the page.
    for (const id of ids) notice(id).catch(() => undefined);
  });

  return {
    get,
    state,
    follow(id, listener) {
      void get(id).catch(() => undefined);
      return followers.add(id, listener);
    },
    emit(desk, event) {
      for (const [id, session] of seen) if (session.desk === desk && !session.locked) followers.notify(id, event);
    },
    emitToAll(event) {
      for (const [id, session] of seen) if (!session.locked) followers.notify(id, event);
    },
    emitState(desk) {
      for (const [id, session] of seen) {
        if (session.desk !== desk || !followers.has(id)) continue;
        // The store may be away; the page asks again when it is back.
        emitSessionState(id).catch(() => undefined);
      }
    },
    async lock(id) {
      const session = await kept.get(id);
      if (!session || session.locked) return;
      await save(id, { ...session, locked: true });
      await emitSessionState(id);
    },
    end,
    async enter({ previous, next, login, credentials }) {
      const desk = deskKey(login);
      const before = await get(previous);
      if (before && before.desk !== desk && before.locked) {
        throw otherPersonLocked();
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
    close: stopWatching,
  };
}

/** Only the person who locked the page may open it. */
export const otherPersonLocked = (): AppError =>
  new AppError('LOGIN_FAILED', {
    message: appMessage('other_person_locked'),
    hint: appMessage('other_person_locked_hint'),
  });

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
