/** The app, its window and what the system adds to them, joined. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { app, dialog, Notification, powerMonitor, session, shell } from 'electron';
import type { BrowserWindow } from 'electron';
import { AppError } from '../../src/contract/errors.ts';
import type { Language } from '../../src/contract/shared.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createKeychain } from '../../src/node/keychain.ts';
import { jsonFile } from '../app/json-file.ts';
import type { Log } from '../app/service.ts';
import { followApp, nearestLanguage } from './activity.ts';
import type { Activity, FollowedApp } from './activity.ts';
import { createCalls } from './calls.ts';
import { addressOfExam } from './deep-link.ts';
import { mayLogIn } from './guards.ts';
import { shouldLock } from './idle-lock.ts';
import { serveBridge } from './ipc.ts';
import { launchUtility } from './keychain-launcher.ts';
import type { Command } from './menu-template.ts';
import { openApp } from './open-app.ts';
import type { AppOptions } from './open-app.ts';
import { createPageAnswer } from './page-answer.ts';
import { serveScheme } from './protocol.ts';
import { closingMeans, quitSafely } from './quit.ts';
import type { Quitting } from './quit.ts';
import { createSurroundings } from './surroundings.ts';
import { iconPath } from './tray.ts';
import { createUpdates } from './updates.ts';
import type { Updater } from './updates.ts';
import { bringToFront, createWindow, guardPages, guardPermissions } from './window.ts';
import { atFirst, ShellState } from './window-state.ts';
import { words } from './shell-words.ts';

export interface ShellOptions {
  readonly platform: NodeJS.Platform;
  readonly version: string;
  readonly dataDirectory: string;
  readonly stateDirectory: string;
  /** Whether the person's tokens go to the system's keychain. */
  readonly hasKeychain: boolean;
  /** Of a data directory that was encrypted with one. */
  readonly passphrase: string | undefined;
  /** Of the embedded server; what is not chosen is the server's to choose. */
  readonly parts: AppOptions['parts'];
  /** The directory of the built page. */
  readonly page: string;
  /** The exam to begin with. */
  readonly exam: string | undefined;
  /** Absent where the package names no place to ask for newer versions. */
  readonly updater: (() => Promise<Updater>) | undefined;
}

export interface Shell {
  /** Brings the window to the front, at an exam or as it is. */
  show(exam: string | undefined): void;
}

/** Milliseconds that the page has for its last block when the app ends. */
const pagePatience = 2000;
/** Milliseconds that an installer has to end the app by itself. */
const installerPatience = 30_000;
/** Before the app is there. */
const nothing: Activity = { session: undefined, recording: [], settings: undefined };
/** Milliseconds between two looks at whether somebody is there. */
const idleCheck = 5000;

/** One line each, for whoever started the app in a terminal: codes and ids, never patient data. */
const log: Log = (entry) => void process.stderr.write(`${JSON.stringify(entry)}\n`);

export async function openShell(options: ShellOptions): Promise<Shell> {
  const file = jsonFile(join(options.stateDirectory, 'desktop', 'window.json'), ShellState);
  const remembered = (await file.read()) ?? atFirst;
  let followed: FollowedApp | undefined;
  const activity = (): Activity => followed?.activity ?? nothing;
  const language = (): Language => activity().settings?.locale ?? remembered.locale ?? nearestLanguage(app.getLocale());

  guardPermissions(session.defaultSession);
  guardPages(app, () => hostsOf(activity()));
  const window = createWindow(remembered, iconPath('icon'));
  const show = (exam: string | undefined): void => {
    bringToFront(window);
    const address = addressOfExam(exam);
    if (exam !== undefined && window.webContents.getURL() !== address)
      void window.loadURL(address).catch(() => undefined);
  };
  const run = (command: Command): void => {
    if (command === 'show') show(undefined);
    else if (command === 'quit') app.quit();
    else if (command === 'update') updates.restart();
    else if (command === 'lock') void followed?.call('session.lock', {}).catch(() => undefined);
    else line.tell('action', command);
  };
  const surroundings = createSurroundings(options.platform, run);
  const updates = await createUpdates({
    clock: systemClock,
    log,
    path: join(options.stateDirectory, 'desktop', 'updates.json'),
    updater: options.updater,
    isRecording: () => activity().recording.length > 0,
    whenSealed: async () => followed?.whenSealed(),
    onChange(state) {
      line.tell('updates', state);
      showAround();
    },
    quit: () => app.quit(),
  });
  const showAround = (): void => surroundings.show(activity(), language(), updates.state.phase === 'ready');
  showAround();

  const opened = await openApp({
    ...options,
    clock: systemClock,
    log,
    keychain: options.hasKeychain ? createKeychain(systemClock, launchUtility) : undefined,
    async openBrowser(url) {
      if (!mayLogIn(url)) throw new AppError('CONFIGURATION', { message: 'The service names no page to log in at.' });
      await shell.openExternal(url);
    },
    onLoggedIn: () => show(undefined),
    updates,
  });
  const running = (followed = followApp(opened.app, {
    changed() {
      showAround();
      updates.recordingChanged();
    },
    documentReady: ({ item_id: exam }) => tellReady(window, language(), () => show(exam)),
  }));
  const calls = createCalls({ app: running, log });
  serveScheme(await createPageAnswer({ page: options.page, app: running, log }));
  const line = serveBridge(window.webContents, running, calls);

  const quitting = quitSafely(app, {
    mayQuit: () => askToQuit(window, activity(), language()),
    async close() {
      const { bounds, maximized } = placeOf(window);
      await file
        .write({ bounds, maximized, locale: language(), ...(!opened.isEncrypted && { told_unencrypted: true }) })
        .catch(() => log({ level: 'warn', event: 'window_not_remembered' }));
      // The page pauses by itself, so that its last words arrive. One that hangs loses a block at most.
      if (activity().recording.length > 0) line.tell('action', { action: 'record' });
      await Promise.race([running.whenQuiet(), setTimeout(pagePatience)]);
      window.destroy();
      await calls.settled();
      await running.pauseAll();
      surroundings.close();
      updates.close();
      await opened.close();
    },
    finish() {
      const isInstalling = updates.finish();
      // Without its window the app must not stay, whatever becomes of the installer.
      if (isInstalling) void setTimeout(installerPatience).then(() => app.quit());
      return isInstalling;
    },
    failed: (error) =>
      log({ level: 'error', event: 'not_closed', code: error instanceof AppError ? error.code : 'INTERNAL_ERROR' }),
  });
  followWindow(window, options.platform, quitting, language);
  followPower(running, quitting);

  await window.loadURL(addressOfExam(options.exam));
  await running.refresh().catch(() => undefined);
  updates.start();
  if (!opened.isEncrypted && !remembered.told_unencrypted) {
    const { unencrypted: message, unencryptedDetail: detail } = words[language()];
    void dialog.showMessageBox(window, { type: 'warning', message, detail });
  }
  return { show };
}

/** The service that somebody is logged in to is the only one that links may lead to. */
function hostsOf({ session: state }: Activity): readonly string[] {
  const url = URL.parse(state?.server ?? '');
  return url ? [url.host] : [];
}

const placeOf = (window: BrowserWindow): Pick<ShellState, 'bounds' | 'maximized'> => ({
  bounds: window.getNormalBounds(),
  maximized: window.isMaximized(),
});

/** Says nothing about whose it is: it may be read by anybody who passes. */
function tellReady(window: BrowserWindow, language: Language, open: () => void): void {
  if (window.isFocused() || !Notification.isSupported()) return;
  const { documentReady: title, documentReadyBody: body } = words[language];
  const notification = new Notification({ title, body });
  notification.on('click', open);
  notification.show();
}

async function askToQuit(window: BrowserWindow, { recording }: Activity, language: Language): Promise<boolean> {
  if (recording.length === 0) return true;
  const { quitRecording, quitRecordingDetail, quitAnyway, keepRecording } = words[language];
  bringToFront(window);
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: quitRecording,
    detail: quitRecordingDetail,
    buttons: [quitAnyway, keepRecording],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

function followWindow(
  window: BrowserWindow,
  platform: NodeJS.Platform,
  quitting: Quitting,
  language: () => Language,
): void {
  window.on('close', (event) => {
    if (quitting.isAgreed) return;
    event.preventDefault();
    if (closingMeans(platform) === 'hide') window.hide();
    else app.quit();
  });
  // What the page would ask before it goes has been asked by the app.
  window.webContents.on('will-prevent-unload', (event) => {
    if (quitting.isAgreed) event.preventDefault();
  });
  // Windows is about to end the session, and waits for nobody.
  window.on('session-end', () => quitting.now());
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (quitting.isAgreed || reason === 'clean-exit') return;
    log({ level: 'error', event: 'page_gone', reason });
    window.webContents.reload();
    const { pageGone: message, pageGoneDetail: detail } = words[language()];
    void dialog.showMessageBox(window, { type: 'warning', message, detail });
  });
}

function followPower(followed: FollowedApp, quitting: Quitting): void {
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    quitting.now();
  });
  setInterval(() => {
    const { session: state, recording, settings } = followed.activity;
    const idle = {
      phase: state?.phase ?? 'logged-out',
      recording: recording.length > 0,
      idleSeconds: powerMonitor.getSystemIdleTime(),
      minutes: settings?.lock_after_minutes ?? 0,
    };
    if (shouldLock(idle)) void followed.call('session.lock', {}).catch(() => undefined);
  }, idleCheck).unref();
}
