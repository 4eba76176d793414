/**
 * Before any test: what the tests need of the machine is there, or is installed, or the run ends with one sentence.
 * Nothing is skipped in silence.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { builtPage, isBuilt } from '../../desktop/web/index.ts';
import { findChromium, headlessShell } from './chromium.ts';
import { sampleWorklists } from './dcmtk.ts';
import { explored } from './explored.ts';
import { firefoxPackages, hasFirefox, hasWebKit, webKitPackages } from './other-browsers.ts';
import { isProgram } from './is-program.ts';
import { orthancPlugins } from './orthanc.ts';
import { hasPostgres } from './postgres.ts';
import { hasSwift, swiftPackages } from './s3/swift-packages.ts';
import { sphinxModel } from './sphinx-model.ts';

interface Need {
  readonly what: string;
  /** Debian's name of it; of several packages, parted by spaces. */
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
  { what: 'script', debian: 'bsdutils', platforms: ['linux'], isThere: () => isProgram('script') },
  {
    what: 'dcmtk with its sample worklists',
    debian: 'dcmtk',
    platforms: ['linux'],
    isThere: () => isProgram('dump2dcm') && existsSync(sampleWorklists),
  },
  {
    what: 'mllp_send of python3-hl7',
    debian: 'python3-hl7',
    platforms: ['linux'],
    isThere: () => isProgram('mllp_send'),
  },
  {
    what: 'orthanc with its worklist plugin',
    debian: 'orthanc',
    platforms: ['linux'],
    isThere: () => isProgram('Orthanc') && existsSync(orthancPlugins),
  },
  {
    what: 'the DICOMweb plugin of orthanc',
    debian: 'orthanc-dicomweb',
    platforms: ['linux'],
    isThere: () => existsSync(join(orthancPlugins, 'libOrthancDicomWeb.so')),
  },
  {
    what: 'pdftotext, pdffonts and pdfinfo',
    debian: 'poppler-utils',
    platforms: ['linux'],
    isThere: () => ['pdftotext', 'pdffonts', 'pdfinfo'].every(isProgram),
  },
  { what: 'dciodvfy', debian: 'dicom3tools', platforms: ['linux'], isThere: () => isProgram('dciodvfy') },
  {
    what: 'pydicom',
    debian: 'python3-pydicom',
    platforms: ['linux'],
    isThere: () => existsSync('/usr/lib/python3/dist-packages/pydicom'),
  },
  { what: 'qpdf', debian: 'qpdf', platforms: ['linux'], isThere: () => isProgram('qpdf') },
  { what: 'fish', debian: 'fish', platforms: ['linux'], isThere: () => isProgram('fish') },
  { what: 'zsh', debian: 'zsh', platforms: ['linux'], isThere: () => isProgram('zsh') },
  { what: 'bzip2', debian: 'bzip2', platforms: ['linux', 'darwin'], isThere: () => isProgram('bzip2') },
  { what: 'dbus-run-session', debian: 'dbus', platforms: ['linux'], isThere: () => isProgram('dbus-run-session') },
  { what: 'espeak-ng', debian: 'espeak-ng', platforms: ['linux'], isThere: () => isProgram('espeak-ng') },
  {
    what: 'pocketsphinx with its American English',
    debian: 'pocketsphinx pocketsphinx-en-us',
    platforms: ['linux'],
    isThere: () => isProgram('pocketsphinx_continuous') && existsSync(sphinxModel),
  },
  { what: 'PostgreSQL', debian: 'postgresql', platforms: ['linux', 'darwin', 'win32'], isThere: hasPostgres },
  {
    what: 'OpenStack Swift, for its S3 API',
    debian: swiftPackages.join(' '),
    platforms: ['linux'],
    isThere: hasSwift,
  },
  { what: 'nginx', debian: 'nginx-light', platforms: ['linux'], isThere: () => existsSync('/usr/sbin/nginx') },
  {
    what: 'pgbouncer',
    debian: 'pgbouncer',
    platforms: ['linux'],
    isThere: () => !explored.isOn || existsSync('/usr/sbin/pgbouncer'),
  },
  { what: 'caddy', debian: 'caddy', platforms: ['linux'], isThere: () => isProgram('caddy') },
  { what: 'logrotate', debian: 'logrotate', platforms: ['linux'], isThere: () => existsSync('/usr/sbin/logrotate') },
  { what: 'systemd-analyze', debian: 'systemd', platforms: ['linux'], isThere: () => isProgram('systemd-analyze') },
  { what: 'strace', debian: 'strace', platforms: ['linux'], isThere: () => isProgram('strace') },
];

function hasBrowser(): boolean {
  try {
    findChromium();
    return true;
  } catch {
    return false;
  }
}

/** Vitest calls it once. Throws with what to install when it may not install it itself. */
export async function setup(): Promise<void> {
  requireMachine();
  await buildPage();
}

const project = fileURLToPath(new URL('../../', import.meta.url));
/** What the page is made of. */
const pageSources = ['desktop/renderer', 'desktop/bridge', 'src', 'package-lock.json'];

/** The page that the tests open is that of the present sources. */
async function buildPage(): Promise<void> {
  if (
    isBuilt(builtPage) &&
    changedAt(join(builtPage, 'index.html')) > Math.max(...pageSources.map((path) => changedAt(join(project, path))))
  )
    return;
  await build({ configFile: join(project, 'desktop/renderer/vite.config.ts'), logLevel: 'error' });
}

/** When the newest file of it was written, in ms. */
function changedAt(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

function requireMachine(): void {
  const missing = () => needs.filter(({ platforms, isThere }) => platforms.includes(process.platform) && !isThere());
  const before = missing();
  if (before.length > 0 && mayInstall()) install(before.flatMap(({ debian }) => debian.split(' ')));
  // Lighter, and not needed: where it cannot be had, any browser does.
  if (mayInstall() && !isProgram(headlessShell) && isOffered(headlessShell)) install([headlessShell]);
  // Other systems have another Firefox, or none that can be driven so: its tests say then that they did not run.
  if (mayInstall() && !hasFirefox() && isOffered(firefoxPackages[0])) install(firefoxPackages);
  // Only an exploring run has the time for it.
  if (explored.isOn && mayInstall() && !hasWebKit() && isOffered(webKitPackages[0])) install(webKitPackages);
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

const isOffered = (name: string): boolean => spawnSync('apt-cache', ['show', name]).status === 0;

function install(packages: readonly string[]): void {
  process.stderr.write(`Installing for the tests: ${packages.join(' ')}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // The samples are documentation, which images for containers leave out.
  const documented = ['--reinstall', '-o', `Dpkg::Options::=--path-include=${sampleWorklists}/*`];
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...documented, ...packages]]) {
    const { status, stderr } = spawnSync('apt-get', ['-qq', ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (status !== 0) process.stderr.write(`apt-get ${args[0]} ended with ${status}: ${stderr}\n`);
  }
}
