/** The part of the mounted app that members of a server share: desks, each served by one member at a time, and sessions of browsers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingAnswer } from '../../src/client/transport.ts';
import { createListeners } from '../../src/domain/listeners.ts';
import { machineClockOf } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { readLoginKey } from '../auth/server-key.ts';
import type { OtherMembers } from '../http/other-members.ts';
import type { Log } from '../runtime/log.ts';
import { createLeaseSet, leaseName, leasedStore } from '../storage/members.ts';
import type { Members } from '../storage/members.ts';
import { openSharedDirectory } from '../storage/shared-directory.ts';
import type { SharedDirectory } from '../storage/shared-directory.ts';
import type { Store } from '../storage/store.ts';

/** A session: whose desk its pages show. */
export interface SharedSession {
  readonly desk: string;
  readonly locked: boolean;
}

export interface SharedSessions {
  get(id: string): Promise<SharedSession | undefined>;
  put(id: string, session: SharedSession): Promise<void>;
  remove(id: string): Promise<void>;
  /** The desks of all sessions. */
  desks(): Promise<ReadonlySet<string>>;
  isAnybodyAt(desk: string): Promise<boolean>;
  /** Calls `listener` when a member has put or removed sessions. The returned function ends that. */
  watch(listener: (ids: readonly string[]) => void): () => void;
}

export interface SharedDesks {
  /** Whether this member serves the desk. The first call asks for its lease, which passes to another member when its holder goes. */
  isHere(desk: string): Promise<boolean>;
  /** Whether a member serves the desk. */
  isHeld(desk: string): Promise<boolean>;
  /** Brings the files of the desk to the directory, and stores what changes there. This member serves the desk. */
  openDirectory(
    desk: string,
    at: Pick<Parameters<typeof openSharedDirectory>[1], 'path' | 'isKept'>,
  ): Promise<SharedDirectory>;
  /** Passes the request on to the member that serves the desk, and its answer back. SERVER_BUSY if none is reached. */
  passOn(desk: string, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Sends a request of this member to that one. */
  send(desk: string, request: { readonly path: string; readonly body: string }): Promise<IncomingAnswer>;
  /** Whether another member passed the request on. */
  isPassedOn(request: FastifyRequest): boolean;
  /** Lets another member serve the desk. */
  release(desk: string): Promise<void>;
  /** Calls `listener` when this member gets a desk that another one served. */
  onGained(listener: (desk: string) => void): void;
  /** Calls `listener` when another member serves a desk of this one. */
  onLost(listener: (desk: string) => Promise<void>): void;
  /** Calls `listener` when members have gone. */
  onMemberGone(listener: () => void): () => void;
}

export interface SharedApp {
  readonly sessions: SharedSessions;
  readonly desks: SharedDesks;
  /** 32 bytes, the same in every member. */
  readonly key: () => Promise<Uint8Array>;
  /** A small text of the app, by its name. */
  readText(name: string): Promise<string | undefined>;
  writeText(name: string, text: string): Promise<void>;
}

interface SharedAppDeps {
  readonly store: Store;
  readonly members: Members;
  readonly others: OtherMembers;
  readonly clock: Clock;
  readonly log: Log;
}

export const createSharedApp = (deps: SharedAppDeps): SharedApp => ({
  sessions: createSessions(deps.store),
  desks: createSharedDesks(deps),
  key: () => readLoginKey(deps),
  async readText(name) {
    return (await deps.store.get('settings', `app ${name}`))?.value as string | undefined;
  },
  writeText: (name, value) => deps.store.transact(async (tx) => tx.put('settings', { id: `app ${name}`, value })),
});

const createSessions = (store: Store): SharedSessions => ({
  get: (id) => store.get('app_sessions', id),
  put: (id, { desk, locked }) => store.transact(async (tx) => tx.put('app_sessions', { id, desk, locked })),
  remove: (id) => store.transact(async (tx) => tx.remove('app_sessions', id)),
  desks: async () => new Set((await store.find('app_sessions', {})).map(({ desk }) => desk)),
  isAnybodyAt: async (desk) => (await store.find('app_sessions', { is: { desk }, limit: 1 })).length > 0,
  watch: (listener) => store.watch('app_sessions', listener),
});

/** The kind of the leases of desks. */
const kind = 'desk';

function createSharedDesks({ store, members, others, clock, log }: SharedAppDeps): SharedDesks {
  const gained = createListeners<[desk: string]>();
  let lose = async (_desk: string): Promise<void> => {};
  const leases = createLeaseSet(members, kind, {
    begin: (desk) => gained.notify(desk),
    end: (desk) => lose(desk),
  });
  return {
    async isHere(desk) {
      await leases.answered(desk);
      return leases.has(desk);
    },
    isHeld: (desk) => members.isHeld(leaseName(kind, desk)),
    openDirectory: (desk, at) =>
      openSharedDirectory(desk, {
        ...at,
        store: leasedStore(store, (tx) => leases.confirm(desk, tx)),
        clock: machineClockOf(clock),
        log,
      }),
    passOn: (desk, request, reply) => others.passOn(leaseName(kind, desk), request, reply),
    send: (desk, request) => others.send(leaseName(kind, desk), request),
    isPassedOn: (request) => others.isPassedOn(request),
    release: (desk) => leases.release(desk),
    onGained: (listener) => void gained.add(listener),
    onLost: (listener) => void (lose = listener),
    onMemberGone: (listener) => members.onGone(listener),
  };
}
