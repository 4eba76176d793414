/** What every place for planned backups that is no directory has to do. */
import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BackupPlan } from '../../server/operations/backups/backups.ts';
import { contract } from '../../src/contract/index.ts';
import type { Store, StoredDocument } from '../../server/storage/store.ts';
import { startApi, startOfTests, succeeded } from '../support/api.ts';
import type { Api, ApiOptions } from '../support/api.ts';
import { restoreTo } from '../support/maintenance.ts';

export interface TargetOfTest {
  readonly choice: Pick<BackupPlan, 'to' | 'key'>;
  names(): Promise<string[]>;
  read(name: string): Promise<Buffer>;
}

export const day = 24 * 3600 * 1000;
const { status } = contract.system.endpoints;

export const expectBackup = (api: Api, name: 'last_at' | 'failure' | 'next_at') =>
  expect.poll(async () => succeeded(await api.call(status)).backup?.[name]);

/** A server that keeps the newest backup, and whose documents can be changed on their way into one. */
export async function startBackups(choice: TargetOfTest['choice'], options: ApiOptions = {}) {
  const change = { map: (document: object): object => document };
  const store = (real: Store): Store => ({
    ...real,
    async *dump() {
      for await (const { collection, document } of real.dump()) {
        yield { collection, document: change.map(document) } as StoredDocument;
      }
    },
  });
  const keep = { days: 1, weeks: 0, months: 0 };
  const api = await startApi({ ...options, backups: { ...choice, every: day, keep }, store }, onTestFinished);
  await expectBackup(api, 'next_at').toBe(startOfTests);
  return { api, change };
}

export function describeBackupTarget(what: string, open: () => Promise<TargetOfTest>): void {
  describe(`backups to ${what}`, () => {
    const form = /^laudio-[0-9a-f]{8}-2026-03-0\dT113000Z\.tar$/;

    test('are read back, say their checksum, follow the generations, and are restored', async () => {
      const target = await open();
      const { api } = await startBackups(target.choice);
      const id = await api.exam({ accession_number: 'CANARY-1' });
      api.clock.advance(0);
      await expectBackup(api, 'last_at').toBe(startOfTests);
      await expectBackup(api, 'next_at').toBe('2026-03-03T11:30:00.000Z');
      api.clock.advance(day);
      await expectBackup(api, 'last_at').toBe('2026-03-03T11:30:00.000Z');
      await expect.poll(target.names).toHaveLength(2);
      const [name = '', checksum = ''] = (await target.names()).toSorted();
      expect(name).toMatch(form);
      const archive = await target.read(name);
      const sha256 = createHash('sha256').update(archive).digest('hex');
      expect([checksum, String(await target.read(checksum))]).toEqual([`${name}.sha256`, `${sha256}  ${name}\n`]);
      expect(JSON.stringify(api.logged)).not.toContain('CANARY-1');
      const other = await startApi({}, onTestFinished);
      expect((await restoreTo(other, archive)).status).toBe(200);
      const { access_token: token } = await other.tokens();
      expect((await other.call(contract.worklists.endpoints.get, { params: { id }, token })).status).toBe(200);
    });

    test('that a restore would refuse do not stay', async () => {
      const target = await open();
      const { api, change } = await startBackups(target.choice);
      await api.exam();
      change.map = (document) => ({ ...document, created_at: 'yesterday' });
      api.clock.advance(0);
      await expectBackup(api, 'failure').toBe('VALIDATION_FAILED');
      expect(await target.names()).toEqual([]);
    });
  });
}
