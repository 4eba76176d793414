/** The calls about newer versions of the app: only the app's own window can fetch and install them. */
import type { UpdateChannel, UpdateState } from '../../bridge/updates.ts';
import type { HandlersOf } from '../service.ts';

/** Updates, where the page is in a window that can install them. */
export interface Updates {
  readonly state: UpdateState;
  choose(channel: UpdateChannel): Promise<void>;
  /** Returns at once; the app restarts as soon as no dictation is being recorded. */
  restart(): void;
}

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
