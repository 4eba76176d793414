/**
 * Alerts the operator when a channel becomes silent or stuck, and when that ends: once each, even across restarts. Checks every
 * minute, in elapsed time, which ignores changes of the clock.
 */
import { describeError } from '../../../http/plugins/errors.ts';
import type { DeliveryDeps } from '../../deps.ts';
import type { StoredChannel, StoredMessage } from '../channel.ts';
import { maxAlarmMinutes } from './alarm-settings.ts';
import type { OperatorAlarm, AlarmEvent } from './operator-alarm.ts';
import { readBacklog } from '../backlog.ts';
import type { Backlog } from '../backlog.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

export interface Alarms {
  /** Starts the checks, if a channel wants them. Call it again if every document may have changed. */
  start(): void;
  stop(): Promise<void>;
  /** Resolves once no check runs and no alarm is being sent. */
  idle(): Promise<void>;
}

export interface AlarmsDeps extends Pick<DeliveryDeps, 'store' | 'clock' | 'log'> {
  readonly alarm: OperatorAlarm;
}

const conditions = ['silent', 'stuck'] as const;
type Condition = (typeof conditions)[number];
const none: readonly Condition[] = [];
const settingOf = { silent: 'alarm_silent_minutes', stuck: 'alarm_stuck_minutes' } as const;

/** State of a channel, kept from one check to the next. */
interface ChannelWatch {
  readonly channel: StoredChannel;
  /** Elapsed time since which no message was received or delivered. */
  readonly quietSince: number;
  readonly lastMessageAt: string | null;
  /** Conditions whose beginning was reported to the operator. */
  readonly reported: readonly Condition[];
}

/** The moment of a check. */
interface Check {
  readonly now: number;
  readonly elapsed: number;
  /** Id of the newest message; ids sort by creation. */
  readonly newest: string;
}

/** In ms. */
const minute = 60_000;

export function createAlarms({ store, clock, log, alarm }: AlarmsDeps): Alarms {
  let checks: Check[] = [];
  const watched = new Map<string, ChannelWatch>();
  let isRunning = false;
  /** Increases on each start: results of earlier runs no longer count. */
  let run = 0;
  let checking: Promise<void> | undefined;
  let isStale = false;
  let cancel = (): void => {};
  let unwatch = (): void => {};

  function check(): Promise<void> {
    cancel();
    if (checking) {
      isStale = true;
      return checking;
    }
    isStale = false;
    checking = checkAll()
      .catch((error: unknown) => {
        log({ level: 'error', event: 'channel_alarms_failed', ...describeError(error) });
        return true;
      })
      .then((again) => {
        checking = undefined;
        if (!isRunning) return;
        if (isStale) void check();
        else if (again) cancel = clock.schedule(clock.now() + minute, check);
        else checks = [];
      });
    return checking;
  }

  /** Returns whether another check is needed. */
  async function checkAll(): Promise<boolean> {
    const own = run;
    const [newest] = await store.find('messages', { limit: 1 });
    const present: Check = { now: clock.now(), elapsed: clock.elapsed(), newest: newest?.id ?? '' };
    const previous = checks.at(-1);
    checks.push(present);
    if (checks.length > maxAlarmMinutes + 1) checks.shift();
    const channels = await store.find('channels', {});
    const gone = [...watched.values()].filter(({ channel }) => channels.every(({ id }) => id !== channel.id));
    const changes = await Promise.all([
      ...channels.map((channel) => checkChannel(channel, present, previous)),
      ...gone.map(async (before) => ({ before, after: { ...before, reported: none }, backlog: undefined })),
    ]);
    const alarms = changes.flatMap(({ before, after, backlog }) =>
      conditions
        .filter((condition) => before.reported.includes(condition) !== after.reported.includes(condition))
        .map((condition) => alertOperator(after, condition, backlog)),
    );
    // Alarms take time. They are recorded after they were sent, so that a crash in between repeats them.
    await Promise.all(alarms);
    if (run !== own) return true;
    for (const { before, after } of changes) {
      const { id } = after.channel;
      if (before.reported.join() !== after.reported.join()) {
        await store.transact(async (tx) => {
          if (after.reported.length === 0) tx.remove('settings', reportedId(id));
          else tx.put('settings', { id: reportedId(id), value: after.reported });
        });
      }
      if (channels.some((channel) => channel.id === id)) watched.set(id, after);
      else watched.delete(id);
    }
    return changes.some(
      ({ after: { channel, reported } }) => reported.length > 0 || conditions.some((each) => getLimit(channel, each)),
    );
  }

  async function checkChannel(channel: StoredChannel, present: Check, previous: Check | undefined) {
    const { elapsed } = present;
    const known = watched.get(channel.id);
    const backlog = await readBacklog(store, channel.id);
    const { lastMessageAt, refused, oldestOpen } = backlog;
    let quietSince = elapsed;
    if (known?.channel.enabled && channel.enabled) {
      const isQuiet = lastMessageAt === null || lastMessageAt === known.lastMessageAt;
      quietSince = isQuiet ? known.quietSince : elapsed - ageAt(lastMessageAt, present, previous);
    }
    const reported =
      known?.reported ?? (((await store.get('settings', reportedId(channel.id)))?.value ?? []) as Condition[]);
    const before: ChannelWatch = { channel, quietSince, lastMessageAt, reported };
    const isPast = (condition: Condition, ms: number): boolean => {
      const limit = getLimit(channel, condition);
      return limit !== undefined && ms >= limit * minute;
    };
    const stuckFor = refused > 0 ? Infinity : oldestOpen ? openFor(oldestOpen, present) : -1;
    const is = { silent: channel.enabled && isPast('silent', elapsed - quietSince), stuck: isPast('stuck', stuckFor) };
    return { before, after: { ...before, reported: conditions.filter((condition) => is[condition]) }, backlog };
  }

  /** How long the message has been open, in ms, as far as checks observed it. */
  function openFor({ id, at }: StoredMessage, present: Check): number {
    const first = checks.findIndex(({ newest }) => id <= newest);
    if (first < 0) return 0;
    const seen = elementAt(checks, first);
    return ageAt(at, seen, checks[first - 1]) + present.elapsed - seen.elapsed;
  }

  async function alertOperator(
    { channel, reported }: ChannelWatch,
    condition: Condition,
    backlog: Backlog | undefined,
  ): Promise<void> {
    const { name, kind } = channel;
    const begins = reported.includes(condition);
    const type = `channel_${condition}${begins ? '' : '_over'}`;
    const data = {
      channel: name,
      kind,
      ...(begins && { minutes: getLimit(channel, condition) }),
      ...(backlog && {
        waiting: backlog.waiting,
        refused: backlog.refused,
        oldest_open_at: backlog.oldestOpen?.at ?? null,
        last_message_at: backlog.lastMessageAt,
      }),
    } satisfies AlarmEvent['data'];
    log({ level: begins ? 'warn' : 'info', event: type, ...data });
    await alarm.raise({ type, data });
  }

  return {
    start() {
      unwatch();
      isRunning = true;
      run += 1;
      checks = [];
      watched.clear();
      unwatch = store.watch('channels', () => void check());
      void check();
    },
    async stop() {
      isRunning = false;
      run += 1;
      unwatch();
      cancel();
      await alarm.stop();
      await checking;
    },
    async idle() {
      while (checking) await checking;
      await alarm.idle();
    },
  };
}

const getLimit = ({ settings }: StoredChannel, condition: Condition): number | undefined =>
  settings[settingOf[condition]] as number | undefined;

/** Age at a check in ms. If it is younger than the previous check, that limits it, whatever the clock says. */
function ageAt(at: string, { now, elapsed }: Check, previous: Check | undefined): number {
  const age = Math.max(0, now - Date.parse(at));
  return previous ? Math.min(age, elapsed - previous.elapsed) : age;
}

/** Id of the stored list of conditions that were reported for a channel. */
const reportedId = (channel: string): string => `alarms-told:${channel}`;
