/** folder-out: documents as files in a folder. */
import { channelKind } from '../../channel.ts';
import { folderOutSettings } from './settings.ts';

export const folderOut = channelKind({
  direction: 'out',
  title: 'Writes each document as a file into a folder, of any export format',
  settings: folderOutSettings,
  open: async (channel) => (await import('./written-folder.ts')).openFolder(channel),
});
