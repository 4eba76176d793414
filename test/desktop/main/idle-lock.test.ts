import { expect, test } from 'vitest';
import { shouldLock } from '../../../desktop/main/idle-lock.ts';
import type { Idleness } from '../../../desktop/main/idle-lock.ts';

const away: Idleness = { phase: 'ready', recording: false, idleSeconds: 600, minutes: 10 };

test('an absent person’s screen is locked once the time is up', () => {
  expect(shouldLock(away)).toBe(true);
  expect(shouldLock({ ...away, idleSeconds: 599 })).toBe(false);
});

test.each<[string, Partial<Idleness>]>([
  ['while somebody dictates', { recording: true }],
  ['when it was set to never', { minutes: 0 }],
  ['when it is locked already', { phase: 'locked' }],
  ['when nobody is logged in', { phase: 'logged-out' }],
  ['when the login has ended with a dictation in hand', { phase: 'expired' }],
])('it is not locked %s', (_when, change) => {
  expect(shouldLock({ ...away, ...change })).toBe(false);
});
