/** Where the pages of operators are served, and their sessions kept: in the only process, or in one of several. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OtherMembers } from '../http/other-members.ts';
import type { Documents } from '../storage/documents.ts';
import type { Claim, Members } from '../storage/members.ts';
import type { Store } from '../storage/store.ts';

/** Its id is a hash of the cookie; times are ms since 1970. */
export type KeptSession = Documents['operator_sessions'];

export interface KeptSessions {
  find(id: string): Promise<KeptSession | undefined>;
  all(): Promise<readonly KeptSession[]>;
  put(session: KeptSession): Promise<void>;
  /** Notes the time of a request, unless the session has ended meanwhile. */
  note(id: string, last: number): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
}

export interface OperatorPlace {
  /** Whether other members of the server serve these pages too. */
  readonly isShared: boolean;
  readonly sessions: KeptSessions;
  /** Whether another member serves the pages, and has answered the request. SERVER_BUSY if it is not reached. */
  isPassedOn(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  /** The address of the browser, also if another member passed the request on. */
  findAddress(request: FastifyRequest): string;
}

/** The place of a lone process. Sessions end with it, and need no disk that still has room. */
export const createLonePlace = (): OperatorPlace => ({
  isShared: false,
  sessions: createSessionMemory(),
  isPassedOn: async () => false,
  findAddress: (request) => request.ip,
});

interface SharedPlaceDeps {
  readonly store: Store;
  readonly members: Members;
  readonly others: OtherMembers;
}

const lease = 'portal';

/** One member serves the pages, so that a form that is sent twice acts once; sessions outlive it. */
export function createSharedPlace({ store, members, others }: SharedPlaceDeps): OperatorPlace {
  let claim: Claim | undefined;
  return {
    isShared: true,
    sessions: createStoredSessions(store),
    async isPassedOn(request, reply) {
      claim ??= members.claim(lease, { begin: () => undefined, end: () => undefined });
      await claim.answered;
      if (claim.isHeld) return false;
      await others.passOn(lease, request, reply);
      return true;
    },
    findAddress: (request) => others.findAddress(request),
  };
}

function createSessionMemory(): KeptSessions {
  const sessions = new Map<string, KeptSession>();
  return {
    find: async (id) => sessions.get(id),
    all: async () => Array.from(sessions.values()),
    put: async (session) => void sessions.set(session.id, session),
    async note(id, last) {
      const session = sessions.get(id);
      if (session) sessions.set(id, { ...session, last });
    },
    remove: async (ids) => ids.forEach((id) => sessions.delete(id)),
  };
}

const createStoredSessions = (store: Store): KeptSessions => ({
  find: (id) => store.get('operator_sessions', id),
  all: () => store.find('operator_sessions', {}),
  put: (session) => store.transact(async (tx) => tx.put('operator_sessions', session)),
  note: (id, last) =>
    store.transact(async (tx) => {
      const session = await tx.get('operator_sessions', id);
      if (session) tx.put('operator_sessions', { ...session, last });
    }),
  remove: (ids) => store.transact(async (tx) => ids.forEach((id) => tx.remove('operator_sessions', id))),
});
