import { limitWaits } from '../../audio/limit-waits.ts';
import { openMicrophone } from '../../audio/microphone.ts';
import { pageClock } from '../time/page-clock.ts';

/** Opens a microphone of this page; no step of that takes longer than a person would wait. */
export const openPageMicrophone = limitWaits(openMicrophone, pageClock);
