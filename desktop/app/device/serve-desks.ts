/** Which desks this process of a server serves, where several do: those that it was asked for, and those of processes that have gone. */
import type { SharedApp } from '../../../server/index.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import { web } from '../../bridge/carriers.ts';
import type { Log } from '../service.ts';
import type { Desks } from './desks.ts';
import type { FinishedLogin } from './logins.ts';

interface ServingDeps {
  readonly shared: SharedApp;
  readonly desks: Desks;
  readonly log: Log;
  /** Called when another process serves the desk of that key from now on. */
  readonly onDropped: (key: string) => void;
}

/** Begins to serve. The returned function stops taking desks. */
export function serveDesks({ shared, desks, log, onDropped }: ServingDeps): () => void {
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
  places.onLost(async (key) => {
    onDropped(key);
    await desks.drop(key);
  });
  const stopFollowing = places.onMemberGone(() => void takeFree());
  void takeFree();
  return () => {
    isStopped = true;
    stopFollowing();
  };
}

/** Most bytes of an answer without a content. */
const answerBytes = 65_536;

/** Has the process that serves the desk begin the session. Rejects with its error, or with SERVER_BUSY. */
export async function enterElsewhere({ desks }: SharedApp, key: string, login: FinishedLogin): Promise<void> {
  const answer = await desks.send(key, { path: web.enter, body: JSON.stringify(login) });
  const text = await answer.text(answerBytes);
  if (answer.status === 204) return;
  const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown } };
  throw new AppError(error?.code === 'LOGIN_FAILED' ? 'LOGIN_FAILED' : 'SERVER_BUSY', { retryAfter: 1 });
}
