/** The session of the current login, without retries: for commands that wait and report the wait themselves. */
import type { Session } from '../../src/node/login/session.ts';
import type { Context } from '../context.ts';
import { withSettings } from '../shell/choose-setting.ts';

export async function patientSession(context: Context): Promise<Session> {
  const [{ createSessions }, deps] = await Promise.all([import('../../src/node/login/session.ts'), context.deps()]);
  return createSessions(withSettings(deps, { retries: 0 })).open();
}
