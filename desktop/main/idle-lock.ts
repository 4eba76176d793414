/** Decides when to lock the screen. */
import type { SessionState } from '../bridge/session.ts';

export interface Idleness {
  readonly phase: SessionState['phase'];
  readonly recording: boolean;
  /** Seconds without keyboard or mouse input, in any program. */
  readonly idleSeconds: number;
  /** AppSettings.lock_after_minutes; 0: never. */
  readonly minutes: number;
}

/** A person who dictates is present even without input. */
export const shouldLock = ({ phase, recording, idleSeconds, minutes }: Idleness): boolean =>
  phase === 'ready' && !recording && minutes > 0 && idleSeconds >= minutes * 60;
