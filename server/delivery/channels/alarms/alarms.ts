/**
 * Alerts the operator when a channel becomes silent or stuck, and when that ends: once each, even across restarts. Checks every
 * minute, in elapsed time, which ignores changes of the clock.
 */
import { anatomyOf } from '../../../http/plugins/errors.ts';
import type { DeliveryDeps } from '../../deps.ts';
import type { StoredChannel, StoredMessage } from '../channel.ts';
import { longestAlarm } from './alarm-settings.ts';
import type { OperatorAlarm, Told } from './operator-alarm.ts';
import { standingOf } from '../standing.ts';
import type { Standing } from '../standing.ts';
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
interface Watched {
  readonly channel: StoredChannel;
  /** Elapsed time since which no message was received or delivered. */
  readonly quietSince: number;
  readonly lastMessageAt: string | null;
  /** Conditions whose beginning was reported to the operator. */
  readonly told: readonly Condition[];
}

/** The moment of a check. */
interface Look {
  readonly now: number;
  readonly elapsed: number;
  /** Id of the newest message; ids sort by creation. */
  readonly newest: string;
}

/** In ms. */
const minute = 60_000;

export function createAlarms({ store, clock, log, alarm }: AlarmsDeps): Alarms {
  let looks: Look[] = [];
  const watched = new Map<string, Watched>();
  let isRunning = false;
  /** Increases on each start: results of earlier runs no longer count. */
  let run = 0;
  let looking: Promise<void> | undefined;
  let isStale = false;
  let callOff = (): void => {};
  let unwatch = (): void => {};

  function look(): Promise<void> {
    callOff();
    if (looking) {
      isStale = true;
      return looking;
    }
    isStale = false;
    looking = lookAtAll()
      .catch((error: unknown) => {
        log({ level: 'error', event: 'channel_alarms_failed', ...anatomyOf(error) });
        return true;
      })
      .then((again) => {
        looking = undefined;
        if (!isRunning) return;
        if (isStale) void look();
        else if (again) callOff = clock.schedule(clock.now() + minute, look);
        else looks = [];
      });
    return looking;
  }

  /** Returns whether another check is needed. */
  async function lookAtAll(): Promise<boolean> {
    const own = run;
    const [newest] = await store.find('messages', { limit: 1 });
    const present: Look = { now: clock.now(), elapsed: clock.elapsed(), newest: newest?.id ?? '' };
    const former = looks.at(-1);
    looks.push(present);
    if (looks.length > longestAlarm + 1) looks.shift();
    const channels = await store.find('channels', {});
    const gone = [...watched.values()].filter(({ channel }) => channels.every(({ id }) => id !== channel.id));
    const changes = await Promise.all([
      ...channels.map((channel) => stateOf(channel, present, former)),
      ...gone.map(async (before) => ({ before, after: { ...before, told: none }, standing: undefined })),
    ]);
    const telling = changes.flatMap(({ before, after, standing }) =>
      conditions
        .filter((condition) => before.told.includes(condition) !== after.told.includes(condition))
        .map((condition) => tell(after, condition, standing)),
    );
    // Alarms take time. They are recorded after they were sent, so that a crash in between repeats them.
    await Promise.all(telling);
    if (run !== own) return true;
    for (const { before, after } of changes) {
      const { id } = after.channel;
      if (before.told.join() !== after.told.join()) {
        await store.transact(async (tx) => {
          if (after.told.length === 0) tx.remove('settings', toldId(id));
          else tx.put('settings', { id: toldId(id), value: after.told });
        });
      }
      if (channels.some((channel) => channel.id === id)) watched.set(id, after);
      else watched.delete(id);
    }
    return changes.some(
      ({ after: { channel, told } }) => told.length > 0 || conditions.some((each) => limitOf(channel, each)),
    );
  }

  async function stateOf(channel: StoredChannel, present: Look, former: Look | undefined) {
    const { elapsed } = present;
    const known = watched.get(channel.id);
    const standing = await standingOf(store, channel.id);
    const { lastMessageAt, refused, oldestOpen } = standing;
    let quietSince = elapsed;
    if (known?.channel.enabled && channel.enabled) {
      const isQuiet = lastMessageAt === null || lastMessageAt === known.lastMessageAt;
      quietSince = isQuiet ? known.quietSince : elapsed - ageAt(lastMessageAt, present, former);
    }
    const told = known?.told ?? (((await store.get('settings', toldId(channel.id)))?.value ?? []) as Condition[]);
    const before: Watched = { channel, quietSince, lastMessageAt, told };
    const isPast = (condition: Condition, ms: number): boolean => {
      const limit = limitOf(channel, condition);
      return limit !== undefined && ms >= limit * minute;
    };
    const stuckFor = refused > 0 ? Infinity : oldestOpen ? openFor(oldestOpen, present) : -1;
    const is = { silent: channel.enabled && isPast('silent', elapsed - quietSince), stuck: isPast('stuck', stuckFor) };
    return { before, after: { ...before, told: conditions.filter((condition) => is[condition]) }, standing };
  }

  /** How long the message has been open, in ms, as far as checks observed it. */
  function openFor({ id, at }: StoredMessage, present: Look): number {
    const first = looks.findIndex(({ newest }) => id <= newest);
    if (first < 0) return 0;
    const seen = elementAt(looks, first);
    return ageAt(at, seen, looks[first - 1]) + present.elapsed - seen.elapsed;
  }

  async function tell({ channel, told }: Watched, condition: Condition, standing: Standing | undefined): Promise<void> {
    const { name, kind } = channel;
    const begins = told.includes(condition);
    const type = `channel_${condition}${begins ? '' : '_over'}`;
    const data = {
      channel: name,
      kind,
      ...(begins && { minutes: limitOf(channel, condition) }),
      ...(standing && {
        waiting: standing.waiting,
        refused: standing.refused,
        oldest_open_at: standing.oldestOpen?.at ?? null,
        last_message_at: standing.lastMessageAt,
      }),
    } satisfies Told['data'];
    log({ level: begins ? 'warn' : 'info', event: type, ...data });
    await alarm.tell({ type, data });
  }

  return {
    start() {
      unwatch();
      isRunning = true;
      run += 1;
      looks = [];
      watched.clear();
      unwatch = store.watch('channels', () => void look());
      void look();
    },
    async stop() {
      isRunning = false;
      run += 1;
      unwatch();
      callOff();
      await alarm.stop();
      await looking;
    },
    async idle() {
      while (looking) await looking;
      await alarm.idle();
    },
  };
}

const limitOf = ({ settings }: StoredChannel, condition: Condition): number | undefined =>
  settings[settingOf[condition]] as number | undefined;

/** Age at a check in ms. If it is younger than the previous check, that limits it, whatever the clock says. */
function ageAt(at: string, { now, elapsed }: Look, former: Look | undefined): number {
  const age = Math.max(0, now - Date.parse(at));
  return former ? Math.min(age, elapsed - former.elapsed) : age;
}

/** Id of the stored list of conditions that were reported for a channel. */
const toldId = (channel: string): string => `alarms-told:${channel}`;
