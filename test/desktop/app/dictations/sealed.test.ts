/** Dictations that are encrypted on disk: nothing can be heard or read there, and nothing is lost. */
import { appendFile, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { sealPlainFiles } from '../../../../desktop/app/device/seal-plain-files.ts';
import { openSound, sealedPieces, writeSound } from '../../../../desktop/app/dictations/sealed-sound.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { bytesOf, crashed, openDesk, samples, sealing } from './open-dictations.ts';

const soundOf = (directory: string, id: string): string => join(directory, 'dictations', id, 'sound.pcm');
const pattern = samples(12_345, 10);

/** Names of the files in which the sound, or what is known of it, can be found. */
async function readable(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const content = await readFile(join(parentPath, name));
    if ([pattern, Buffer.from('wli_canary'), Buffer.from('"take"')].some((trace) => content.includes(trace)))
      found.push(name);
  }
  return found.toSorted();
}

describe('an encrypted dictation', () => {
  it('shows nothing of itself, and comes back after a crash', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_canary', samples(12_345, 400), samples(2, 300));
    await desk.take(id, { mode: 'insert', at: 0 });
    await desk.block(id, samples(12_345, 100));
    expect(await readable(desk.directory)).toEqual([]);
    const again = await openDesk({ directory: await crashed(desk) });
    expect(await again.get(id)).toMatchObject({ item_id: 'wli_canary', recovered: true });
    expect(await again.heard(id)).toEqual([...Array(500).fill(12_345), ...Array(300).fill(2)]);
    await again.take(id);
    await again.block(id, samples(3, 5));
    expect((await again.heard(id)).slice(-6)).toEqual([2, 3, 3, 3, 3, 3]);
  });

  it('loses the block that was being written, and no other, wherever that was cut off', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(1, 4));
    const { length: before } = await readFile(soundOf(desk.directory, id));
    await desk.take(id);
    await desk.block(id, samples(2, 4));
    const whole = await readFile(soundOf(desk.directory, id));
    for (let length = before; length < whole.length; length += 5) {
      const directory = await crashed(desk);
      await truncate(soundOf(directory, id), length);
      const again = await openDesk({ directory });
      expect(await again.heard(id), `${length} bytes`).toEqual([1, 1, 1, 1]);
      await again.close();
    }
    // Room was made for it, and its bytes never came.
    const directory = await crashed(desk);
    await writeFile(soundOf(directory, id), Buffer.concat([whole.subarray(0, before + 4), Buffer.alloc(36)]));
    const again = await openDesk({ directory });
    expect(await again.heard(id)).toEqual([1, 1, 1, 1]);
  });

  it('is forgotten where it was never begun, and kept where there is sound', async () => {
    const desk = await openDesk();
    const [empty, spoken] = [await desk.dictate('wli_1'), await desk.dictate('wli_2', samples(1, 4))];
    const directory = await crashed(desk);
    for (const { id } of [empty, spoken]) await rm(join(directory, 'dictations', id, 'meta.json'));
    const again = await openDesk({ directory });
    expect(again.log).toEqual(['dictation_not_readable']);
    expect(await readdir(join(directory, 'dictations'))).toEqual([spoken.id]);
  });

  it('is not heard where it was changed', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(1, 4), samples(2, 4));
    const directory = await crashed(desk);
    const handle = await open(soundOf(directory, id), 'r+');
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 30);
    await handle.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, 30);
    await handle.close();
    const again = await openDesk({ directory });
    await expect(again.heard(id)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('gives any part of a sound that is whole', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'sound.webm');
    await fc.assert(
      fc.asyncProperty(fc.nat(200_000), fc.nat(200_000), fc.nat(200_000), async (size, one, other) => {
        const [from, to] = [Math.min(one, other, size), Math.min(Math.max(one, other), size)];
        const content = Buffer.from(Uint8Array.from({ length: size }, (_, at) => at % 251));
        await writeSound(path, sealedPieces(sealing, path, content));
        const reader = await openSound(path, sealing);
        const read = await bytesOf(reader.read(from, to));
        await reader.close();
        expect(read.equals(content.subarray(from, to))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('files stored earlier', () => {
  it('is encrypted when the app starts, and goes on from there', async () => {
    const app = await temporaryDirectory();
    const directory = join(app, 'desks', 'one');
    const plain = await openDesk({ directory, sealing: undefined });
    const { id } = await plain.dictate('wli_canary', samples(12_345, 70_000));
    await plain.close();
    await writeFile(join(directory, 'worklist.json'), JSON.stringify({ items: 'wli_canary' }));
    await appendFile(join(directory, 'dictations', id, 'edits.log.1.damaged'), '"take"');
    expect(await readable(app)).toEqual([
      'edits.log',
      'edits.log.1.damaged',
      'meta.json',
      'sound.pcm',
      'worklist.json',
    ]);
    const logged: unknown[] = [];
    for (let start = 0; start < 2; start++) await sealPlainFiles(app, sealing, (entry) => void logged.push(entry));
    expect(logged).toEqual([]);
    expect(await readable(app)).toEqual([]);
    const again = await openDesk({ directory });
    expect(await again.get(id)).toMatchObject({ item_id: 'wli_canary', state: 'paused', can_undo: true });
    expect(await again.heard(id)).toEqual(Array(70_000).fill(12_345));
  });

  it('is heard and recorded on where it could not be encrypted yet', async () => {
    const plain = await openDesk({ sealing: undefined });
    const { id } = await plain.dictate('wli_1', samples(1, 4));
    const again = await openDesk({ directory: await crashed(plain) });
    await again.take(id);
    await again.block(id, samples(2, 2));
    expect(await again.heard(id)).toEqual([1, 1, 1, 1, 2, 2]);
  });
});
