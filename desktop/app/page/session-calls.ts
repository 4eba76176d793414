/** The calls for logging in and out, and for the state of the session. */
import type { HandlersOf } from '../service.ts';
import type { LocalServer } from '../device/local-server.ts';
import type { Logins } from '../device/logins.ts';
import type { Sessions } from '../device/sessions.ts';
import type { Visit } from '../device/visit.ts';

export interface SessionCallDeps {
  readonly sessions: Omit<Sessions, 'close'>;
  readonly logins: Logins;
  readonly local: LocalServer;
  readonly visit: Visit;
}

export function sessionHandlers({ sessions, logins, local, visit }: SessionCallDeps): HandlersOf<'session'> {
  const { session } = visit;
  return {
    'session.state': () => sessions.state(session),
    async 'session.start'(input) {
      const begun = await logins.begin(input, visit);
      if ('login' in begun) {
        await sessions.enter(begun);
        return { go_to: null };
      }
      visit.keep(begun.pending);
      if (!visit.open) return { go_to: begun.url };
      await visit.open(begun.url);
      return { go_to: null };
    },
    async 'session.first_user'(user) {
      const { undo } = await local.createFirstUser(user);
      try {
        await sessions.enter(await logins.byPassword(user, visit));
      } catch (error) {
        // The original error is more informative than the failed removal of the user, who can then log in on the login
        // page.
        await undo().catch(() => undefined);
        throw error;
      }
      return {};
    },
    async 'session.end'() {
      if (session !== undefined) await sessions.end(session);
      return {};
    },
    async 'session.lock'() {
      if (session !== undefined) await sessions.lock(session);
      return {};
    },
  };
}
