/** The window, and the guards around every page in it. */
import { fileURLToPath } from 'node:url';
import { BrowserWindow, screen, shell } from 'electron';
import type { App, BrowserWindowConstructorOptions, Session, WebContents } from 'electron';
import type { PermissionRequest } from './guards.ts';
import { isDictationDevice, isOwnPage, isPermitted, isReportPage, mayOpen, webPreferences } from './guards.ts';
import { placeWindow, smallest } from './window-state.ts';
import type { Rectangle, ShellState } from './window-state.ts';

/** Electron runs no TypeScript preload script: development uses the built one. */
export const builtPreload = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/desktop/preload.cjs' : '../preload.cjs', import.meta.url),
);

function chooseOptions(bounds: Rectangle | null, icon: string): BrowserWindowConstructorOptions {
  const { id } = screen.getPrimaryDisplay();
  const displays = screen.getAllDisplays().toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
  const place = placeWindow(
    bounds,
    displays.map(({ workArea }) => workArea),
  );
  return {
    title: 'Laudio',
    ...place,
    minWidth: Math.min(smallest.width, place.width),
    minHeight: Math.min(smallest.height, place.height),
    // Dark until the page is shown, so that nothing flashes in a reading room.
    backgroundColor: '#141717',
    icon,
    webPreferences: { ...webPreferences, preload: builtPreload },
  };
}

/** Creates the first window; the caller loads its page once the app can serve it. */
export function createWindow({ bounds, maximized }: ShellState, icon: string): BrowserWindow {
  const window = new BrowserWindow({ ...chooseOptions(bounds, icon), show: false });
  if (maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  return window;
}

export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/**
 * Every window shows only our own page, and opens no other window than the one for the report, with `reportBounds`. Links
 * lead to `exits`, in the person's browser or viewer.
 */
export function guardPages(app: App, exits: Exits, reportBounds: () => Rectangle | null, icon: string): void {
  app.on('web-contents-created', (_event, contents) => {
    guardPage(contents, exits);
    contents.setWindowOpenHandler(({ url }) => {
      if (isReportPage(url))
        return { action: 'allow', overrideBrowserWindowOptions: chooseOptions(reportBounds(), icon) };
      leavePage(exits, url);
      return { action: 'deny' };
    });
  });
}

/** Where links may lead. */
export interface Exits {
  readonly hosts: () => readonly string[];
  /** Whether the operator named a viewer with such an address. */
  readonly isImages: (address: string) => Promise<boolean>;
}

function leavePage({ hosts, isImages }: Exits, address: string): void {
  const open = (): void => void shell.openExternal(address).catch(() => undefined);
  if (mayOpen(address, hosts())) return open();
  void isImages(address).then(
    (isAllowed) => isAllowed && open(),
    () => undefined,
  );
}

function guardPage(contents: WebContents, exits: Exits): void {
  const guard = (event: { preventDefault(): void; readonly url: string }): void => {
    if (isOwnPage(event.url)) return;
    event.preventDefault();
    leavePage(exits, event.url);
  };
  contents.on('will-navigate', guard);
  contents.on('will-redirect', guard);
  contents.on('will-frame-navigate', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** Both handlers are needed: some features only check a permission, others also ask for it. */
export function guardPermissions(session: Session): void {
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) =>
    isPermitted({
      permission,
      origin: details.securityOrigin ?? requestingOrigin,
      mainFrame: details.isMainFrame,
      media: details.mediaType === undefined ? [] : [details.mediaType],
    }),
  );
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const request: PermissionRequest = {
      permission,
      origin: 'securityOrigin' in details ? details.securityOrigin : details.requestingUrl,
      mainFrame: details.isMainFrame,
      media: ('mediaTypes' in details ? details.mediaTypes : undefined) ?? [],
    };
    answer(isPermitted(request));
  });
  const isKnown = (deviceType: string, origin: string, device: object): boolean =>
    isDictationDevice({ deviceType, origin, vendorId: 'vendorId' in device ? (device.vendorId as number) : undefined });
  session.setDevicePermissionHandler(({ deviceType, origin, device }) => isKnown(deviceType, origin, device));
  // Electron shows no device chooser; the connected dictation device is the right one.
  session.on('select-hid-device', (event, { deviceList, frame }, choose) => {
    event.preventDefault();
    choose(deviceList.find((device) => isKnown('hid', frame?.origin ?? '', device))?.deviceId);
  });
}
