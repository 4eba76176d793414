/** Which desks this process of a server serves, where several do: those that it was asked for, and those of processes that have gone. */
import type { SharedApp } from '../../../server/index.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import { web } from '../../bridge/carriers.ts';
import type { Log } from '../service.ts';
import type { Desks } from './desks.ts';
import { otherPersonLocked } from './sessions.ts';
import type { FinishedLogin } from './logins.ts';

interface ServingDeps {
  readonly shared: SharedApp;
  readonly desks: Desks;
  readonly log: Log;
}

/** Begins to serve. The returned function stops taking desks. */
export function serveDesks({ shared, desks, log }: ServingDeps): () => void {
  const { sessions, desks: places } = shared;
  let isStopped = false;
  /** Opens the desk, so that its waiting changes are sent. */
  const serve = async (key: string): Promise<void> => {
    try {
      if (!isStopped && (await sessions.isAnybodyAt(key)) && (await places.isHere(key))) await desks.open(key);
    } catch (error) {
      log({ level: 'error', event: 'desk_not_opened', ...describeError(error) });
    }
  };
  const takeFree = async (): Promise<void> => {
    try {
      for (const key of await sessions.desks()) if (!isStopped && !(await places.isHeld(key))) await serve(key);
    } catch (error) {
      // The next request for a desk opens it.
      log({ level: 'warn', event: 'desks_not_opened', ...describeError(error) });
    }
  };
  places.onGained((key) => void serve(key));
  places.onLost(desks.drop);
  const stopFollowing = places.onMemberGone(() => void takeFree());
  void takeFree();
  return () => {
    isStopped = true;
    stopFollowing();
  };
}

/** Has the process that serves the desk begin the session. Rejects with LOGIN_FAILED if it refuses, else with SERVER_BUSY. */
export async function enterElsewhere({ desks }: SharedApp, key: string, login: FinishedLogin): Promise<void> {
  const answer = await desks.send(key, { path: web.enter, body: JSON.stringify(login) });
  // The connection is free for the next request once the body has been read.
  for await (const _ of answer.body);
  if (answer.status === 409) throw otherPersonLocked();
  if (answer.status !== 204) throw new AppError('SERVER_BUSY', { retryAfter: 1 });
}
