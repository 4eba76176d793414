/**
 * Adapts electron-updater to updates.ts. The package holds the address to ask (app-update.yml, written by
 * electron-builder); how a version is installed depends on the system and the kind of package, and is the library's
 * business.
 */
import library from 'electron-updater';
import type { Updater } from './updates.ts';

/** Names of the lists of versions that electron-builder writes: latest.yml, beta.yml. */
const lists = { stable: 'latest', beta: 'beta' } as const;

export function createUpdater(): Updater {
  const { autoUpdater: updater } = library;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = true;
  // The log of the library has addresses and paths; callers report failures themselves.
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
