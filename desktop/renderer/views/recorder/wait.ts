/** Why a dictation waits at the service, in the reader's language. */
import type { Dictation } from '../../../bridge/dictation.ts';
import { clockTime, wallTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';

/** One sentence; `undefined` if the dictation does not wait. */
export function waitText({ waiting_for: waiting }: Pick<Dictation, 'waiting_for'>): string | undefined {
  if (!waiting) return undefined;
  const { reason, position = 1, until } = waiting;
  switch (reason) {
    case 'engine':
      return t(until === undefined ? 'jobs.waits_engine' : 'jobs.waits_engine_down');
    case 'turn':
      return position === 1 ? t('jobs.waits_next') : t('jobs.waits_turn', { n: position - 1 });
    case 'time':
      return until === undefined ? t('jobs.queued') : t('jobs.waits_time', { time: clockTime(wallTime(until)) });
  }
}
