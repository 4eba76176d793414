/** The session of the current login, without retries: for commands that wait and report the wait themselves. */
import type { Session } from '../../src/node/login/session.ts';
import type { Context } from '../context.ts';

export async function patientSession(context: Context): Promise<Session> {
  const [{ createSessions }, deps] = await Promise.all([import('../../src/node/login/session.ts'), context.deps()]);
  const { settings } = deps;
  const values = { ...settings.values, retries: 0 };
  return createSessions({ ...deps, settings: { ...settings, values } }).open();
}
