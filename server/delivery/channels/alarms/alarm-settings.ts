/** When a channel calls the operator: settings of every kind. */
import { integer } from '../../../../src/contract/schema.ts';

/** A week. */
export const longestAlarm = 7 * 24 * 60;
const minutes = (description: string) => integer({ minimum: 1, maximum: longestAlarm, description });

export const alarmSettings = {
  alarm_silent_minutes: minutes(
    'Calls the operator where for so many minutes no message came in or arrived, while the channel is enabled. Default: never.',
  ),
  alarm_stuck_minutes: minutes(
    'Calls the operator where a message waits for so many minutes, also while the channel is off, or was refused. Default: never.',
  ),
} as const;
