/** Tells the operator of reports that no channel takes: the first at once, and those of the minute after it together. */
import { machineClockOf } from '../../../../src/domain/clock.ts';
import type { DeliveryDeps } from '../../deps.ts';
import type { OperatorAlarm } from '../alarms/operator-alarm.ts';

/** In ms of the machine's own time. */
const rest = 60_000;
/** Ids in one alarm; the log has all. */
const mostNamed = 100;
const event = 'report_taken_by_no_channel';

export function tellUntaken(
  { store, clock, log }: Pick<DeliveryDeps, 'store' | 'clock' | 'log'>,
  alarm: OperatorAlarm,
): void {
  const machine = machineClockOf(clock);
  let gathered: string[] = [];
  let isResting = false;
  const tell = (): void => {
    isResting = gathered.length > 0;
    if (!isResting) return;
    const all = gathered;
    gathered = [];
    void alarm.tell({ type: event, data: { count: all.length, record_ids: all.slice(0, mostNamed) } });
    machine.schedule(machine.now() + rest, tell);
  };
  store.subscribe('untaken', (reports) => {
    for (const { id } of reports) log({ level: 'warn', event, record_id: id });
    if (!alarm.isSet) return;
    gathered.push(...reports.map(({ id }) => id));
    if (!isResting) tell();
  });
}
