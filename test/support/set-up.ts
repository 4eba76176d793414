/**
 * Before any test: what the tests need of the machine is there, or is installed, or the run ends with one sentence.
 * Nothing is skipped in silence.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findChromium } from './chromium.ts';

interface Need {
  readonly what: string;
  /** Debian's name of it. */
  readonly debian: string;
  /** Systems without it have their own. */
  readonly platforms: readonly NodeJS.Platform[];
  readonly isThere: () => boolean;
}

const needs: readonly Need[] = [
  {
    what: 'a browser (Chromium, Chrome or Edge)',
    debian: 'chromium',
    platforms: ['linux', 'darwin', 'win32'],
    isThere: hasBrowser,
  },
  {
    what: 'gnome-keyring',
    debian: 'gnome-keyring',
    platforms: ['linux'],
    isThere: () => isProgram('gnome-keyring-daemon'),
  },
  { what: 'dbus-run-session', debian: 'dbus', platforms: ['linux'], isThere: () => isProgram('dbus-run-session') },
];

function hasBrowser(): boolean {
  try {
    findChromium();
    return true;
  } catch {
    return false;
  }
}

const isProgram = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Vitest calls it once. Throws with what to install when it may not install it itself. */
export function setup(): void {
  const missing = () => needs.filter(({ platforms, isThere }) => platforms.includes(process.platform) && !isThere());
  const before = missing();
  if (before.length === 0) return;
  if (mayInstall()) install(before.map(({ debian }) => debian));
  const after = missing();
  if (after.length === 0) return;
  const hint =
    process.platform === 'linux'
      ? ` (Debian, Ubuntu: apt-get install ${after.map(({ debian }) => debian).join(' ')})`
      : '';
  throw new Error(`The tests need ${after.map(({ what }) => what).join(', ')}; please install it${hint}.`);
}

/** On a machine of its own, such as a container: as root, with Debian's packages, and nobody to ask. */
const mayInstall = (): boolean => process.getuid?.() === 0 && existsSync('/etc/debian_version') && isProgram('apt-get');

function install(packages: readonly string[]): void {
  process.stderr.write(`Installing for the tests: ${packages.join(' ')}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { status, stderr } = spawnSync('apt-get', ['-qq', ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (status !== 0) process.stderr.write(`apt-get ${args[0]} ended with ${status}: ${stderr}\n`);
  }
}
