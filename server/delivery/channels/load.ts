/** Wires the parts that open channels and apply their messages. */
import type { LoopWatch } from '../../runtime/loop-watch.ts';
import { underLease } from '../../storage/members.ts';
import type { Part } from '../../storage/members.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { Targets } from '../webhooks/target.ts';
import type { ChannelReaders } from './receiving/channel-readers.ts';
import type { ChannelConfig, OpenChannel, Sender, StoredChannel, StoredMessage } from './channel.ts';
import type { AlarmChoice } from './alarms/alarm-choice.ts';
import { createAlarms } from './alarms/alarms.ts';
import type { Alarms } from './alarms/alarms.ts';
import { Dispatcher } from './sending/dispatcher.ts';
import { renderMessage } from './sending/render-message.ts';
import { createIntake } from './receiving/intake.ts';
import type { ChannelIntake } from './receiving/intake.ts';
import { createOperatorAlarm } from './alarms/operator-alarm.ts';
import { matchWaitingSteps } from './receiving/performed-steps.ts';
import { Runtime } from './runtime.ts';
import { findKind, toChannelConfig } from './settings.ts';
import type { OpeningDeps } from './settings.ts';
import { alertUnclaimedReports } from './sending/alert-unclaimed.ts';

export interface ChannelDeps
  extends
    Pick<DeliveryDeps, 'store' | 'members' | 'clock' | 'ids' | 'log' | 'workers' | 'templates' | 'letterheads'>,
    OpeningDeps {
  readonly random: () => number;
  /** Learns whose message is being applied. */
  readonly loop: Pick<LoopWatch, 'begin'>;
  readonly readers: ChannelReaders;
  /** Allowed addresses of webhooks. */
  readonly targets: Targets;
  /** How the operator is alerted. */
  readonly alarm: AlarmChoice;
}

export interface LoadedChannels {
  readonly runtime: Runtime;
  readonly readers: ChannelDeps['readers'];
  /** Rejects with AppError CONFIGURATION if the settings no longer fit the kind. */
  createIntake(channel: StoredChannel): ChannelIntake;
  /** The bytes that go out with the message, in the first format of its channel; `undefined`: it is not open, or none can go. */
  renderContent(message: StoredMessage): Promise<Uint8Array | undefined>;
  /** Opens all channels. Call it again if every document may have changed. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves once no channel is being opened or closed and no alarm is being inbound. */
  idle(): Promise<void>;
}

export function loadChannels(deps: ChannelDeps): LoadedChannels {
  const { store } = deps;
  const alerts = underLease(deps, 'alerts', (leased) => createAlerts({ ...deps, store: leased }));
  const createChannelIntake = (channel: ChannelConfig, intakeStore = store): ChannelIntake => {
    const intake = createIntake({ ...deps, store: intakeStore }, channel);
    return {
      ...intake,
      take(inbound) {
        deps.loop.begin({ call: 'channel message', channel: channel.name });
        return intake.take(inbound);
      },
    };
  };
  const createStoredIntake = (channel: StoredChannel): ChannelIntake =>
    createChannelIntake(toChannelConfig(findKind(channel.kind), channel, deps));
  const runtime = new Runtime({ ...deps, createIntake: createChannelIntake, dispatch: new Dispatcher(deps) });
  const retry = async ({ id, channel_id }: StoredMessage): Promise<void> => {
    const channel = await store.get('channels', channel_id);
    if (channel) await createStoredIntake(channel).retry(id);
  };
  let endMatching = async (): Promise<void> => {};
  return {
    runtime,
    readers: deps.readers,
    createIntake: createStoredIntake,
    async renderContent(message) {
      const sender = runtime.getOpenChannel(message.channel_id);
      if (!sender || !isSender(sender)) return undefined;
      const rendered = await renderMessage(deps, message, sender, AbortSignal.timeout(renderMs));
      const [content] = 'contents' in rendered ? rendered.contents : [];
      return content && (sender.toSentBytes?.(content) ?? content);
    },
    async start() {
      await endMatching();
      endMatching = matchWaitingSteps({ ...deps, retry });
      await runtime.start();
      await alerts.start();
    },
    async stop() {
      await alerts.stop();
      await runtime.stop();
      await endMatching();
    },
    async idle() {
      await runtime.idle();
      await alerts.idle();
    },
  };
}

/** For a person who looks at it. */
const renderMs = 20_000;
const isSender = (channel: OpenChannel): channel is Sender => 'formats' in channel;

/** Alerts the operator about silent and stuck channels, and about reports that no channel takes. */
function createAlerts(deps: ChannelDeps): Part & { idle(): Promise<void> } {
  let alarms: Alarms | undefined;
  let leave = (): void => {};
  return {
    async start() {
      if (!alarms) {
        const alarm = createOperatorAlarm(deps, deps.alarm);
        alarms = createAlarms({ ...deps, alarm });
        leave = alertUnclaimedReports(deps, alarm);
      }
      alarms.start();
    },
    async stop() {
      leave();
      await alarms?.stop();
      alarms = undefined;
    },
    idle: async () => alarms?.idle(),
  };
}
