/** What electron-updater is told; the library itself is not under test. */
import { beforeEach, expect, test, vi } from 'vitest';

const library = vi.hoisted(() => {
  class CancellationToken {
    cancelled = false;
    cancel = () => (this.cancelled = true);
  }
  const autoUpdater = {
    autoDownload: true,
    autoInstallOnAppQuit: false,
    allowDowngrade: false,
    logger: console as unknown,
    asked: '',
    set channel(name: string) {
      autoUpdater.asked = name;
      autoUpdater.allowDowngrade = true;
    },
    checkForUpdates: vi.fn(),
    downloadUpdate: vi.fn(),
    quitAndInstall: vi.fn(),
  };
  return { autoUpdater, CancellationToken };
});
vi.mock('electron-updater', () => ({ default: library }));

const { createUpdater } = await import('../../../desktop/main/updater.ts');
const { autoUpdater } = library;

beforeEach(() => vi.resetAllMocks());

test('nothing is fetched unasked, and nothing goes back to an older version', async () => {
  const updater = createUpdater();
  expect(autoUpdater).toMatchObject({ autoDownload: false, autoInstallOnAppQuit: true, logger: null });
  autoUpdater.checkForUpdates.mockResolvedValueOnce({ isUpdateAvailable: true, updateInfo: { version: '0.2.0' } });
  expect(await updater.check('stable')).toBe('0.2.0');
  expect([autoUpdater.asked, autoUpdater.allowDowngrade]).toEqual(['latest', false]);

  autoUpdater.checkForUpdates.mockResolvedValueOnce({ isUpdateAvailable: false, updateInfo: { version: '0.1.0' } });
  expect(await updater.check('beta')).toBeUndefined();
  expect(autoUpdater.asked).toBe('beta');
  // Not packaged, or a kind of package that the library does not know.
  autoUpdater.checkForUpdates.mockResolvedValueOnce(null);
  expect(await updater.check('beta')).toBeUndefined();
});

test('a download stops on request', async () => {
  const stop = new AbortController();
  const downloading = Promise.withResolvers<string[]>();
  autoUpdater.downloadUpdate.mockReturnValueOnce(downloading.promise);
  const download = createUpdater().download(stop.signal);
  const token = autoUpdater.downloadUpdate.mock.lastCall?.[0] as InstanceType<typeof library.CancellationToken>;
  expect(token.cancelled).toBe(false);
  stop.abort();
  expect(token.cancelled).toBe(true);
  downloading.reject(new Error('cancelled'));
  await expect(download).rejects.toThrow('cancelled');
});

test('installing starts the new version again', () => {
  const updater = createUpdater();
  updater.installAtQuit(false);
  expect(autoUpdater.autoInstallOnAppQuit).toBe(false);
  updater.installNow();
  expect(autoUpdater.quitAndInstall).toHaveBeenCalledWith(true, true);
});
