/**
 * Adapts electron-updater to updates.ts. The package contains the update address (app-update.yml, written by
 * electron-builder). How a version is installed depends on the system and the kind of package, which the library
 * handles.
 */
import library from 'electron-updater';
import type { Updater } from './updates.ts';

/** Names of the version lists that electron-builder writes: latest.yml, beta.yml. */
const lists = { stable: 'latest', beta: 'beta' } as const;

export function createUpdater(): Updater {
  const { autoUpdater: updater } = library;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = true;
  // The library's log contains addresses and paths; callers report failures.
  updater.logger = null;
  return {
    async check(channel) {
      updater.channel = lists[channel];
      // Setting a channel would allow downgrades; a person who goes from beta to stable waits for the next stable
      // version.
      updater.allowDowngrade = false;
      const result = await updater.checkForUpdates();
      return result?.isUpdateAvailable === true ? result.updateInfo.version : undefined;
    },
    async download(signal) {
      const token = new library.CancellationToken();
      const cancel = (): void => token.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        await updater.downloadUpdate(token);
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
    installAtQuit(wanted) {
      updater.autoInstallOnAppQuit = wanted;
    },
    installNow: () => updater.quitAndInstall(true, true),
  };
}
