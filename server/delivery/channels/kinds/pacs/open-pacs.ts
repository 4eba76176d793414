/** Opens a channel that asks a PACS. */
import type { ChannelConfig, InboundDeps, OpenChannel } from '../../channel.ts';
import { startPoller } from '../../poller.ts';
import { PacsQuestions } from './questions.ts';
import type { Pacs } from './pacs.ts';
import type { PacsSettings } from './settings.ts';

export function openPacs(channel: ChannelConfig<PacsSettings>, pacs: Pacs, deps: InboundDeps): OpenChannel {
  const questions = new PacsQuestions(channel, pacs, deps);
  const poller = startPoller(deps, {
    channel: channel.name,
    seconds: channel.settings.interval_seconds ?? 300,
    failure: { event: 'pacs_not_asked', message: 'The PACS could not be asked.' },
    async poll(signal) {
      if (await questions.poll(signal)) poller.pollSoon();
      return null;
    },
  });
  const unwatch = deps.intake.watchExams((ids) => {
    questions.noteChanged(ids);
    poller.pollSoon();
  });
  return {
    address: pacs.address,
    test: (signal) => pacs.test(signal),
    async close() {
      unwatch();
      await poller.close();
      await pacs.close();
    },
  };
}
