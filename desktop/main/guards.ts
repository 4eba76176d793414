/**
 * What a window and its page may do, decided without Electron. The page is ours under `laudio://app`; everything else is
 * foreign (Electron's security checklist 4, 5, 13, 14, 15, 17).
 */
import { isUnencrypted } from '../../src/client/address.ts';
import { ipc } from '../bridge/carriers.ts';

/** Web preferences of every window: the page is a web page and nothing more. */
export const webPreferences = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  allowRunningInsecureContent: false,
  navigateOnDragDrop: false,
  // A dictionary would be downloaded from elsewhere.
  spellcheck: false,
  // The app tells of documents itself, also when the page is asleep.
  disableBlinkFeatures: 'Notifications',
  // A recording goes on behind other windows.
  backgroundThrottling: false,
} as const;

/** A frame that asks. */
export interface Frame {
  readonly origin: string;
  /** The top frame of our window. */
  readonly isMain: boolean;
}

export const isOwnFrame = (frame: Frame | undefined): boolean =>
  frame !== undefined && frame.isMain && isOwn(frame.origin);

/** Whether the window may go to an address by itself. */
export const isOwnPage = (address: string): boolean => isOwn(address);

/** Schemes of our own have an opaque origin in Node's URL; the browser's has none of `user@` and port. */
function isOwn(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && `${url.protocol}//${url.host}` === ipc.origin && url.username === '' && url.password === '';
}

/**
 * Whether an address may be opened in the person's browser: https at a host that the app has to do with, so that no link
 * starts a program or leads elsewhere. `hosts`: with their ports, where these are not the usual ones.
 */
export function mayOpen(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address);
  return (
    url !== null && url.protocol === 'https:' && url.username === '' && url.password === '' && hosts.includes(url.host)
  );
}

/** Whether a login may go there: to a service by https, or to a server on this computer (RFC 8252 8.3). */
export function mayLogIn(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.username === '' && url.password === '' && !isUnencrypted(url.href);
}

/** What a page asks for, as Electron's two permission handlers tell it. */
export interface PermissionRequest {
  readonly permission: string;
  /** An origin or an address of the page that asks. */
  readonly origin: string | undefined;
  readonly mainFrame: boolean;
  readonly media: readonly string[];
}

/** The microphone and no camera with it, writing to the clipboard, and dictation devices: for the own page in the main frame. */
export function isPermitted({ permission, origin, mainFrame, media }: PermissionRequest): boolean {
  if (!mainFrame || origin === undefined || !isOwn(origin)) return false;
  if (permission === 'media') return media.length > 0 && media.every((kind) => kind === 'audio');
  return permission === 'clipboard-sanitized-write' || permission === 'hid';
}

/** USB vendors of dictation microphones and pedals: Philips, Nuance. */
const dictationVendors: readonly number[] = [0x0911, 0x0554];

export interface Device {
  readonly deviceType: string;
  readonly origin: string;
  readonly vendorId: number | undefined;
}

export const isDictationDevice = ({ deviceType, origin, vendorId }: Device): boolean =>
  deviceType === 'hid' && isOwn(origin) && vendorId !== undefined && dictationVendors.includes(vendorId);
