/** A process that notifies a Subscription is killed again and again, between an event, its notification, and the answer to that. */
import { test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { rounds, seed } from './chance.ts';
import { killNotifiers } from './killed-notifiers.ts';

const kills = rounds(4);

test(`${kills} kills while a Subscription is notified (seed ${seed})`, { timeout: 60_000 + kills * 3000 }, async () =>
  killNotifiers(await temporaryDirectory(), { kills }),
);
