/** A log that may be full, slow, moved or cut, and holds nobody up. */
import { copyFile, readFile, rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBoundedLog, openLogFile, streamSink } from '../../../src/node/files/bounded-log.ts';
import type { LogSink } from '../../../src/node/files/bounded-log.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const dropped = (count: number): string => `dropped ${count}`;

function logOn(sink: LogSink, limit?: number) {
  const troubles: string[] = [];
  const onTrouble = (code: string) => void troubles.push(code);
  const log = createBoundedLog(sink, { dropped, onTrouble, ...(limit !== undefined && { limit }) });
  return { log, troubles };
}

/** A sink that takes what it is given as soon as `let` lets it. */
function heldSink() {
  const taken: string[] = [];
  let gate = Promise.withResolvers<void>();
  const sink: LogSink = {
    async write(text) {
      await gate.promise;
      taken.push(text);
    },
    close: async () => {},
  };
  return {
    sink,
    taken,
    open: () => gate.resolve(),
    refuse: (code: string) => {
      gate.reject(Object.assign(new Error(code), { code }));
      gate = Promise.withResolvers();
    },
  };
}

describe('a bounded log', () => {
  test('writes every line, in order, by the time it is closed', async () => {
    const path = join(await temporaryDirectory(), 'all.log');
    const { log } = logOn(await openLogFile(path));
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}`);
    for (const line of lines) log.add(line);
    await log.close();
    expect(await readFile(path, 'utf8')).toBe(`${lines.join('\n')}\n`);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('holds no more lines than it may while nothing is taken, and says how many are gone', async () => {
    const held = heldSink();
    const { log, troubles } = logOn(held.sink, 100);
    for (let n = 0; n < 1000; n++) log.add('0123456789');
    held.open();
    await log.close();
    const lines = held.taken.join('').trimEnd().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('dropped 990');
    expect(troubles).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')('a full disk is reported once, and stops nothing', async () => {
    const { log, troubles } = logOn(await openLogFile('/dev/full'));
    // More than is gathered, so that it is written at once.
    log.add('x'.repeat(70_000));
    log.add('x'.repeat(70_000));
    await expect.poll(() => troubles).toEqual(['ENOSPC']);
    log.add('y');
    await log.close();
    expect(troubles).toEqual(['ENOSPC']);
  });

  test('goes on after a refusal, with the number of lines that are gone', async () => {
    const held = heldSink();
    const { log, troubles } = logOn(held.sink);
    log.add('x'.repeat(70_000));
    held.refuse('EIO');
    await expect.poll(() => troubles).toEqual(['EIO']);
    log.add('next');
    held.open();
    await expect.poll(() => held.taken.join(''), { timeout: 5000 }).toBe('next\ndropped 1\n');
    await log.close();
  });

  test('a reader that stopped does not keep it from closing', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const { log } = logOn(streamSink(stream));
    for (let n = 0; n < 10; n++) log.add('x'.repeat(70_000));
    await log.close();
    expect(stream.destroyed).toBe(true);
  });

  test('follows both ways of rotation', async () => {
    const path = join(await temporaryDirectory(), 'rotated.log');
    const sink = await openLogFile(path);
    onTestFinished(() => sink.close());
    await sink.write('one\n');
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await sink.write('two\n');
    expect(await readFile(path, 'utf8')).toBe('two\n');
    await rename(path, `${path}.2`);
    await expect
      .poll(
        async () => {
          await sink.write('three\n');
          return readFile(path, 'utf8').catch(() => '');
        },
        { timeout: 5000, interval: 100 },
      )
      .toBe('three\n');
  });

  test('refuses what is no file', async () => {
    const directory = await temporaryDirectory();
    await expect(openLogFile(directory)).rejects.toMatchObject({ code: 'CONFIGURATION' });
    await expect(openLogFile(join(directory, 'nowhere', 'a.log'))).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });
});
