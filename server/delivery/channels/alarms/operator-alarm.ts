/**
 * Alerts the operator by a command, a POST, or both. Alarms contain names of channels, ids and counts, never patient data. A
 * failed alarm is retried every minute for an hour; the log has it in any case.
 */
import { once } from 'node:events';
import { isoNow, machineClockOf, stopwatch } from '../../../../src/domain/clock.ts';
import { signedHeaders } from '../../../../src/node/http/webhook-signature.ts';
import { startShellCommand } from '../../../runtime/processes/shell-command.ts';
import type { DeliveryDeps } from '../../deps.ts';
import { createSender } from '../../webhooks/sender.ts';
import type { Targets } from '../../webhooks/target.ts';
import type { AlarmChoice } from './alarm-choice.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

export interface AlarmEvent {
  /** The event in the log. */
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface OperatorAlarm {
  /** Whether an alarm reaches anyone. */
  readonly isSet: boolean;
  /** Resolves once the alarm was sent, or the first attempt failed. Never rejects. */
  raise(event: AlarmEvent): Promise<void>;
  /** Resolves once no alarm is being sent; later retries do not count. */
  idle(): Promise<void>;
  /** Permanent; kills a running command. */
  stop(): Promise<void>;
}

interface Alarm {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** Sends one alarm. Resolves to a description of the failure, without the alarm's content. */
type Attempt = (alarm: Alarm, signal: AbortSignal) => Promise<string | null>;

interface AlarmDeps extends Pick<DeliveryDeps, 'clock' | 'ids' | 'log'> {
  readonly targets: Targets;
}

/** In ms of the machine's clock. */
const commandTime = 30_000;
const retryEvery = 60_000;
const webhookTime = { timeoutMs: 15_000, restMs: 1000 };
const maxAttempts = 60;
/** Maximum of alarms that wait for one route; the oldest are dropped. */
const maxWaiting = 1000;

export function createOperatorAlarm(deps: AlarmDeps, { command, webhook, secret }: AlarmChoice): OperatorAlarm {
  const { clock, ids } = deps;
  const run = new AbortController();
  const sender = createSender({ targets: deps.targets, elapsed: () => stopwatch(clock), ...webhookTime });
  const createPost =
    (url: string): Attempt =>
    async ({ id, body }, signal) => {
      const message = { id, timestamp: Math.floor(clock.now() / 1000), body };
      const signed = secret === undefined ? {} : signedHeaders(message, [secret]);
      const headers = { 'content-type': 'application/json', 'user-agent': 'Laudio', ...signed };
      const { http_status: status, error } = await sender.send({ url, headers, body }, signal);
      return status !== null && status >= 200 && status < 300 ? null : (error ?? `It answered with ${status}.`);
    };
  const routes: AlarmRoute[] = [];
  if (command !== undefined) routes.push(createRoute(deps, 'command', createCommandRunner(deps, command), run.signal));
  if (webhook !== undefined) routes.push(createRoute(deps, 'webhook', createPost(webhook), run.signal));
  return {
    isSet: routes.length > 0,
    async raise({ type, data }) {
      if (routes.length === 0) return;
      const id = ids('alm');
      const body = JSON.stringify({ id, type, timestamp: isoNow(clock), data });
      await Promise.all(routes.map((way) => way.add({ id, type, body })));
    },
    idle: async () => void (await Promise.all(routes.map((way) => way.idle()))),
    async stop() {
      run.abort();
      await Promise.all(routes.map((way) => way.stop()));
      await sender.close();
    },
  };
}

/** A route for alarms, one at a time. */
interface AlarmRoute {
  /** Resolves as `raise` does. */
  add(alarm: Alarm): Promise<void>;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

function createRoute({ clock, log }: AlarmDeps, name: string, attempt: Attempt, signal: AbortSignal): AlarmRoute {
  const machine = machineClockOf(clock);
  const waiting: Alarm[] = [];
  let attempts = 0;
  let cancel = (): void => {};
  let working: Promise<void> | undefined;

  const begin = (): Promise<void> => {
    cancel();
    return (working ??= sendAll().finally(() => (working = undefined)));
  };
  const drop = (alarm: Alarm): void => {
    if (waiting[0] !== alarm) return;
    waiting.shift();
    attempts = 0;
  };
  const giveUp = (alarm: Alarm): void => {
    log({ level: 'error', event: 'alarm_given_up', by: name, alarm: alarm.type });
    drop(alarm);
  };

  async function sendAll(): Promise<void> {
    for (let alarm = waiting[0]; alarm && !signal.aborted; alarm = waiting[0]) {
      const problem = await attempt(alarm, signal);
      if (signal.aborted) return;
      if (problem === null) {
        drop(alarm);
        continue;
      }
      log({ level: 'warn', event: 'alarm_failed', by: name, alarm: alarm.type, problem });
      attempts += 1;
      if (attempts < maxAttempts) {
        cancel = machine.schedule(machine.now() + retryEvery, begin);
        return;
      }
      giveUp(alarm);
    }
  }

  return {
    add(alarm) {
      waiting.push(alarm);
      if (waiting.length > maxWaiting) giveUp(elementAt(waiting, 0));
      return begin();
    },
    idle: async () => working,
    async stop() {
      cancel();
      await working;
    },
  };
}

/** Runs the command for each alarm, and kills its process group after a timeout. Its output is ignored. */
const createCommandRunner =
  ({ clock }: AlarmDeps, command: string): Attempt =>
  async ({ body }, signal) => {
    const { child, kill } = startShellCommand(command, ['pipe', 'ignore', 'ignore']);
    let isLate = false;
    const machine = machineClockOf(clock);
    const cancel = machine.schedule(machine.now() + commandTime, () => {
      isLate = true;
      kill();
    });
    signal.addEventListener('abort', kill, { once: true });
    // A command need not read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(`${body}\n`);
    try {
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code === 0) return null;
      return isLate ? 'The command did not end in time.' : `The command ended with ${code ?? 'a signal'}.`;
    } catch {
      return 'The command could not be started.';
    } finally {
      cancel();
      signal.removeEventListener('abort', kill);
    }
  };
