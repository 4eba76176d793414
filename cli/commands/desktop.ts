import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KeyOptions } from '../../server/index.ts';
import { AppError } from '../../src/contract/errors.ts';
import { findServers } from '../../src/node/running-server.ts';
import type { RunningServer } from '../../src/node/running-server.ts';
import { defineCommand, flag } from '../command.ts';
import type { Context } from '../context.ts';
import { dataDirectoryOf } from '../serving/data-directory.ts';
import { openPage } from '../shell/open-page.ts';
import { printSetupCode } from '../serving/server-ready.ts';
import { runServer, defaultServerInput } from './serve.ts';

export const command = defineCommand({
  description:
    'Opens a window if Electron is installed, otherwise the browser. In the browser, the app uses the server on this computer, which is started if none is running; Ctrl-C stops it again.',
  options: { browser: flag('Open the browser, even where Electron is installed') },
  examples: [
    ['laudio desktop', 'open the app'],
    ['laudio desktop --browser', 'the same app in the browser'],
  ],
  async run(context, { browser }) {
    const { io } = context;
    const electron = browser ? undefined : await electronBinary();
    if (electron !== undefined) return openWindow(context, electron);
    if (!browser) io.notice('Electron is not installed here; opening the app in the browser instead.', 'faint');
    const { builtPage, isBuilt } = await import('../../desktop/web/index.ts');
    if (!isBuilt(builtPage)) {
      throw new AppError('CONFIGURATION', {
        message: 'The app’s page is not built.',
        hint: 'Build it with "npm run build:app".',
      });
    }
    const open = ({ url }: RunningServer): Promise<void> => openPage(context, `${url}/`);
    const running = await runningServer(context);
    if (running) {
      printSetupCode(io, running);
      return open(running);
    }
    return runServer(
      context,
      { ...defaultServerInput, key: await loadAppKey(context) },
      async (server, { encryptedBy }) => {
        if (!encryptedBy) io.notice(`The data in ${server.data_dir} is not encrypted; only you can read it.`, 'warn');
        io.notice(`Laudio is ready at ${io.paint(server.url, 'strong', 'err')}. Ctrl-C stops it.`, 'good');
        printSetupCode(io, server);
        await open(server);
      },
    );
  },
});

/** Encrypts the app's files, unless the person opted out of the keychain. */
async function loadAppKey({ settings, paths, clock, env }: Context): Promise<KeyOptions> {
  const [{ appKey }, { createKeychain }] = await Promise.all([
    import('../../desktop/app/device/app-key.ts'),
    import('../../src/node/login/keychain.ts'),
  ]);
  const keychain =
    settings.credential_store === 'keychain' ? createKeychain({ clock, stateDirectory: paths.state }) : undefined;
  return appKey({ keychain, passphrase: env['LAUDIO_PASSPHRASE'], inWindow: false });
}

/**
 * Path of the Electron binary, if downloaded: the package records it in path.txt. Importing the package would download
 * it.
 */
async function electronBinary(): Promise<string | undefined> {
  try {
    const directory = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
    const binary = join(directory, 'dist', (await readFile(join(directory, 'path.txt'), 'utf8')).trim());
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/** The app's main module has this file's extension: TypeScript in development, JavaScript in a build. */
const mainPath = (): string =>
  fileURLToPath(new URL(`../../desktop/main/main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url));

/** Resolves when the window is closed. */
async function openWindow({ signal }: Context, electron: string): Promise<void> {
  const child = spawn(electron, [mainPath()], { stdio: 'inherit' });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', () =>
        reject(
          new AppError('CONFIGURATION', {
            message: 'Electron could not be started.',
            hint: 'Use "laudio desktop --browser".',
          }),
        ),
      );
      child.once('exit', resolve);
    });
    if (code !== null && code !== 0)
      throw new AppError('CONFIGURATION', { message: `The app ended with exit code ${code}.` });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function runningServer(context: Context): Promise<RunningServer | undefined> {
  const dataDir = await dataDirectoryOf(context);
  return (await findServers(context.paths.state)).find(({ data_dir }) => data_dir === dataDir);
}
