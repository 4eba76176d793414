/** Run by the test of data keys: encrypts a directory with the real keychain, opens it again, and prints what it saw. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEncryption } from '../../server/storage/data-directory/keys.ts';
import { createKeychain } from '../../src/node/login/keychain.ts';
import { waitingClock } from '../../src/node/clock.ts';

const directory = process.argv[2] ?? '';
const keychain = createKeychain({ clock: waitingClock, stateDirectory: directory });
const [none, words] = [Buffer.alloc(0), Buffer.from('Test Patient')];

const made = await openEncryption(directory, { encrypt: 'keychain', keychain }, []);
const found = await openEncryption(directory, { keychain }, []);
const sealed = made?.sealing.forFile(Buffer.alloc(16)).seal(words, none);
const opened = sealed && found?.sealing.forFile(Buffer.alloc(16)).open(sealed, none);
const { by, entry } = JSON.parse(await readFile(join(directory, 'encryption.json'), 'utf8')) as {
  by: string;
  entry: string;
};
process.stdout.write(
  JSON.stringify({
    by,
    same: opened?.equals(words),
    entry: entry.replace(/[0-9a-f]{16}$/, '…'),
    kept: (await keychain.get(entry))?.length,
  }),
);
