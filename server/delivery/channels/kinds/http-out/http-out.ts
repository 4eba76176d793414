/** http-out: documents to a URL, by HTTP. */
import { channelKind } from '../../channel.ts';
import { httpOutSettings } from './settings.ts';

export const httpOut = channelKind({
  direction: 'out',
  title: 'Sends each document to a URL by POST or PUT, in any export format',
  settings: httpOutSettings,
  open: async (channel, deps) => (await import('./requests.ts')).openRequests(channel, deps),
});
