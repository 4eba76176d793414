import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Encryption, KeyOptions } from '../../../../server/storage/data-directory/encryption.ts';
import { formatName } from '../../../../server/storage/lowdb/data-files.ts';
import { encodeHeader, newHeader } from '../../../../server/storage/lowdb/frame.ts';
import { blobStores, documentStores } from '../../../../server/storage/registry.ts';
import { openEncryption } from '../../../../server/storage/data-directory/keys.ts';
import { unwrapWithPassphrase, wrapWithPassphrase } from '../../../../server/storage/sealing/passphrase.ts';
import { nodeFileSystem } from '../../../../server/storage/data-directory/private-files.ts';
import { runWithKeyring } from '../../../support/keyring.ts';
import { lockedKeychain, memoryKeychain } from '../../../support/memory-keychain.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';

const passphrase = 'four words and some more';
const asked = (words: string) => async () => words;

const contents = [documentStores.lowdb.contents!, blobStores.files.contents!];
const open = (directory: string, options: KeyOptions, fs = nodeFileSystem) =>
  openEncryption(directory, options, contents, fs);
/** Whether both have the same key. */
function sameKey(one: Encryption | undefined, other: Encryption | undefined): boolean {
  const [file, again] = [one, other].map((each) => each!.sealing.forFile(Buffer.alloc(16)));
  try {
    return again!.open(file!.seal(Buffer.from('x'), Buffer.alloc(0)), Buffer.alloc(0)).toString() === 'x';
  } catch {
    return false;
  }
}
const keyFile = (directory: string): string => join(directory, 'encryption.json');
const content = (directory: string): Promise<string> => readFile(keyFile(directory), 'utf8');

test('a directory is encrypted only where somebody wants it', async () => {
  const directory = await temporaryDirectory();
  expect(await open(directory, { keychain: lockedKeychain, passphrase: () => expect.unreachable() })).toBeUndefined();
  expect(await readdir(directory)).toEqual([]);
});

describe('with the keychain', () => {
  test('the key is made once and found again, without being asked for', async () => {
    const directory = await temporaryDirectory();
    const keychain = memoryKeychain();
    const { entries } = keychain;
    const made = await open(directory, { encrypt: 'keychain', keychain });
    expect(made!.place).toBe('keychain');
    expect(sameKey(made, await open(directory, { keychain }))).toBe(true);
    expect(sameKey(made, await open(directory, { encrypt: 'keychain', keychain }))).toBe(true);
    expect(entries.size).toBe(1);
    const withWords = { encrypt: 'passphrase', keychain, passphrase: asked(passphrase) } as const;
    await expect(open(directory, withWords)).rejects.toMatchObject({
      message: 'This data directory is encrypted with a key in the keychain of this system, not with a passphrase.',
    });
    expect((await stat(keyFile(directory))).mode & 0o777).toBe(0o600);
    for (const secret of entries.values()) expect(await content(directory)).not.toContain(secret);
  });

  test('two directories have two keys, and neither opens the other', async () => {
    const keychain = memoryKeychain();
    const { entries } = keychain;
    const [one, other] = [await temporaryDirectory(), await temporaryDirectory()];
    const keys = [
      await open(one, { encrypt: 'keychain', keychain }),
      await open(other, { encrypt: 'keychain', keychain }),
    ];
    expect(sameKey(keys[0], keys[1])).toBe(false);
    const [first, second] = [...entries.keys()];
    entries.set(first!, entries.get(second!)!);
    await expect(open(one, { keychain })).rejects.toMatchObject({
      code: 'CREDENTIAL_STORE',
      message: `The entry "${first}" in the keychain of this system is not the key of this data directory.`,
    });
  });

  test('one that is locked or absent changes nothing and says what to do', async () => {
    const directory = await temporaryDirectory();
    await expect(
      open(directory, { encrypt: 'keychain', keychain: lockedKeychain, instead: 'or go without' }),
    ).rejects.toMatchObject({
      code: 'CREDENTIAL_STORE',
      message: 'The keychain is locked.',
      hint: 'Unlock it and try again; or go without. Nothing was changed.',
    });
    expect(await readdir(directory)).toEqual([]);
    const keychain = memoryKeychain();
    const { entries } = keychain;
    await open(directory, { encrypt: 'keychain', keychain });
    const before = await content(directory);
    await expect(open(directory, { keychain: lockedKeychain })).rejects.toMatchObject({
      message: 'The keychain is locked.',
      hint: 'Unlock it and start again. Nothing was changed.',
    });
    const [entry] = entries.keys();
    entries.clear();
    await expect(open(directory, { encrypt: 'keychain', keychain })).rejects.toMatchObject({
      code: 'CREDENTIAL_STORE',
      message: expect.stringContaining(`no entry "${entry}"`),
      hint: expect.stringContaining('restore a backup'),
    });
    await expect(open(directory, {})).rejects.toMatchObject({ code: 'CREDENTIAL_STORE' });
    expect(entries.size).toBe(0);
    expect(await content(directory)).toBe(before);
  });

  test('one that is absent leaves the directory plain, where that is better than nothing', async () => {
    const directory = await temporaryDirectory();
    const options = { encrypt: 'keychain', keychain: lockedKeychain, orPlain: true } as const;
    expect(await open(directory, options)).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
    await open(directory, { encrypt: 'keychain', keychain: memoryKeychain() });
    await expect(open(directory, options)).rejects.toMatchObject({ code: 'CREDENTIAL_STORE' });
  });

  test('one that forgets is found out before anything depends on it', async () => {
    const directory = await temporaryDirectory();
    const keychain = { ...memoryKeychain(), get: async () => undefined };
    await expect(open(directory, { encrypt: 'keychain', keychain })).rejects.toMatchObject({
      message: 'The keychain of this system did not keep the key.',
    });
    expect(await readdir(directory)).toEqual([]);
  });
});

describe('with a passphrase', () => {
  test('the key is found again by the passphrase alone', async () => {
    const directory = await temporaryDirectory();
    const made = await open(directory, { encrypt: 'passphrase', passphrase: asked(passphrase) });
    const again = await open(directory, { keychain: lockedKeychain, passphrase: asked(passphrase) });
    expect(sameKey(made, again)).toBe(true);
    expect(await content(directory)).not.toContain(passphrase);
    const before = await content(directory);
    await expect(open(directory, { passphrase: asked(`${passphrase} `) })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: 'The passphrase is wrong.',
    });
    await expect(open(directory, { keychain: lockedKeychain })).rejects.toMatchObject({
      message: 'This data directory is encrypted with a passphrase.',
      hint: 'Give the passphrase in LAUDIO_PASSPHRASE or with --passphrase-stdin.',
    });
    await expect(open(directory, { encrypt: 'keychain', keychain: lockedKeychain })).rejects.toMatchObject({
      message: 'This data directory is encrypted with a passphrase.',
    });
    expect(await content(directory)).toBe(before);
  });

  test('the same letters count, however a keyboard writes them', async () => {
    const key = randomBytes(32);
    const wrapped = await wrapWithPassphrase(key, 'coração saudável'.normalize('NFD'));
    expect(await unwrapWithPassphrase(wrapped, 'coração saudável'.normalize('NFC'))).toEqual(key);
  });

  test('a short one is refused', async () => {
    await expect(wrapWithPassphrase(randomBytes(32), 'eleven char')).rejects.toMatchObject({
      message: 'A passphrase has at least 12 characters.',
    });
  });

  test('a file that asks for too much memory is refused at once', async () => {
    const wrapped = { scrypt: { N: 2 ** 30, r: 8, p: 1 }, salt: '', key: '' };
    await expect(unwrapWithPassphrase(wrapped, passphrase)).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });
});

test('a changed file, or one of a newer version, is reported and left alone', async () => {
  const directory = await temporaryDirectory();
  const keychain = memoryKeychain();
  await open(directory, { encrypt: 'keychain', keychain });
  const whole = await content(directory);
  const { key: _key, ...withoutKey } = JSON.parse(whole) as Record<string, unknown>;
  const broken = [
    '',
    '{',
    'null',
    '[]',
    '{}',
    whole.slice(0, -20),
    whole.replace(/"salt": "./, '"salt": "#'),
    JSON.stringify(withoutKey),
  ];
  for (const text of broken) {
    await writeFile(keyFile(directory), text);
    await expect(open(directory, { encrypt: 'keychain', keychain }), text).rejects.toMatchObject({
      code: 'DATA_DAMAGED',
      message: 'The file encryption.json in the data directory is damaged.',
    });
    expect(await content(directory)).toBe(text);
  }
  await writeFile(keyFile(directory), whole.replace('"format": 1', '"format": 2'));
  await expect(open(directory, { keychain })).rejects.toMatchObject({
    message: expect.stringContaining('written by a newer version'),
  });
});

test('where the disk fails while the key is written there is no key', async () => {
  const directory = await temporaryDirectory();
  const keychain = memoryKeychain();
  for (const failing of ['open', 'handle.writeFile', 'handle.sync', 'rename']) {
    const fs = hookedFileSystem((call) => {
      if (call === failing) throw systemError('ENOSPC');
    });
    await expect(open(directory, { encrypt: 'keychain', keychain }, fs)).rejects.toThrow('ENOSPC');
    expect(await readdir(directory)).toEqual([]);
  }
});

describe('where the file with the key is gone', () => {
  const refused = { code: 'DATA_DAMAGED', message: expect.stringContaining('its file encryption.json is missing') };

  test('no other key is made while audio is there that only that one opens', async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, 'audio'));
    await writeFile(join(directory, 'audio', 'blb_01JNA0000000000000000000AA.sealed'), 'x');
    const keychain = memoryKeychain();
    await expect(open(directory, { encrypt: 'keychain', keychain })).rejects.toMatchObject(refused);
    expect(keychain.entries.size).toBe(0);
  });

  test.each(['journal', 'snapshot'] as const)('nor while there is a sealed %s', async (kind) => {
    const directory = await temporaryDirectory();
    const keychain = memoryKeychain();
    const path = join(directory, formatName(kind, 7));
    const header = (sealed: boolean) => encodeHeader(newHeader(kind, { schema: 1, sequence: 7, sealed }));
    await writeFile(path, header(true));
    await expect(open(directory, { encrypt: 'keychain', keychain })).rejects.toMatchObject(refused);
    expect(keychain.entries.size).toBe(0);
    await writeFile(path, header(false));
    expect(await open(directory, { encrypt: 'keychain', keychain })).toBeDefined();
  });
});

test.runIf(process.platform === 'linux')('the keychain of the system keeps the key, across processes', async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'data'));
  const seen = await runWithKeyring('data-key-scenario.ts', [join(directory, 'data')], { directory, unlocked: true });
  // 32 bytes in base64.
  expect(seen).toEqual({ by: 'keychain', same: true, entry: 'data key …', kept: 44 });
});
