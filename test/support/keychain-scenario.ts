/** Run by the keychain test: saves, loads and removes tokens in the real keychain, and prints what it saw. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCredentialStore } from '../../src/node/login/credential-store.ts';
import { createKeychain } from '../../src/node/login/keychain.ts';
import { waitingClock } from '../../src/node/clock.ts';

const stateDirectory = process.argv[2] ?? '';
const open = () =>
  createCredentialStore({
    kind: 'keychain',
    stateDirectory,
    keychain: createKeychain({ clock: waitingClock, stateDirectory }),
    warn: () => undefined,
  });

// Longer than the 2,560 bytes that Windows' keychain takes.
const credentials = {
  access_token: 'canary'.repeat(1000),
  expires_at: 1,
  scope: 'jobs:read',
  refresh_token: 'r',
  client_secret: 's',
};

/** As ten commands do that begin at once. */
const crowd = async () => {
  const keychain = createKeychain({ clock: waitingClock, stateDirectory });
  const keys = await Promise.all(Array.from({ length: 10 }, () => keychain.get(`default (${stateDirectory})`)));
  return new Set(keys).size === 1 && keys[0] !== undefined;
};

const folder = join(stateDirectory, 'credentials');
await open().prepare('default');
await open().save('default', credentials);
const loaded = await open().load('default');
const [file = ''] = await readdir(folder);
const onDisk = await readFile(join(folder, file), 'utf8');
const isEnoughForAll = await crowd();
await open().remove('default');
process.stdout.write(
  JSON.stringify({
    same: JSON.stringify(loaded) === JSON.stringify(credentials),
    file,
    isEnoughForAll,
    readable: onDisk.includes('canary'),
    after: (await open().load('default')) ?? null,
    left: await readdir(folder),
    key: (await createKeychain({ clock: waitingClock, stateDirectory }).get(`default (${stateDirectory})`)) ?? null,
  }),
);
