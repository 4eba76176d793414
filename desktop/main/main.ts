/** The desktop app: one process with the app and the embedded server, and one window. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { AppError } from '../../src/contract/errors.ts';
import { systemClock } from '../../src/node/clock.ts';
import { dataDirectoryFor } from '../../src/node/lost-settings.ts';
import { userPaths } from '../../src/node/paths.ts';
import { recogniserKeeper } from '../../src/node/user-settings.ts';
import { choices, engineParts, storeParts } from '../../src/node/choices.ts';
import { readSettingsFiles, resolveSettings } from '../../src/node/settings.ts';
import { builtPage } from '../web/index.ts';
import { nearestLanguage } from './activity.ts';
import { linkAmong, linkedPlace, linkScheme } from './deep-link.ts';
import { registerScheme } from './protocol.ts';
import { openShell } from './shell.ts';
import { mayAsk } from './updates.ts';
import { words } from './shell-words.ts';

async function start(): Promise<void> {
  const { env, platform } = process;
  const paths = userPaths({ platform, env, home: homedir() });
  app.enableSandbox();
  registerScheme();
  // Windows shows notifications only of programs that it knows by this name (electron-builder.yml).
  if (platform === 'win32') app.setAppUserModelId('io.github.laudio.desktop');
  // Chromium's files are stored with our own state; the lock below depends on that.
  app.setPath('userData', join(paths.state, 'desktop'));
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  // A link may arrive before there is a window.
  let link = linkAmong(process.argv);
  let follow = (address: string): void => void (link = address);
  app.on('open-url', (event, address) => {
    event.preventDefault();
    follow(address);
  });
  await app.whenReady();
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
  // Uses only the person's configuration, not the project file of the directory in which the app was started.
  const home = homedir();
  const files = await readSettingsFiles(home, paths.config);
  const settings = resolveSettings({ flags: {}, env, cwd: home, files });
  const { values, origins } = settings;
  const shell = await openShell({
    platform,
    version: app.getVersion(),
    dataDirectory: await dataDirectoryFor(settings, paths),
    stateDirectory: paths.state,
    hasKeychain: values.credential_store === 'keychain',
    passphrase: env['LAUDIO_PASSPHRASE'],
    parts: {
      ...choices([...engineParts, ...storeParts], values, env),
      models: { env, keep: recogniserKeeper({ config: paths.config, clock: systemClock, origin: origins.recogniser }) },
    },
    page: builtPage,
    place: link === undefined ? undefined : linkedPlace(link),
    updater: (await hasUpdateAddress()) ? async () => (await import('./updater.ts')).createUpdater() : undefined,
  });
  follow = (address) => shell.show(linkedPlace(address));
  app.on('second-instance', (_event, args) => follow(linkAmong(args) ?? ''));
  app.on('activate', () => shell.show(undefined));
}

/** electron-builder stores the update address in the app's resources, if there is one. */
async function hasUpdateAddress(): Promise<boolean> {
  if (!app.isPackaged) return false;
  return mayAsk(await readFile(join(process.resourcesPath, 'app-update.yml'), 'utf8').catch(() => ''));
}

/** Shows why the app can't start, and exits. */
function fail(error: unknown): void {
  const known = error instanceof AppError ? error : undefined;
  const { notStarted } = words[nearestLanguage(app.getLocale())];
  dialog.showErrorBox('Laudio', known ? [known.message, known.hint].filter(Boolean).join('\n') : notStarted);
  app.quit();
}

// Not awaited: Electron becomes ready only after this module has been evaluated. Code that must run before that
// precedes the first await.
start().catch(fail);
