/** Follows the state of the person who is logged in, and forgets it when their login ends. */
import { effect, untracked } from '@preact/signals';
import { asBridgeError, login } from './bridge.ts';
import { followHub } from './hub.ts';
import { followJobs } from './jobs.ts';
import type { ShowSystemNotification } from './jobs.ts';
import { notifyError } from './notices.ts';
import { followLiveWords } from './recorder/live-words.ts';
import { followRefused } from './refused.ts';
import { followSettings } from './settings.ts';
import { followWorklist } from './worklist/worklist.ts';

/** Calls `begin` at each login. The returned function stops following. */
export function followLogin(tellOutside?: ShowSystemNotification): () => void {
  return effect(() => {
    const { desk, ended } = login.value;
    if (desk === null) return;
    const follow = () => [
      followWorklist(ended),
      followJobs(ended, tellOutside),
      followLiveWords(ended),
      followRefused(ended),
      followSettings(ended),
    ];
    untracked(() => followHub(ended));
    for (const following of untracked(follow)) following.catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
  });
}
