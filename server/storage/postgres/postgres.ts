/** Documents in PostgreSQL: for several processes, or for an operator who has a database already. */
import { AppError } from '../../../src/contract/errors.ts';
import { object, string } from '../../../src/contract/schema.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { documentStoreKind } from '../kinds.ts';
import type { UpgradeState } from './upgrade.ts';

export const postgresDocumentStore = documentStoreKind({
  options: object({ url: string() }),
  main: 'url',
  blobs: 'files',
  async open({ url }, { clock, key, log, memberUrl }) {
    const [{ readAddress }, { openPostgresStore }] = await Promise.all([
      import('./address.ts'),
      import('./postgres-store.ts'),
    ]);
    const address = readAddress(url, key);
    if (address.isOpen) log({ level: 'warn', event: 'store_unencrypted', server: address.shown });
    const options = {
      address,
      clock: machineClockOf(clock),
      // Tests give servers another time, which says nothing of the clock of the computer.
      now: systemClock.now,
      onClockApart: (lead: number) =>
        log({ level: 'warn', event: 'clock_apart', server: address.shown, ahead_s: Math.round(lead / 1000) }),
      onUpgrade: (state: UpgradeState) => log({ level: 'info', event: `upgrade_${state}`, server: address.shown }),
      onOutdated: () => log({ level: 'error', event: 'version_outdated', server: address.shown }),
      url: memberUrl,
    };
    const { store, members, counters, measure } = await openPostgresStore(options);
    return { store, members, counters, usage: async () => ({ bytes: await measure(), last_snapshot_at: null }) };
  },
  care: {
    async check({ url }, { key }) {
      const [{ readAddress }, { checkDocuments }] = await Promise.all([import('./address.ts'), import('./check.ts')]);
      return checkDocuments(readAddress(url, key));
    },
    async namedAudio({ url }, { key }) {
      const [{ readAddress }, { findNamedAudio }] = await Promise.all([import('./address.ts'), import('./check.ts')]);
      return findNamedAudio(readAddress(url, key));
    },
    repair: async () => {
      throw new AppError('CONFIGURATION', {
        message: 'PostgreSQL repairs itself when it starts; Laudio has nothing to add.',
        hint: "Where it does not start, restore the database's own backup, or one of Laudio's.",
      });
    },
  },
});
