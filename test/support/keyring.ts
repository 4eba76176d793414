/** A session bus and an unlocked gnome-keyring of a test's own, around one child process. Linux only. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

function programPath(name: string): string {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return join(directory, name);
    } catch {
      // Looked for in the next one.
    }
  }
  throw new Error(`${name} is missing: install the packages dbus and gnome-keyring to run this test.`);
}

export interface KeyringOptions {
  /** Holds the keyring's files. */
  readonly directory: string;
  /** Without it the bus knows no keychain that is unlocked. */
  readonly unlocked: boolean;
}

/** Runs a TypeScript file of this folder and gives what it printed, as JSON. */
export async function runWithKeyring(
  script: string,
  args: readonly string[],
  options: KeyringOptions,
): Promise<unknown> {
  const { directory, unlocked } = options;
  const runtime = join(directory, 'run');
  await mkdir(runtime, { recursive: true, mode: 0o700 });
  const unlock = `printf test | ${programPath('gnome-keyring-daemon')} --unlock --components=secrets >/dev/null 2>&1;`;
  const child = spawn(
    programPath('dbus-run-session'),
    [
      '--',
      'sh',
      '-c',
      `${unlocked ? unlock : ''} exec "$@"`,
      'sh',
      process.execPath,
      fileURLToPath(new URL(script, import.meta.url)),
      ...args,
    ],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: directory,
        XDG_DATA_HOME: join(directory, 'data'),
        XDG_RUNTIME_DIR: runtime,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${errors}`);
  return JSON.parse(output);
}
