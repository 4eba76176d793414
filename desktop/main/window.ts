/** The window, and the guards around every page in it. */
import { fileURLToPath } from 'node:url';
import { BrowserWindow, screen, shell } from 'electron';
import type { App, Session, WebContents } from 'electron';
import type { PermissionRequest } from './guards.ts';
import { isDictationDevice, isOwnPage, isPermitted, mayOpen, webPreferences } from './guards.ts';
import { placeWindow, smallest } from './window-state.ts';
import type { ShellState } from './window-state.ts';

/** Electron runs no TypeScript preload script: development uses the built one. */
const builtPreload = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/desktop/preload.cjs' : '../preload.cjs', import.meta.url),
);

/** Creates the only window; the caller loads its page once the app can serve it. */
export function createWindow({ bounds, maximized }: ShellState, icon: string): BrowserWindow {
  const { id } = screen.getPrimaryDisplay();
  const displays = screen.getAllDisplays().toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
  const place = placeWindow(
    bounds,
    displays.map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    title: 'Laudio',
    ...place,
    minWidth: Math.min(smallest.width, place.width),
    minHeight: Math.min(smallest.height, place.height),
    show: false,
    // Dark until the page is shown, so that nothing flashes in a reading room.
    backgroundColor: '#141717',
    icon,
    webPreferences: { ...webPreferences, preload: builtPreload },
  });
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
 * Every window shows only our own page, and no page opens another window. Links lead to `exits`, in the person's browser
 * or viewer.
 */
export function guardPages(app: App, exits: Exits): void {
  app.on('web-contents-created', (_event, contents) => guardPage(contents, exits));
}

/** Where links may lead. */
export interface Exits {
  readonly hosts: () => readonly string[];
  /** Whether the operator named a viewer with such an address. */
  readonly isImages: (address: string) => Promise<boolean>;
}

function guardPage(contents: WebContents, { hosts, isImages }: Exits): void {
  const open = (address: string): void => void shell.openExternal(address).catch(() => undefined);
  const leave = (address: string): void => {
    if (mayOpen(address, hosts())) return open(address);
    void isImages(address).then(
      (isAllowed) => isAllowed && open(address),
      () => undefined,
    );
  };
  const guard = (event: { preventDefault(): void; readonly url: string }): void => {
    if (isOwnPage(event.url)) return;
    event.preventDefault();
    leave(event.url);
  };
  contents.on('will-navigate', guard);
  contents.on('will-redirect', guard);
  contents.on('will-frame-navigate', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    leave(url);
    return { action: 'deny' };
  });
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
