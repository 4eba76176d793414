/** Who is logged in at the pages of this device. */
import { boolean, object, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import type { SessionState } from '../../bridge/session.ts';
import type { Desk } from '../desk/desk.ts';
import type { LocalServer } from './local-server.ts';
import type { FinishedLogin, Logins } from './logins.ts';
import type { Listener } from '../service.ts';

/** As it is kept. `desk`: the key of whose it is. */
export const Session = object({ desk: string(), locked: boolean() });
export type Session = TypeOf<typeof Session>;

/** What the calls of a session work with. */
export interface Sessions {
  get(id: string | undefined): Session | undefined;
  desk(key: string): Promise<Desk>;
  /** Told what each page of the session is told of it. */
  state(id: string | undefined): Promise<SessionState>;
  follow(id: string, listener: Listener): () => void;
  lock(id: string): Promise<void>;
  end(id: string): Promise<void>;
  /** Makes the session `next` of whoever logged in; `former` ends. */
  enter(finished: FinishedLogin): Promise<void>;
  readonly logins: Logins;
  readonly local: LocalServer;
}
