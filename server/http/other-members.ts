/**
 * Carries a caller's call to another member of the server, the one that holds a lease, with the caller's own token. Members recognise
 * each other's calls by a mark that they derive from the operator's token, so a call counts once against the caller's limit.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createClient } from '../../src/client/client.ts';
import type { Client } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import { AppError } from '../../src/contract/errors.ts';
import { machineClockOf } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createHttpCall } from '../../src/node/http/http-call.ts';
import type { HttpCall } from '../../src/node/http/http-call.ts';
import type { Members } from '../storage/members.ts';
import type { Call } from './call.ts';
import { insideHeader } from './inside.ts';

export interface OtherMembers {
  /** SERVER_BUSY if the holder is not known or not reached, or if the call comes from another member. */
  clientFor(lease: string, call: Call): Promise<Client>;
  close(): Promise<void>;
}

interface OtherMembersDeps {
  readonly members: Members;
  readonly clock: Clock;
  /** The mark of the members' calls; `undefined`: they don't recognise each other. */
  readonly mark: string | undefined;
}

export const createMemberMark = (operatorToken: string): string =>
  createHash('sha256').update(`member ${operatorToken}`).digest('base64url');

const passedOn = 'x-laudio-passed-on';
/** In ms: a member that is busy or gone. */
const timeout = 30_000;

export function createOtherMembers({ members, clock, mark }: OtherMembersDeps): OtherMembers {
  const machine = machineClockOf(clock);
  let http: HttpCall | undefined;
  const transport: Transport = async (request) => {
    // Members are called directly, whatever proxies the environment names.
    http ??= createHttpCall({ timeout, env: {} });
    try {
      return await http.transport(request);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NETWORK') throw heldByOther();
      throw error;
    }
  };
  return {
    async clientFor(lease, call) {
      const server = await members.findHolderUrl(lease);
      const token = /^Bearer +([^ ].*)$/i.exec(call.header('authorization') ?? '')?.[1];
      if (server === undefined || mark === undefined || token === undefined) throw heldByOther();
      if (call.header(passedOn) !== undefined) throw heldByOther();
      return createClient({
        transport,
        server,
        clock: machine,
        random: Math.random,
        uuid: randomUUID,
        token: async () => token,
        retry: { limit: 0 },
        headers: { [insideHeader]: mark, [passedOn]: '1' },
      });
    },
    close: async () => http?.close(),
  };
}

/** The client asks again: its next call may find the holder, or another member that has taken over. */
const heldByOther = (): AppError =>
  new AppError('SERVER_BUSY', { message: 'Another process of the server has this transcription.', retryAfter: 1 });
