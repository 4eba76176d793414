/** Puts together what opens channels, and what takes over what comes in by them. */
import type { LoopWatch } from '../loop-watch.ts';
import type { Services } from '../services.ts';
import type { Readers } from '../workers/readers.ts';
import type { OpenedChannel, StoredChannel } from './channel.ts';
import { Dispatcher } from './dispatcher.ts';
import { createIntake } from './intake.ts';
import type { ChannelIntake } from './intake.ts';
import { Runtime } from './runtime.ts';
import { kindNamed, openable } from './settings.ts';
import type { OpeningDeps } from './settings.ts';

export interface ChannelDeps
  extends Pick<Services, 'store' | 'clock' | 'ids' | 'log' | 'workers' | 'templates' | 'letterheads'>, OpeningDeps {
  readonly random: () => number;
  /** Is told whose message is taken over. */
  readonly loop: Pick<LoopWatch, 'begin'>;
  readonly readers: Readers;
}

export interface LoadedChannels {
  readonly runtime: Runtime;
  /** Rejects with AppError CONFIGURATION where the settings no longer suit the kind. */
  intakeOf(channel: StoredChannel): ChannelIntake;
}

export function loadChannels(deps: ChannelDeps): LoadedChannels {
  deps.store.subscribe('untaken', (reports) => {
    for (const { id } of reports) deps.log({ level: 'warn', event: 'report_taken_by_no_channel', record_id: id });
  });
  const intakeOf = (channel: OpenedChannel): ChannelIntake => {
    const intake = createIntake(deps, channel);
    return {
      ...intake,
      take(sent) {
        deps.loop.begin({ call: 'channel message', channel: channel.name });
        return intake.take(sent);
      },
    };
  };
  return {
    runtime: new Runtime({
      ...deps,
      intakeOf,
      dispatch: new Dispatcher(deps),
    }),
    intakeOf: (channel) => intakeOf(openable(kindNamed(channel.kind), channel, deps)),
  };
}
