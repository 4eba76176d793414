/** When a channel alerts the operator: settings of all kinds. */
import { integer } from '../../../../src/contract/schema.ts';

/** A week. */
export const maxAlarmMinutes = 7 * 24 * 60;
const minutes = (description: string) => integer({ minimum: 1, maximum: maxAlarmMinutes, description });

export const alarmSettings = {
  alarm_silent_minutes: minutes(
    'Alerts the operator if no message was received or delivered for this many minutes while the channel is enabled. Default: never.',
  ),
  alarm_stuck_minutes: minutes(
    'Alerts the operator if a message was refused, or has been waiting for this many minutes, even while the channel is off. Default: never.',
  ),
} as const;
