/** A real browser for tests: one that is on the machine, never a downloaded one. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserServer, BrowserType, LaunchOptions } from 'playwright-core';

/** The headless shell, which Debian has, is Chromium without the windows that nobody sees: half the work of the processor. */
export const headlessShell = 'chromium-headless-shell';
const names = [
  headlessShell,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];

/** Where Chrome, Edge and Chromium are usually installed. */
const places: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((folder) => names.map((name) => join(folder, name))),
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].flatMap((folder) =>
    folder === undefined
      ? []
      : [
          'Google\\Chrome\\Application\\chrome.exe',
          'Microsoft\\Edge\\Application\\msedge.exe',
          'Chromium\\Application\\chrome.exe',
        ].map((path) => join(folder, path)),
  ),
};

/** Path of a Chromium: `LAUDIO_CHROMIUM`, else the first found in the usual places and in `PATH`. */
export function findChromium(): string {
  const named = process.env.LAUDIO_CHROMIUM;
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named;
    throw new Error('LAUDIO_CHROMIUM names no program that can be run.');
  }
  const inPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = [...(places[process.platform] ?? []), ...inPath].find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    'These tests need a browser: install Chromium (apt install chromium, brew install --cask chromium), Chrome or ' +
      'Edge, or name one in LAUDIO_CHROMIUM.',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface ChromiumOptions {
  /** Path of a WAV file that its microphone plays again and again. Nobody is asked whether the page may listen. */
  readonly microphone?: string;
  /** Whether the person says no when a page wants to listen. */
  readonly refuses?: boolean;
}

/** Started without its sandbox, which containers don't allow; it sees this project's own pages only. */
export const startChromium = async (options: ChromiumOptions = {}): Promise<Browser> =>
  (await loadDriver()).launch(launchOptions(options));

/** One that several processes use at once, each by its own connection to the address `wsEndpoint()`. */
export const startSharedChromium = async (options: ChromiumOptions = {}): Promise<BrowserServer> =>
  (await loadDriver()).launchServer(launchOptions(options));

export const connectToChromium = async (address: string): Promise<Browser> => (await loadDriver()).connect(address);

/** Loaded where a browser starts: the set-up of every run only looks for one, and the driver takes longer to load than most files. */
const loadDriver = async (): Promise<BrowserType> => (await import('playwright-core')).chromium;

const launchOptions = ({ microphone, refuses = false }: ChromiumOptions): LaunchOptions => ({
  executablePath: findChromium(),
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    `--use-fake-ui-for-media-stream${refuses ? '=deny' : ''}`,
    '--use-fake-device-for-media-stream',
    ...(microphone === undefined ? [] : [`--use-file-for-fake-audio-capture=${microphone}`]),
  ],
});
