/** folder-in: any worklist file that another system lays into a folder. */
import { channelKind } from '../../channel.ts';
import { folderInSettings } from './settings.ts';

export const folderIn = channelKind({
  direction: 'in',
  title: 'Takes the worklist files that another system lays into a folder, of any format',
  settings: folderInSettings,
  open: async (channel, deps) => (await import('./watched-folder.ts')).openFolder(channel, deps),
});
