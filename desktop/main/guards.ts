/**
 * Decides what a window and its page may do, without Electron. Addresses under `laudio://app` are our own; all others
 * are foreign (Electron's security checklist 4, 5, 13, 14, 15, 17).
 */
import { isUnencrypted } from '../../src/client/address.ts';
import { ipc } from '../bridge/carriers.ts';

/** Web preferences of every window: the page has no more access than a web page. */
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
  // A spelling dictionary would be downloaded from a third party.
  spellcheck: false,
  // The app itself announces reports, even if the page sleeps.
  disableBlinkFeatures: 'Notifications',
  // A recording continues behind other windows.
  backgroundThrottling: false,
} as const;

/** A frame that makes a request. */
export interface Frame {
  readonly origin: string;
  /** Whether it is the top frame of our window. */
  readonly isMain: boolean;
}

export const isOwnFrame = (frame: Frame | undefined): boolean =>
  frame !== undefined && frame.isMain && isOwn(frame.origin);

/** Whether the window may navigate to an address. */
export const isOwnPage = (address: string): boolean => isOwn(address);

/** Whether an address shows the report alone, in the only window that a page may open. */
export const isReportPage = (address: string): boolean =>
  isOwn(address) && URL.parse(address)?.hash.startsWith('#/report/') === true;

/** Node's URL gives a custom scheme an opaque origin; the origin that a browser reports has no `user@` and no port. */
function isOwn(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && `${url.protocol}//${url.host}` === ipc.origin && url.username === '' && url.password === '';
}

/**
 * Whether an address may be opened in the person's browser: only https at a host that the app uses, so that no link
 * starts a program or leads elsewhere. `hosts`: with ports, unless default.
 */
export function mayOpen(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address);
  return (
    url !== null && url.protocol === 'https:' && url.username === '' && url.password === '' && hosts.includes(url.host)
  );
}

/** Whether a login may go to that address: a service over https, or a server on this computer (RFC 8252 8.3). */
export function mayLogIn(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.username === '' && url.password === '' && !isUnencrypted(url.href);
}

/** A permission that a page requests, as reported by Electron's two permission handlers. */
export interface PermissionRequest {
  readonly permission: string;
  /** Origin or address of the page that asks. */
  readonly origin: string | undefined;
  readonly mainFrame: boolean;
  readonly media: readonly string[];
}

/**
 * Grants our own page, in the main frame, the microphone without a camera, writing to the clipboard, and dictation
 * devices.
 */
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
