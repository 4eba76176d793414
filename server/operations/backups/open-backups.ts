/** Loads the backups by schedule, if any are planned. */
import type { AlarmChoice } from '../../delivery/channels/alarms/alarm-choice.ts';
import type { Targets } from '../../delivery/webhooks/target.ts';
import type { Foundation } from '../foundation.ts';
import type { Care } from '../maintenance/care.ts';
import type { BackupPlan, Backups } from './backups.ts';

interface BackupOptions {
  readonly backups?: BackupPlan | undefined;
  readonly alarm: AlarmChoice;
}

interface BackupParts {
  readonly care: Care;
  readonly common: Foundation['common'];
  readonly targets: Targets;
}

/** Backups by schedule, which call the operator if they fail; `undefined`: none are planned. */
export async function openBackups(
  { backups: plan, alarm }: BackupOptions,
  { care, common, targets }: BackupParts,
): Promise<Backups | undefined> {
  if (!plan) return undefined;
  const [{ createBackups }, { createOperatorAlarm }] = await Promise.all([
    import('./backups.ts'),
    import('../../delivery/channels/alarms/operator-alarm.ts'),
  ]);
  return createBackups({ care, alarm: createOperatorAlarm({ ...common, targets }, alarm) }, plan);
}
