/** Connects the app, its window, and the system's menus, tray and hotkeys. */
import { appMessage } from '../../src/contract/messages/app.ts';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { app, dialog, Notification, powerMonitor, session, shell } from 'electron';
import type { BrowserWindow } from 'electron';
import { AppError } from '../../src/contract/errors.ts';
import type { Language } from '../../src/contract/shared.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createKeychain } from '../../src/node/login/keychain.ts';
import { jsonFile } from '../app/json-file.ts';
import type { Log } from '../app/service.ts';
import { followApp, mayDictateAnywhere, nearestLanguage } from './activity.ts';
import type { Activity, FollowedApp } from './activity.ts';
import { createAnywhere } from './anywhere.ts';
import { openSmallWindow, pressPaste, systemClipboard } from './anywhere-window.ts';
import { createCalls } from './calls.ts';
import { isViewerAddress } from '../../src/domain/viewer-address.ts';
import type { CallOutput } from '../bridge/calls.ts';
import { pageAddress } from './deep-link.ts';
import { mayLogIn } from './guards.ts';
import { shouldLock } from './idle-lock.ts';
import { serveBridge } from './ipc.ts';
import { launchUtility } from './keychain-launcher.ts';
import type { Command } from './menu-template.ts';
import { launchUtilityProcess } from './process-launcher.ts';
import { openApp } from './open-app.ts';
import type { AppOptions } from './open-app.ts';
import { createPageAnswer } from './page-answer.ts';
import { serveScheme } from './protocol.ts';
import { closingMeans, quitSafely } from './quit.ts';
import type { Quitting } from './quit.ts';
import { createSystemIntegration } from './system-integration.ts';
import { iconPath } from './tray.ts';
import { createUpdates } from './updates.ts';
import type { Updater } from './updates.ts';
import { bringToFront, createWindow, guardPages, guardPermissions } from './window.ts';
import type { Exits } from './window.ts';
import { atFirst, ShellState } from './window-state.ts';
import type { Rectangle } from './window-state.ts';
import { words } from './shell-words.ts';

export interface ShellOptions {
  readonly platform: NodeJS.Platform;
  readonly version: string;
  readonly dataDirectory: string;
  readonly stateDirectory: string;
  /** Whether tokens are stored in the system's keychain. */
  readonly hasKeychain: boolean;
  /** The passphrase of a data directory that was encrypted with one. */
  readonly passphrase: string | undefined;
  /** Options of the embedded server, which chooses those that are omitted. */
  readonly parts: AppOptions['parts'];
  /** Directory of the built page. */
  readonly page: string;
  /** The place in the page to show first. */
  readonly place: string | undefined;
  /** Absent if the package has no update address. */
  readonly updater: (() => Promise<Updater>) | undefined;
}

export interface Shell {
  /** Brings the window to the front, at a place or unchanged. */
  show(place: string | undefined): void;
}

/** Milliseconds that the page has to send its last block when the app quits. */
const pagePatience = 2000;
/** Milliseconds that an installer has to quit the app. */
const installerPatience = 30_000;
/** The activity before the app is open. */
const nothing: Activity = { session: undefined, recording: [], settings: undefined };
/** Interval of the idle check, in ms. */
const idleCheck = 5000;

/** Logs one line per failure to the terminal: codes and ids, never patient data. */
const log: Log = (entry) => void process.stderr.write(`${JSON.stringify(entry)}\n`);

export async function openShell(options: ShellOptions): Promise<Shell> {
  const file = jsonFile(join(options.stateDirectory, 'desktop', 'window.json'), ShellState);
  const remembered = (await file.read()) ?? atFirst;
  let followed: FollowedApp | undefined;
  const activity = (): Activity => followed?.activity ?? nothing;
  const language = (): Language => activity().settings?.locale ?? remembered.locale ?? nearestLanguage(app.getLocale());

  guardPermissions(session.defaultSession);
  const icon = iconPath('icon');
  let reportBounds = remembered.report ?? null;
  const exits: Exits = {
    hosts: () => listHosts(activity()),
    async isImages(address) {
      const answer = (await followed?.call('viewers.list', {})) as CallOutput<'viewers.list'> | undefined;
      return answer?.items.some((viewer) => isViewerAddress(viewer, address)) === true;
    },
  };
  guardPages(app, exits, () => reportBounds, icon);
  const window = createWindow(remembered, icon);
  const show = (place: string | undefined): void => showPlace(window, place);
  const run = (command: Command): void => {
    if (command === 'show') show(undefined);
    else if (command === 'quit') app.quit();
    else if (command === 'update') updates.restart();
    else if (command === 'lock') void followed?.call('session.lock', {}).catch(() => undefined);
    else if (command.action === 'anywhere') anywhere.press();
    else line.emit('action', command);
  };
  const anywhere = createAnywhere({
    open: (closed) => openAnywhere(bridge, closed),
    clipboard: systemClipboard,
    paste: () => pressPaste(options.platform),
  });
  const surroundings = createSystemIntegration(options.platform, run);
  const updates = await createUpdates({
    clock: systemClock,
    log,
    path: join(options.stateDirectory, 'desktop', 'updates.json'),
    updater: options.updater,
    isRecording: () => activity().recording.length > 0,
    whenSealed: async () => followed?.whenSealed(),
    onChange(state) {
      line.emit('updates', state);
      showAround();
    },
    quit: () => app.quit(),
  });
  const showAround = (): void => surroundings.show(activity(), language(), updates.state.phase === 'ready');
  showAround();

  const opened = await openApp({
    ...options,
    parts: { ...options.parts, launch: launchUtilityProcess },
    clock: systemClock,
    log,
    keychain: options.hasKeychain
      ? createKeychain({ clock: systemClock, stateDirectory: options.stateDirectory, launch: launchUtility })
      : undefined,
    async openBrowser(url) {
      if (!mayLogIn(url)) throw new AppError('CONFIGURATION', { message: appMessage('no_login_page') });
      await shell.openExternal(url);
    },
    onLoggedIn: () => show(undefined),
    updates,
    insertion: anywhere,
  });
  const running = (followed = followApp(opened.app, {
    changed() {
      showAround();
      updates.recordingChanged();
      if (!mayDictateAnywhere(activity())) anywhere.close();
    },
    documentReady: ({ item_id: exam }) => notifyReady(window, language(), () => show(`/exam/${exam}`)),
  }));
  const calls = createCalls({ app: running, log });
  serveScheme(await createPageAnswer({ page: options.page, app: running, log }));
  const bridge = serveBridge(running, calls);
  const line = bridge.add(window.webContents);
  followReport(window, bridge, (bounds) => (reportBounds = bounds));

  const quitting = quitSafely(app, {
    mayQuit: () => askToQuit(window, activity(), language()),
    async close() {
      const { bounds, maximized } = placeOf(window);
      await file
        .write({
          bounds,
          maximized,
          locale: language(),
          ...(!opened.isEncrypted && { told_unencrypted: true }),
          ...(reportBounds && { report: reportBounds }),
        })
        .catch(() => log({ level: 'warn', event: 'window_not_remembered' }));
      // The page pauses, so that its last audio arrives. A hung page loses at most one block.
      if (activity().recording.length > 0) line.emit('action', { action: 'record' });
      await Promise.race([running.whenQuiet(), setTimeout(pagePatience)]);
      anywhere.close();
      window.destroy();
      await calls.settled();
      await anywhere.settled();
      await running.pauseAll();
      surroundings.close();
      updates.close();
      await opened.close();
    },
    finish() {
      const isInstalling = updates.finish();
      // The app must not stay without its window, whatever the installer does.
      if (isInstalling) void setTimeout(installerPatience).then(() => app.quit());
      return isInstalling;
    },
    failed: (error) =>
      log({ level: 'error', event: 'not_closed', code: error instanceof AppError ? error.code : 'INTERNAL_ERROR' }),
  });
  followWindow(window, options.platform, quitting, language);
  followPower(running, quitting, anywhere);

  await window.loadURL(pageAddress(options.place));
  await running.refresh().catch(() => undefined);
  updates.start();
  if (!opened.isEncrypted && !remembered.told_unencrypted) warnUnencrypted(window, language());
  return { show };
}

function showPlace(window: BrowserWindow, place: string | undefined): void {
  bringToFront(window);
  const address = pageAddress(place);
  if (place !== undefined && window.webContents.getURL() !== address)
    void window.loadURL(address).catch(() => undefined);
}

function warnUnencrypted(window: BrowserWindow, language: Language): void {
  const { unencrypted: message, unencryptedDetail: detail } = words[language];
  void dialog.showMessageBox(window, { type: 'warning', message, detail });
}

type PageBridge = ReturnType<typeof serveBridge>;

/** Serves the window of the report, and keeps its place. */
function followReport(window: BrowserWindow, bridge: PageBridge, keep: (bounds: Rectangle) => void): void {
  window.webContents.on('did-create-window', (report) => {
    bridge.add(report.webContents);
    const keepPlace = (): void => keep(report.getNormalBounds());
    report.on('resize', keepPlace);
    report.on('move', keepPlace);
  });
}

/** Opens the small window that dictates into other programs. */
function openAnywhere(bridge: PageBridge, closed: () => void) {
  const small = openSmallWindow(closed);
  const page = bridge.add(small.webContents);
  return { press: () => page.emit('action', { action: 'anywhere' }), close: () => small.destroy() };
}

/** Links may lead only to the service to which the person is logged in. */
function listHosts({ session: state }: Activity): readonly string[] {
  const url = URL.parse(state?.server ?? '');
  return url ? [url.host] : [];
}

const placeOf = (window: BrowserWindow): Pick<ShellState, 'bounds' | 'maximized'> => ({
  bounds: window.getNormalBounds(),
  maximized: window.isMaximized(),
});

/** Names no patient: any passer-by may read the notification. */
function notifyReady(window: BrowserWindow, language: Language, open: () => void): void {
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
  // The app has already asked the question that the page would ask before closing.
  window.webContents.on('will-prevent-unload', (event) => {
    if (quitting.isAgreed) event.preventDefault();
  });
  // Windows is about to end the session and does not wait.
  window.on('session-end', () => quitting.now());
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (quitting.isAgreed || reason === 'clean-exit') return;
    log({ level: 'error', event: 'page_gone', reason });
    window.webContents.reload();
    const { pageGone: message, pageGoneDetail: detail } = words[language()];
    void dialog.showMessageBox(window, { type: 'warning', message, detail });
  });
}

function followPower(followed: FollowedApp, quitting: Quitting, anywhere: { readonly isOpen: boolean }): void {
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    quitting.now();
  });
  setInterval(() => {
    const { session: state, recording, settings } = followed.activity;
    const idle = {
      phase: state?.phase ?? 'logged-out',
      recording: recording.length > 0 || anywhere.isOpen,
      idleSeconds: powerMonitor.getSystemIdleTime(),
      minutes: settings?.lock_after_minutes ?? 0,
    };
    if (shouldLock(idle)) void followed.call('session.lock', {}).catch(() => undefined);
  }, idleCheck).unref();
}
