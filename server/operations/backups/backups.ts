/** Backups by schedule: written, read back and checked as a restore checks them, and removed by generations. */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../../src/contract/errors.ts';
import type { BackupStatus } from '../../../src/contract/system.ts';
import { findSurplus } from '../../../src/domain/backup-generations.ts';
import type { KeepRule } from '../../../src/domain/backup-generations.ts';
import type { OperatorAlarm } from '../../delivery/channels/alarms/operator-alarm.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import type { Claim, Part } from '../../storage/members.ts';
import type { Care } from '../maintenance/care.ts';
import { buildName, parseInstant } from './names.ts';
import { checkTarget, openTarget } from './open-target.ts';
import type { BackupTarget, TargetChoice } from './target.ts';
import { writeBackup } from './write-backup.ts';

export interface BackupPlan extends TargetChoice {
  /** ms between two backups. */
  readonly every: number;
  readonly keep: KeepRule;
  /** Encrypts each backup. `undefined`: they are plain, which a server with encrypted data refuses. */
  readonly passphrase?: string | undefined;
}

export interface Backups extends Part {
  /** The same in all members, of which one makes the backups. */
  status(): Promise<BackupStatus>;
  /** The names of the whole backups of this store that hold a state of that moment (ms since 1970) or later. */
  listSince(at: number): Promise<string[]>;
  idle(): Promise<void>;
}

export interface BackupsDeps {
  readonly care: Care;
  readonly alarm: Pick<OperatorAlarm, 'raise' | 'stop'>;
}

/** ms until a failed backup is tried again. */
const retryAfter = 15 * 60 * 1000;

/** The setting with the mark of a store, by which several servers with one directory know their own files. */
const markId = 'backups:mark';

/** The whole backups with that mark: instant → name. */
async function findBackups(
  target: BackupTarget,
  mark: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const name of await target.list(signal)) {
    const at = parseInstant(name, mark);
    if (at !== undefined) found.set(at, name);
  }
  return found;
}

const readMark = async ({ store }: Care): Promise<string | undefined> =>
  (await store.get('settings', markId))?.value as string | undefined;

async function makeMark({ store }: Care): Promise<string> {
  const value = randomUUID().slice(0, 8);
  await store.transact(async (tx) => tx.put('settings', { id: markId, value }));
  return value;
}

/** Throws AppError CONFIGURATION if the target cannot be meant, or backups would reveal what the server encrypts. */
export async function createBackups({ care, alarm }: BackupsDeps, plan: BackupPlan): Promise<Backups> {
  const { clock, log, members } = care;
  checkTarget(plan);
  if (care.isEncrypted && plan.passphrase === undefined) throw wouldReveal();
  const target = await openTarget(plan, clock);
  const begun = clock.now();
  let last: number | undefined;
  let failure: { readonly at: number; readonly code: string } | undefined;
  let next = begun;
  let claim: Claim | undefined;
  /** Ends work under the lease. */
  let stopping = new AbortController();
  /** Ends what needs no lease. */
  const stopped = new AbortController();
  let cancel = (): void => {};
  let working = Promise.resolve();

  async function run(signal: AbortSignal): Promise<void> {
    try {
      const at = await makeBackup(signal);
      last = at;
      if (failure) await alarm.raise({ type: 'backup_missing_over', data: { to: target.place } });
      failure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      const isFirst = failure === undefined;
      failure = { at: clock.now(), code: findCode(error) };
      log({ level: 'error', event: 'backup_missing', ...describeError(error), code: failure.code });
      // Retries that fail as well call nobody.
      if (isFirst) {
        await alarm.raise({ type: 'backup_missing', data: { to: target.place, code: failure.code } });
      }
    }
  }

  /** Returns the instant whose state the backup holds. */
  async function makeBackup(signal: AbortSignal): Promise<number> {
    const mark = (await readMark(care)) ?? (await makeMark(care));
    const present = await findBackups(target, mark, signal);
    let at = Math.floor(clock.now() / 1000) * 1000;
    // After the clock was set back, the name may be taken.
    while (present.has(at)) at += 1000;
    const name = buildName(mark, at);
    const missingAudio = await writeBackup(care, target, { name, passphrase: plan.passphrase, signal });
    const removed = await removeSurplus(mark, at, signal);
    log({ level: 'info', event: 'backup_written', missing_audio: missingAudio, removed });
    return at;
  }

  function noteLeft(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) log({ level: 'warn', event: 'backups_not_removed', code: findCode(error) });
  }

  /** A failure leaves too many backups, which is no reason to make another one soon. */
  async function removeSurplus(mark: string, newest: number, signal: AbortSignal): Promise<number> {
    try {
      const all = await findBackups(target, mark, signal);
      // Backups from a clock that was ahead do not count, so that they never displace the newest.
      const surplus = findSurplus(
        [...all.keys()].filter((each) => each <= newest),
        plan.keep,
      );
      for (const each of surplus) await target.remove(all.get(each) ?? '', signal);
      return surplus.length;
    } catch (error) {
      noteLeft(error, signal);
      return 0;
    }
  }

  /** Not awaited: another computer that doesn't answer must not delay the start. */
  function begin(): void {
    stopping = new AbortController();
    working = prepare(stopping.signal);
  }

  async function prepare(signal: AbortSignal): Promise<void> {
    // A store that fails now fails the backup that follows, which reports it.
    const mark = await readMark(care).catch(() => undefined);
    await target.prepare(mark, signal).catch((error: unknown) => noteLeft(error, signal));
    const earlier = mark === undefined ? undefined : await findBackups(target, mark, signal).catch(() => undefined);
    const past = [...(earlier?.keys() ?? [])].filter((each) => each <= clock.now());
    last = past.length === 0 ? undefined : Math.max(...past);
    scheduleNext(signal);
  }

  function scheduleNext(signal: AbortSignal): void {
    if (signal.aborted) return;
    const now = clock.now();
    const planned = failure ? failure.at + retryAfter : last === undefined ? now : last + plan.every;
    // After the clock was set back, the next one is due one interval later.
    next = Math.min(Math.max(planned, now), now + plan.every);
    claim?.show(describe());
    cancel = clock.schedule(next, () => (working = run(signal).then(() => scheduleNext(signal))));
  }

  async function end(): Promise<void> {
    stopping.abort();
    cancel();
    await working;
  }

  const describe = (): Omit<BackupStatus, 'overdue'> => ({
    to: target.place,
    every_s: Math.round(plan.every / 1000),
    last_at: last === undefined ? null : new Date(last).toISOString(),
    failed_at: failure ? new Date(failure.at).toISOString() : null,
    failure: failure?.code ?? null,
    next_at: new Date(next).toISOString(),
  });

  return {
    async status() {
      const shown = claim?.isHeld
        ? undefined
        : ((await members.shown('backups')) as ReturnType<typeof describe> | undefined);
      const status = shown ?? describe();
      const latest = status.last_at === null ? begun : Math.max(begun, Date.parse(status.last_at));
      return { ...status, overdue: status.failed_at !== null || clock.now() - latest > 2 * plan.every };
    },
    async listSince(from) {
      const mark = await readMark(care);
      const all = mark === undefined ? [] : [...(await findBackups(target, mark, stopped.signal))];
      return all.filter(([at]) => at >= from).map(([, name]) => name);
    },
    idle: () => working,
    async start() {
      claim ??= members.claim('backups', { begin, end });
      await claim.answered;
    },
    async stop() {
      stopped.abort();
      stopping.abort();
      await claim?.release();
      await alarm.stop();
      await target.close();
    },
  };
}

/** The system's code if there is one: it says more than that of the error around it. */
function findCode(error: unknown): string {
  const { code, cause } = Object(error) as { code?: string; cause?: { code?: string } };
  return cause?.code ?? code ?? 'INTERNAL_ERROR';
}

const wouldReveal = (): AppError =>
  new AppError('CONFIGURATION', {
    message: 'The data of this server is encrypted, and its backups would not be.',
    hint: 'Name a file with a passphrase for them: --backup-passphrase-file.',
  });
