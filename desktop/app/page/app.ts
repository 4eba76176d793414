/** The app from one page's point of view: calls, events and files of the person logged in there. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { otherPerson } from '../../bridge/session.ts';
import type { CallName } from '../../bridge/calls.ts';
import type { createCallCheck } from './check-call.ts';
import type { Desk } from '../desk/desk.ts';
import type { Desks } from '../device/desks.ts';
import type { AppFile, FileRange, Listener } from '../service.ts';
import { insertionHandlers } from './insertion-calls.ts';
import { sessionHandlers } from './session-calls.ts';
import type { SessionCallDeps } from './session-calls.ts';
import { modelHandlers } from './model-calls.ts';
import type { ModelCallDeps } from './model-calls.ts';
import { updateHandlers } from './update-calls.ts';

/** One browser or one window. */
export interface App {
  /**
   * Makes a call. Validates the input against the bridge's table, and `desk`, if the page names it, against the desk of
   * the person who is logged in. Throws AppError.
   */
  call(name: string, input: unknown, bytes?: Uint8Array, desk?: string): Promise<unknown>;
  /** Follows every event of the page. The returned function stops following. */
  on(listener: Listener): () => void;
  /** `undefined` if there is no such file. Addresses are those of `files` in the bridge. */
  file(address: string, range?: FileRange): Promise<AppFile | undefined>;
}

export interface AppDeps extends SessionCallDeps, Pick<ModelCallDeps, 'models'> {
  readonly desks: Desks;
  readonly checkCall: ReturnType<typeof createCallCheck>;
}

type AnyHandlers = Readonly<Record<CallName, (input: unknown, bytes?: Uint8Array) => Promise<unknown>>>;

export function createApp(deps: AppDeps): App {
  const { sessions, visit } = deps;
  const own = {
    ...sessionHandlers(deps),
    ...updateHandlers(visit.updates),
    ...insertionHandlers(visit.insertion),
    ...modelHandlers(deps, () => deskHere()),
  } as unknown as Partial<AnyHandlers>;

  /**
   * The desk of the person who is logged in. Throws UNAUTHORIZED while the screen is locked, and FORBIDDEN if it is not
   * the `wanted` desk.
   */
  async function deskHere(wanted?: string): Promise<Desk> {
    const session = await sessions.get(visit.session);
    if (!session)
      throw new AppError('UNAUTHORIZED', { message: appMessage('logged_out'), hint: appMessage('logged_out_hint') });
    if (wanted !== undefined && wanted !== session.desk) throw somebodyElse();
    if (session.locked)
      throw new AppError('UNAUTHORIZED', { message: appMessage('locked'), hint: appMessage('locked_hint') });
    return deps.desks.open(session.desk);
  }

  return {
    async call(name, input, bytes, desk) {
      const known: CallName = deps.checkCall(name, input, bytes);
      const handle = own[known];
      if (handle) {
        if (desk !== undefined) await deskHere(desk);
        return handle(input, bytes);
      }
      const { handlers } = await deskHere(desk);
      return (handlers as unknown as AnyHandlers)[known](input, bytes);
    },
    on: (listener) => (visit.session === undefined ? () => undefined : sessions.follow(visit.session, listener)),
    file: async (address, range) => (await deskHere()).file(address, range),
  };
}

/**
 * A page may still belong to a person who has logged out. The app never stores one person's work at another desk or
 * shows it to others.
 */
const somebodyElse = (): AppError =>
  new AppError('FORBIDDEN', {
    message: appMessage('other_person'),
    hint: appMessage('other_person_hint'),
    details: { reason: otherPerson },
  });
