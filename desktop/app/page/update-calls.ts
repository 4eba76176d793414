/** The calls about new versions of the app: only the desktop app's window can download and install them. */
import type { UpdateState } from '../../bridge/updates.ts';
import type { Updates } from '../device/visit.ts';
import type { HandlersOf } from '../service.ts';

const elsewhere: UpdateState = { phase: 'elsewhere', channel: 'off', version: null };

export function updateHandlers(updates: Updates | undefined): HandlersOf<'updates'> {
  const state = (): UpdateState => updates?.state ?? elsewhere;
  return {
    'updates.state': async () => state(),
    async 'updates.choose'({ channel }) {
      await updates?.choose(channel);
      return state();
    },
    async 'updates.restart'() {
      updates?.restart();
      return state();
    },
  };
}
