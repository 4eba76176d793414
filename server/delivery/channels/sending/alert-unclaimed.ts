/** Alerts the operator about reports that no channel accepts: the first at once, then those of each minute together. */
import { machineClockOf } from '../../../../src/domain/clock.ts';
import type { DeliveryDeps } from '../../deps.ts';
import type { OperatorAlarm } from '../alarms/operator-alarm.ts';

/** In ms of the machine's clock. */
const rest = 60_000;
/** Maximum of ids in an alarm; the log has all. */
const maxIds = 100;
const event = 'report_taken_by_no_channel';

/** The returned function ends that. */
export function alertUnclaimedReports(
  { store, clock, log }: Pick<DeliveryDeps, 'store' | 'clock' | 'log'>,
  alarm: OperatorAlarm,
): () => void {
  const machine = machineClockOf(clock);
  let pending: string[] = [];
  let isResting = false;
  const flush = (): void => {
    isResting = pending.length > 0;
    if (!isResting) return;
    const all = pending;
    pending = [];
    void alarm.raise({ type: event, data: { count: all.length, record_ids: all.slice(0, maxIds) } });
    machine.schedule(machine.now() + rest, flush);
  };
  return store.subscribe('untaken', (reports) => {
    for (const { id } of reports) log({ level: 'warn', event, record_id: id });
    if (!alarm.isSet) return;
    pending.push(...reports.map(({ id }) => id));
    if (!isResting) flush();
  });
}
