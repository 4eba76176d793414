/** Backups by schedule: when they are made, that they can be restored, which ones stay, and who learns of a failure. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LeaseHolder } from '../../../../server/storage/members.ts';
import type { Store, StoredDocument } from '../../../../server/storage/store.ts';
import { defaultKeepRule, findSurplus, parseKeepRule } from '../../../../src/domain/backup-generations.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { contract } from '../../../../src/contract/index.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { placeOfProcesses } from '../../../../src/node/files/processes.ts';
import { describeBackupTarget, expectBackup, startBackups } from '../../../suites/backup-target.suite.ts';
import { startApi, startOfTests, succeeded } from '../../../support/api.ts';
import type { Api, ApiOptions } from '../../../support/api.ts';
import { wav } from '../../../support/audio.ts';
import { createCluster } from '../../../support/cluster.ts';
import { eventually } from '../../../support/eventually.ts';
import { readExposition } from '../../../support/exposition.ts';
import { startHttpServer } from '../../../support/http-server.ts';
import { restoreTo } from '../../../support/maintenance.ts';
import { noSmallDisk, smallDisk } from '../../../support/small-disk.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { status, ready, metrics } = contract.system.endpoints;
const hour = 3600 * 1000;
const day = 24 * hour;

const start = (options: ApiOptions): Promise<Api> => startApi(options, onTestFinished);
const planFor = (directory: string, more: Partial<NonNullable<ApiOptions['backups']>> = {}) => ({
  backups: { to: directory, every: day, keep: defaultKeepRule, ...more },
});
async function backupOf(api: Api) {
  const { backup } = succeeded(await api.call(status));
  if (!backup) throw new Error('The server has no plan.');
  return backup;
}
const field = (api: Api, name: 'last_at' | 'failure' | 'next_at') =>
  expect.poll(async () => (await backupOf(api))[name]);
const warningsOf = async (api: Api) => (await api.call(ready)).json['warnings'];
const overdueMetric = async (api: Api) =>
  readExposition((await api.call(metrics)).text).find(({ name }) => name === 'laudio_backup_overdue')?.value;
const eventsOf = (api: Api, event: string) => api.logged.filter((line) => line.event === event);
/** The names in the directory, without the mark of the store. */
const namesIn = async (directory: string) =>
  (await readdir(directory)).map((name) => name.replace(/^laudio-[0-9a-f]{8}-/, '')).toSorted();
const first = '2026-03-02T113000Z.tar';

/** Waits for the plan, and then for the first backup. */
async function makeFirst(api: Api): Promise<void> {
  await field(api, 'next_at').toBe(startOfTests);
  api.clock.advance(0);
  await field(api, 'last_at').toBe(startOfTests);
}

/** A server whose documents can be changed on their way into a backup. */
function changingDump() {
  const change = { map: (document: object): object => document };
  const store = (real: Store): Store => ({
    ...real,
    async *dump() {
      for await (const { collection, document } of real.dump()) {
        yield { collection, document: change.map(document) } as StoredDocument;
      }
    },
  });
  return { change, store };
}

describe('a server with a plan', () => {
  test('makes a backup at once and each day, which another server restores', async () => {
    const directory = await temporaryDirectory();
    const api = await start(planFor(directory));
    const id = await api.exam({ accession_number: 'CANARY-1' });
    await makeFirst(api);
    expect(await warningsOf(api)).not.toContain('backup_overdue');
    await field(api, 'next_at').toBe('2026-03-03T11:30:00.000Z');
    api.clock.advance(day);
    await expect.poll(() => namesIn(directory)).toEqual([first, '2026-03-03T113000Z.tar']);
    expect(JSON.stringify(api.logged)).not.toContain('CANARY-1');
    const other = await start({});
    const [name = ''] = (await readdir(directory)).toSorted();
    expect((await restoreTo(other, await readFile(join(directory, name)))).status).toBe(200);
    const { access_token: token } = await other.tokens();
    expect((await other.call(contract.worklists.endpoints.get, { params: { id }, token })).status).toBe(200);
  });

  test('continues after a restart, and removes its own surplus only', async () => {
    const [directory, dataDir] = [await temporaryDirectory(), await temporaryDirectory()];
    const plan = { dataDir, ...planFor(directory, { keep: { days: 1, weeks: 0, months: 0 } }) };
    const before = await start(plan);
    await makeFirst(before);
    await before.close();
    const [own = ''] = await readdir(directory);
    const mark = own.slice(7, 15);
    const left = `.${own}.${placeOfProcesses()}-${process.pid}-00000000-0000-0000-0000-000000000000.tmp`;
    const others = ['laudio-00000000-2026-03-01T000000Z.tar', `laudio-${mark}-2031-01-01T000000Z.tar`, 'holidays.tar'];
    for (const name of [left, ...others]) await writeFile(join(directory, name), 'of another run');
    const api = await start({ ...plan, clock: manualClock(Date.parse(startOfTests) + hour) });
    await field(api, 'next_at').toBe('2026-03-03T11:30:00.000Z');
    expect(await readdir(directory)).not.toContain(left);
    api.clock.advance(day);
    await field(api, 'last_at').toBe('2026-03-03T12:30:00.000Z');
    expect((await readdir(directory)).toSorted()).toEqual(
      [...others, `laudio-${mark}-2026-03-03T123000Z.tar`].toSorted(),
    );
  });

  test('never makes the directory, says everywhere that it is missing, and tries again', async () => {
    const pager = await startHttpServer(() => ({}));
    onTestFinished(pager.close);
    const disk = await temporaryDirectory();
    const directory = join(disk, 'mounted');
    const api = await start({ ...planFor(directory), alarm: { webhook: `${pager.url}/alarms` } });
    await field(api, 'next_at').toBe(startOfTests);
    api.clock.advance(0);
    await field(api, 'failure').toBe('ENOENT');
    expect(await readdir(disk)).toEqual([]);
    expect(await warningsOf(api)).toContain('backup_overdue');
    expect(await overdueMetric(api)).toBe(1);
    await field(api, 'next_at').toBe('2026-03-02T11:45:00.000Z');
    api.clock.advance(hour / 4);
    await expect.poll(() => eventsOf(api, 'backup_missing')).toHaveLength(2);
    await mkdir(directory);
    await field(api, 'next_at').toBe('2026-03-02T12:00:00.000Z');
    api.clock.advance(hour / 4);
    await field(api, 'failure').toBeNull();
    expect(await overdueMetric(api)).toBe(0);
    expect(pager.asked.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'backup_missing',
      'backup_missing_over',
    ]);
  });

  test('goes on when its store fails while it looks for earlier backups', async () => {
    const directory = await temporaryDirectory();
    let failures = 0;
    const store = (real: Store): Store => ({
      ...real,
      async get(collection, id) {
        if (id === 'backups:mark' && failures++ === 0) throw new AppError('STORAGE_UNAVAILABLE');
        return real.get(collection, id);
      },
    });
    const api = await start({ ...planFor(directory), store });
    await makeFirst(api);
    expect(failures).toBeGreaterThan(1);
    expect(await namesIn(directory)).toEqual([first]);
  });

  test('keeps no file that a restore would refuse, and none of those before is lost', async () => {
    const directory = await temporaryDirectory();
    const { change, store } = changingDump();
    const api = await start({ ...planFor(directory, { keep: { days: 1, weeks: 0, months: 0 } }), store });
    await api.exam();
    await makeFirst(api);
    change.map = (document) => ({ ...document, created_at: 'yesterday' });
    await field(api, 'next_at').toBe('2026-03-03T11:30:00.000Z');
    api.clock.advance(day);
    await field(api, 'failure').toBe('VALIDATION_FAILED');
    expect(await namesIn(directory)).toEqual([first]);
  });

  test('stops in the middle of a backup, which leaves nothing and is no failure', async () => {
    const directory = await temporaryDirectory();
    const { change, store } = changingDump();
    const api = await start({ ...planFor(directory), store });
    await api.exam();
    await field(api, 'next_at').toBe(startOfTests);
    const begun = Promise.withResolvers<void>();
    change.map = (document) => {
      void api.close();
      begun.resolve();
      return document;
    };
    api.clock.advance(0);
    await begun.promise;
    await api.close();
    expect(await readdir(directory)).toEqual([]);
    expect(eventsOf(api, 'backup_missing')).toEqual([]);
  });

  test.skipIf(noSmallDisk() !== undefined)('keeps what is there if its disk is full', async () => {
    const disk = await smallDisk(1024 * 1024);
    const api = await start(planFor(disk.directory));
    await api.exam();
    await makeFirst(api);
    await disk.fill();
    await field(api, 'next_at').toBe('2026-03-03T11:30:00.000Z');
    api.clock.advance(day);
    await field(api, 'failure').toBe('ENOSPC');
    expect(await namesIn(disk.directory)).toEqual([first, 'ballast']);
    await disk.free();
    await field(api, 'next_at').toBe('2026-03-03T11:45:00.000Z');
    api.clock.advance(hour / 4);
    await field(api, 'failure').toBeNull();
  });

  test('is one of several over one store, of which one makes the backups and all know of them', async () => {
    const directory = await temporaryDirectory();
    const clock = manualClock(Date.parse(startOfTests));
    const cluster = createCluster(clock);
    const [one, other] = [
      await start({ ...planFor(directory), clock, cluster }),
      await start({ ...planFor(directory), clock, cluster }),
    ];
    await makeFirst(one);
    await field(one, 'next_at').toBe('2026-03-03T11:30:00.000Z');
    expect(await backupOf(other)).toEqual(await backupOf(one));
    clock.advance(day);
    await expect.poll(() => namesIn(directory)).toEqual([first, '2026-03-03T113000Z.tar']);
    await field(one, 'next_at').toBe('2026-03-04T11:30:00.000Z');
    await one.close();
    await field(other, 'last_at').toBe('2026-03-03T11:30:00.000Z');
    clock.advance(day);
    await field(other, 'last_at').toBe('2026-03-04T11:30:00.000Z');
    expect(await namesIn(directory)).toHaveLength(3);
  });

  test('encrypts backups under the passphrase, and refuses plain ones of encrypted data', async () => {
    const directory = await temporaryDirectory();
    const key = { encrypt: 'passphrase', passphrase: async () => 'a long passphrase' } as const;
    const options = async (more = {}) => ({ dataDir: await temporaryDirectory(), key, ...planFor(directory, more) });
    await expect(start(await options())).rejects.toMatchObject({ code: 'CONFIGURATION' });
    const api = await start(await options({ passphrase: 'another long one' }));
    await api.exam({ accession_number: 'CANARY-1' });
    await makeFirst(api);
    const [name = ''] = await readdir(directory);
    expect(await readFile(join(directory, name), 'latin1')).not.toContain('CANARY-1');
  });
});

test('an erased patient is held by the backups since its first exam, which are named', async () => {
  const directory = await temporaryDirectory();
  const api = await start(planFor(directory));
  await makeFirst(api);
  await field(api, 'next_at').toBe('2026-03-03T11:30:00.000Z');
  api.clock.advance(hour / 2);
  const id = await api.exam();
  api.clock.advance(day - hour / 2);
  await field(api, 'last_at').toBe('2026-03-03T11:30:00.000Z');
  const params = { id };
  expect(succeeded(await api.call(contract.patients.endpoints.erase, { params })).backups).toEqual([
    expect.stringMatching(/^laudio-[0-9a-f]{8}-2026-03-03T113000Z\.tar$/),
  ]);
});

describe.skipIf(process.platform === 'win32')('a command', () => {
  /** A script that keeps files in a directory, with `before` in front. */
  async function makeScript(before = ''): Promise<{ directory: string; to: string }> {
    const [folder, directory] = [await temporaryDirectory(), await temporaryDirectory()];
    const script = join(folder, 'keep');
    const cases = 'put) cat > "$2";; get) cat "$2";; list) ls;; remove) rm -f "$2";; *) exit 9;;';
    await writeFile(script, `#!/bin/sh\ncd '${directory}' || exit 8\n${before}\ncase $1 in ${cases} esac\n`);
    await chmod(script, 0o700);
    return { directory, to: `command:${script}` };
  }

  describeBackupTarget('a command', async () => {
    const { directory, to } = await makeScript();
    return { choice: { to }, names: () => readdir(directory), read: (name) => readFile(join(directory, name)) };
  });

  test.each([
    ['that fails', '[ $1 != put ] || exit 3', 'EXIT_3'],
    ['that ends before it has read everything', '[ $1 != put ] || exit 4', 'EXIT_4'],
    ['that keeps other bytes', '[ $1 != put ] || { sed s/CANARY/canary/ > "$2"; exit; }', 'VALIDATION_FAILED'],
    ['that keeps only a part', '[ $1 != put ] || { head -c 2000 > "$2"; exit; }', 'VALIDATION_FAILED'],
    ['that cannot give it back', '[ $1 != get ] || exit 5', 'EXIT_5'],
  ])('%s leaves no backup that counts', async (_what, before, code) => {
    const { directory, to } = await makeScript(before);
    const { api } = await startBackups({ to });
    await api.exam({ accession_number: 'CANARY-1' });
    api.clock.advance(0);
    await expectBackup(api, 'failure').toBe(code);
    expect(await readdir(directory)).toEqual([]);
    expect(eventsOf(api, 'backup_missing')).toHaveLength(1);
  });

  const note = (pid: string): string => `echo ${pid} > ../hangs-$$; mv ../hangs-$$ hangs`;
  /** A script of which one call writes the number of a process, and then hangs. */
  async function makeHanging(word: string, how = `${note('$$')}; exec sleep 1000`) {
    const { directory, to } = await makeScript(`[ $1 != ${word} ] || { ${how}; }`);
    const findHanging = async () => {
      const pid = Number(await readFile(join(directory, 'hangs'), 'utf8').catch(() => ''));
      expect(pid).toBeGreaterThan(0);
      return pid;
    };
    return { to, hangs: () => eventually(findHanging) };
  }
  const hasEnded = (pid: number) => expect.poll(() => existsSync(`/proc/${pid}/exe`)).toBe(false);
  const minute = 60_000;

  test.each([
    ['put', 10 * minute, 60],
    // The whole backup is in the pipe.
    ['put', day, 0],
    ['get', 10 * minute, 0],
    ['list', minute, 0],
  ])('whose %s hangs is ended after %i ms, and the operator is called', async (word, limit, seconds) => {
    const pager = await startHttpServer(() => ({}));
    onTestFinished(pager.close);
    const { to, hangs } = await makeHanging(word);
    const { api } = await startBackups({ to }, { alarm: { webhook: `${pager.url}/alarms` } });
    if (seconds > 0) {
      const audio = { content_type: 'audio/wav' as const, data: wav({ seconds }).toString('base64') };
      await api.generate({ audio });
    }
    api.clock.advance(0);
    const pid = await hangs();
    api.clock.advance(limit);
    await expectBackup(api, 'failure').toBe('TIMEOUT');
    await hasEnded(pid);
    await expect
      .poll(() => pager.asked.map(({ body }) => JSON.parse(body)))
      .toMatchObject([{ type: 'backup_missing', data: { code: 'TIMEOUT' } }]);
  });

  test.each(['put', 'get', 'list'])('whose %s hangs does not keep the server from its end', async (word) => {
    const { to, hangs } = await makeHanging(word);
    const { api } = await startBackups({ to });
    api.clock.advance(0);
    const pid = await hangs();
    await api.close();
    await hasEnded(pid);
    expect(eventsOf(api, 'backup_missing')).toEqual([]);
  });

  test('that ignores TERM is killed', async () => {
    const { to, hangs } = await makeHanging('put', `trap '' TERM; ${note('$$')}; while :; do sleep 1000; done`);
    const { api } = await startBackups({ to });
    api.clock.advance(0);
    const pid = await hangs();
    const closed = api.close();
    // The moment in which the clock is asked for is not known.
    const moving = setInterval(() => api.clock.advance(5000), 10);
    await closed.finally(() => clearInterval(moving));
    await hasEnded(pid);
  });

  test('that ends at once lets what it has started clean up', async () => {
    const cleaning = `trap "sleep 0.2; : > cleaned; exit" TERM; ${note('$$')}; while :; do sleep 0.02; done`;
    const { directory, to } = await makeScript(`[ $1 != put ] || { sh -c '${cleaning}' & wait; }`);
    const { api } = await startBackups({ to });
    api.clock.advance(0);
    await expect.poll(() => existsSync(join(directory, 'hangs'))).toBe(true);
    await api.close();
    expect(await readdir(directory)).toContain('cleaned');
  });

  test('that leaves a process with its output behind is not waited for', async () => {
    const { to, hangs } = await makeHanging('get', `sleep 1000 & ${note('$!')}; exit 0`);
    const { api } = await startBackups({ to });
    api.clock.advance(0);
    const pid = await hangs();
    api.clock.advance(10 * minute);
    await expectBackup(api, 'failure').toBe('TIMEOUT');
    await hasEnded(pid);
  });

  test('still says which backups hold an erased patient after another member has taken over', async () => {
    const { to } = await makeScript();
    const clock = manualClock(Date.parse(startOfTests));
    const cluster = createCluster(clock);
    const holders: LeaseHolder[] = [];
    function open() {
      const { members, ...parts } = cluster.open();
      const claim: typeof members.claim = (name, holder) => {
        if (name === 'backups') holders.push(holder);
        return members.claim(name, holder);
      };
      return { ...parts, members: { ...members, claim } };
    }
    const api = await start({ ...planFor(to), clock, cluster: { ...cluster, open } });
    const params = { id: await api.exam() };
    await makeFirst(api);
    for (const holder of holders) await holder.end();
    const { backups } = succeeded(await api.call(contract.patients.endpoints.erase, { params }));
    expect(backups).toEqual([expect.stringMatching(/-2026-03-02T113000Z\.tar$/)]);
  });

  test('that has read everything may take hours to pass it on', async () => {
    const { directory, to } = await makeScript(
      `[ $1 != put ] || { cat > "$2"; ${note('$$')}; while [ ! -e go ]; do sleep 0.02; done; exit; }`,
    );
    const { api } = await startBackups({ to });
    api.clock.advance(0);
    await expect.poll(() => existsSync(join(directory, 'hangs'))).toBe(true);
    api.clock.advance(day / 2);
    await writeFile(join(directory, 'go'), '');
    await expectBackup(api, 'last_at').toBe(startOfTests);
    expect(eventsOf(api, 'backup_missing')).toEqual([]);
  });

  test('gets no secret of the server, and shows none', async () => {
    const { directory, to } = await makeScript('env > ../env-$$; [ $1 != put ] || mv ../env-$$ seen');
    vi.stubEnv('LAUDIO_BACKUP_KEY', 'CANARY-KEY');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { api } = await startBackups({ to: `${to} --token CANARY-TOKEN` });
    api.clock.advance(0);
    await expectBackup(api, 'failure').not.toBeNull();
    expect(JSON.stringify([await backupOf(api), api.logged])).not.toContain('CANARY');
    expect(await readFile(join(directory, 'seen'), 'utf8').catch(() => '')).not.toContain('CANARY-KEY');
  });
});

describe('generations', () => {
  const at = (text: string) => Date.parse(`${text}:00Z`);
  const kept = (instants: readonly string[], rule: string) => {
    const gone = new Set(findSurplus(instants.map(at), parseKeepRule(rule)!));
    return instants.filter((each) => !gone.has(at(each)));
  };

  test('are the newest of each day, week and month', () => {
    const hourly = ['2026-03-01T06:00', '2026-03-01T18:00', '2026-03-02T06:00', '2026-03-02T18:00'];
    expect(kept(hourly, '2d')).toEqual(['2026-03-01T18:00', '2026-03-02T18:00']);
    // Weeks begin on Monday, and the second of March is one.
    expect(kept(hourly, '2w')).toEqual(['2026-03-01T18:00', '2026-03-02T18:00']);
    expect(kept(['2026-01-05T06:00', '2026-01-31T06:00', '2026-02-01T06:00', '2026-03-02T06:00'], '2m')).toEqual([
      '2026-02-01T06:00',
      '2026-03-02T06:00',
    ]);
  });

  test('never remove the newest, and count days that have a backup', () => {
    expect(kept(['2026-01-05T06:00', '2026-01-06T06:00'], '0d')).toEqual(['2026-01-06T06:00']);
    expect(kept(['2025-01-05T06:00', '2026-01-06T06:00'], '2d')).toHaveLength(2);
  });

  test.each(['', '7', 'd', '7x', '7d;4w', '-1d', '1000d'])('%j is no rule', (text) => {
    expect(parseKeepRule(text)).toBeUndefined();
  });
});
