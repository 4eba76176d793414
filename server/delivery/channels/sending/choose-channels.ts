/** Finds the channels that send a report: outbound ones whose routing accepts it. */
import type { ChooseChannels } from '../../../records/deps.ts';
import { channelKinds } from '../registry.ts';
import { takesReport } from './routing.ts';

export const chooseChannels: ChooseChannels = async (channels, { status, exam }) => {
  const all = channels.filter(({ kind }) => channelKinds[kind]?.direction === 'out');
  return { all, taking: all.filter(({ settings }) => takesReport(settings, status, exam)) };
};
