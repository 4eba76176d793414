/**
 * Alerts the operator when a channel becomes silent or stuck, and when that ends: once each, even across restarts. Checks every
 * minute, in elapsed time, which ignores changes of the clock.
 */
import type { DeliveryDeps } from '../../deps.ts';
import type { StoredChannel } from '../channel.ts';
import { createCheckHistory } from './check-history.ts';
import type { CheckAges } from './check-history.ts';
import { createRepeatedCheck, minute } from './repeated-check.ts';
import type { OperatorAlarm, AlarmEvent } from './operator-alarm.ts';
import { readBacklog } from '../backlog.ts';
import type { Backlog } from '../backlog.ts';

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

export function createAlarms({ store, clock, log, alarm }: AlarmsDeps): Alarms {
  const history = createCheckHistory();
  const watched = new Map<string, ChannelWatch>();
  /** Increases on each start: results of earlier runs no longer count. */
  let run = 0;
  let unwatch = (): void => {};
  const repeated = createRepeatedCheck({ clock, log }, { check: checkAll, onRest: history.clear });

  /** Returns whether another check is needed. */
  async function checkAll(): Promise<boolean> {
    const own = run;
    const [newest] = await store.find('messages', { limit: 1 });
    const elapsed = clock.elapsed();
    const ages = history.add({ now: clock.now(), elapsed, newest: newest?.id ?? '' });
    const channels = await store.find('channels', {});
    const gone = [...watched.values()].filter(({ channel }) => channels.every(({ id }) => id !== channel.id));
    const changes = await Promise.all([
      ...channels.map((channel) => checkChannel(channel, elapsed, ages)),
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

  async function checkChannel(channel: StoredChannel, elapsed: number, ages: CheckAges) {
    const known = watched.get(channel.id);
    const backlog = await readBacklog(store, channel.id);
    const { lastMessageAt, refused, oldestOpen } = backlog;
    let quietSince = elapsed;
    if (known?.channel.enabled && channel.enabled) {
      const isQuiet = lastMessageAt === null || lastMessageAt === known.lastMessageAt;
      quietSince = isQuiet ? known.quietSince : elapsed - ages.ageOf(lastMessageAt);
    }
    const reported =
      known?.reported ?? (((await store.get('settings', reportedId(channel.id)))?.value ?? []) as Condition[]);
    const before: ChannelWatch = { channel, quietSince, lastMessageAt, reported };
    const isPast = (condition: Condition, ms: number): boolean => {
      const limit = getLimit(channel, condition);
      return limit !== undefined && ms >= limit * minute;
    };
    const stuckFor = refused > 0 ? Infinity : oldestOpen ? ages.openFor(oldestOpen) : -1;
    const is = { silent: channel.enabled && isPast('silent', elapsed - quietSince), stuck: isPast('stuck', stuckFor) };
    return { before, after: { ...before, reported: conditions.filter((condition) => is[condition]) }, backlog };
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
      run += 1;
      history.clear();
      watched.clear();
      unwatch = store.watch('channels', () => void repeated.check());
      repeated.start();
    },
    async stop() {
      run += 1;
      unwatch();
      repeated.stop();
      await alarm.stop();
      await repeated.idle();
    },
    async idle() {
      await repeated.idle();
      await alarm.idle();
    },
  };
}

const getLimit = ({ settings }: StoredChannel, condition: Condition): number | undefined =>
  settings[settingOf[condition]] as number | undefined;

/** Id of the stored list of conditions that were reported for a channel. */
const reportedId = (channel: string): string => `alarms-told:${channel}`;
