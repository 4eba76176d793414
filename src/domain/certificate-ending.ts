/** Certificates that expire: when to warn, and in which words. */
import type { Channel } from '../contract/channel.ts';
import { counted } from './counted.ts';

const dayMs = 24 * 3600 * 1000;
/** Whole days from now until then, both in ms since 1970; below 0: expired. */
export const daysLeft = (until: number, now: number): number => Math.floor((until - now) / dayMs);

type Ending = Pick<Channel['certificates'][number], 'setting' | 'days_left'>;

/** A renewal may need people of another organisation. */
const warningDays = 30;

export const endingSoon = ({ days_left: days }: Ending): boolean => days < warningDays;

/** The warning as a sentence. */
export const describeExpiry = ({ setting, days_left: days }: Ending): string =>
  days < 0
    ? `The certificate of ${setting} has ended: renew its file.`
    : `The certificate of ${setting} ends in ${counted(days, 'day')}: renew its file.`;
