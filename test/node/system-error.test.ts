/** What is told of an error of the system: the file by its last name, the code, and what can be done. */
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explain, isSystemError, ofFile } from '../../src/node/system-error.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const errorOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
const told = (error: unknown) => (isSystemError(error) ? explain(error) : undefined);

test('names a file by the end of its path, whatever the call', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'file'), '');
  await mkdir(join(directory, 'full', 'of'), { recursive: true });
  const missing = await errorOf(readFile(join(directory, 'patient', 'missing.json')));
  expect(told(missing)).toEqual({ message: 'missing.json cannot be opened (ENOENT).', hint: 'Check the disk.' });
  expect(told(await errorOf(mkdir(join(directory, 'file'))))?.message).toBe('file cannot be made (EEXIST).');
  const moved = await errorOf(rename(join(directory, 'file'), join(directory, 'full')));
  expect(told(moved)?.message).toMatch(/^full cannot be given its name \(E[A-Z]+\)\.$/);
});

test.each(['0123456789abcdef', '01234567-1234-01234567-89ab-4cde-8f01-23456789abcd'])(
  'names the file of a handle, and not the name that it had while it was made: %s',
  async (by) => {
    const directory = await temporaryDirectory();
    const path = join(directory, `.server.json.${by}.tmp`);
    const handle = await open(path, 'w');
    const error = ofFile(path, await errorOf(handle.read(Buffer.alloc(1), 0, 1, 0)));
    await handle.close();
    expect(told(error)?.message).toBe('server.json cannot be read (EBADF).');
    expect(told(ofFile('/another', error))?.message).toBe('server.json cannot be read (EBADF).');
  },
);

test.each([
  ['ENOSPC', 'Make room on its disk.'],
  ['EMFILE', expect.stringContaining('ulimit -n')],
  ['EIO', expect.stringContaining('backup')],
])('%s says what to do', (code, hint) => {
  const error = Object.assign(new Error(code), { code, syscall: 'fsync', path: '/srv/journal' });
  expect(told(error)).toEqual({ message: `journal cannot be written to disk (${code}).`, hint });
});

test.each([
  new TypeError('x'),
  Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' }),
  Object.assign(new Error('x'), { code: 'ECONNRESET', syscall: 'read' }),
  undefined,
])('leaves alone what is none: %s', (error) => {
  expect(isSystemError(error)).toBe(false);
  expect(ofFile('/x', error)).toBe(error);
});
