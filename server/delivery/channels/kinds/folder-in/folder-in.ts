/** folder-in: worklist files that another system puts into a folder. */
import { channelKind } from '../../channel.ts';
import { folderInSettings } from './settings.ts';

export const folderIn = channelKind({
  direction: 'in',
  title: 'Imports worklist files of any format that another system puts into a folder',
  settings: folderInSettings,
  open: async (channel, deps) => (await import('./watched-folder.ts')).openFolder(channel, deps),
});
