import { addTimeouts } from '../../audio/add-timeouts.ts';
import { openMicrophone } from '../../audio/microphone.ts';
import { pageClock } from '../time/page-clock.ts';

/** Opens a microphone of this page; each step has a timeout. */
export const openPageMicrophone = addTimeouts(openMicrophone, pageClock);
