/** Newer versions of the app itself: only a shell can fetch and install them. */
import type { UpdateChannel, UpdateState } from '../../bridge/updates.ts';
import type { HandlersOf } from '../service.ts';

/** What a shell that can do it gives. */
export interface Updates {
  readonly state: UpdateState;
  choose(channel: UpdateChannel): Promise<void>;
  /** Returns at once; the app ends when nothing stands against it. */
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
