/** When the screen is locked by itself. */
import type { SessionState } from '../bridge/session.ts';

export interface Idleness {
  readonly phase: SessionState['phase'];
  readonly recording: boolean;
  /** Without a key or a movement of the mouse, in any program. */
  readonly idleSeconds: number;
  /** AppSettings.lock_after_minutes; 0: never. */
  readonly minutes: number;
}

/** Somebody who dictates is there, even when no key is touched. */
export const shouldLock = ({ phase, recording, idleSeconds, minutes }: Idleness): boolean =>
  phase === 'ready' && !recording && minutes > 0 && idleSeconds >= minutes * 60;
