import { describe, expect, test } from 'vitest';
import {
  isDictationDevice,
  isOwnFrame,
  isOwnPage,
  isPermitted,
  mayLogIn,
  mayOpen,
  webPreferences,
} from '../../../desktop/main/guards.ts';
import type { PermissionRequest } from '../../../desktop/main/guards.ts';

const own = 'laudio://app';

const foreign = [
  'http://127.0.0.1:41234/',
  'https://app/',
  'laudio://app.example.com/',
  'laudio://apps/',
  'laudio://app:80/',
  'laudio://user@app/',
  'laudio://exam/itm_1',
  'laudio:app',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,<p>',
  'about:blank',
  'null',
  '',
  'not an address',
];

describe('our own page', () => {
  test.each([own, `${own}/`, `${own}/#/exam/itm_1`, 'LAUDIO://app/'])('is %s', (address) => {
    expect(isOwnPage(address)).toBe(true);
  });
  test.each(foreign)('is not %s', (address) => {
    expect(isOwnPage(address)).toBe(false);
    expect(isOwnFrame({ origin: address, isMain: true })).toBe(false);
  });
  test('may call only from the main frame of the window', () => {
    expect(isOwnFrame({ origin: own, isMain: true })).toBe(true);
    expect(isOwnFrame({ origin: own, isMain: false })).toBe(false);
    expect(isOwnFrame(undefined)).toBe(false);
  });
});

describe('the person’s browser', () => {
  const hosts = ['api.example.com', 'lab.example.com:8443'];
  test.each([
    ['https://api.example.com/help', true],
    ['https://lab.example.com:8443/', true],
    ['https://api.example.com:8443/', false],
    ['https://example.com/', false],
    ['https://api.example.com.evil.test/', false],
    ['https://api.example.com@evil.test/', false],
    ['https://user@api.example.com/', false],
    ['http://api.example.com/', false],
    ['file:///api.example.com', false],
    ['smb://api.example.com/share', false],
    ['ms-settings:privacy', false],
    ['javascript:alert(1)', false],
    ['', false],
  ])('for a link to %s: %s', (address, allowed) => {
    expect(mayOpen(address, hosts)).toBe(allowed);
  });
  test('opens no link without a login at a service', () => {
    expect(mayOpen('https://api.example.com/', [])).toBe(false);
  });

  test.each([
    ['https://login.example.com/authorize?state=x', true],
    ['http://127.0.0.1:8742/oauth/authorize', true],
    ['http://localhost:8742/oauth/authorize', true],
    ['http://[::1]:8742/oauth/authorize', true],
    ['http://login.example.com/authorize', false],
    ['http://127.0.0.1.evil.test/', false],
    ['http://localhost:80@evil.test/', false],
    ['https://user:secret@login.example.com/', false],
    ['file:///etc/passwd', false],
    ['laudio://app/', false],
    ['', false],
  ])('for a login at %s: %s', (address, allowed) => {
    expect(mayLogIn(address)).toBe(allowed);
  });
});

describe('of permissions', () => {
  const microphone: PermissionRequest = { permission: 'media', origin: `${own}/`, mainFrame: true, media: ['audio'] };

  test.each<[string, Partial<PermissionRequest>]>([
    ['the microphone', {}],
    ['the microphone, by origin', { origin: own }],
    ['writing to the clipboard', { permission: 'clipboard-sanitized-write', media: [] }],
    ['dictation devices', { permission: 'hid', media: [] }],
  ])('the own page gets %s', (_what, change) => {
    expect(isPermitted({ ...microphone, ...change })).toBe(true);
  });

  test.each<[string, Partial<PermissionRequest>]>([
    ['a camera', { media: ['video'] }],
    ['a camera with the microphone', { media: ['audio', 'video'] }],
    ['an unknown medium', { media: [] }],
    ['a frame in the page', { mainFrame: false }],
    ['another scheme', { origin: 'http://app' }],
    ['another site', { origin: 'https://example.com' }],
    ['an opaque origin', { origin: 'null' }],
    ['nobody', { origin: undefined }],
    ['notifications', { permission: 'notifications' }],
    ['the screen', { permission: 'display-capture' }],
    ['reading the clipboard', { permission: 'clipboard-read' }],
    ['a USB device', { permission: 'usb' }],
    ['a dictation device for a frame', { permission: 'hid', mainFrame: false }],
  ])('%s is refused', (_what, change) => {
    expect(isPermitted({ ...microphone, ...change })).toBe(false);
  });

  test('of devices, dictation microphones and pedals only', () => {
    const speechMike = { deviceType: 'hid', origin: own, vendorId: 0x0911 };
    expect(isDictationDevice(speechMike)).toBe(true);
    expect(isDictationDevice({ ...speechMike, vendorId: 0x0554 })).toBe(true);
    expect(isDictationDevice({ ...speechMike, vendorId: 0x046d })).toBe(false);
    expect(isDictationDevice({ ...speechMike, vendorId: undefined })).toBe(false);
    expect(isDictationDevice({ ...speechMike, deviceType: 'usb' })).toBe(false);
    expect(isDictationDevice({ ...speechMike, origin: 'https://example.com' })).toBe(false);
  });
});

test('a page is isolated from Node and Electron', () => {
  expect(webPreferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
  });
});
