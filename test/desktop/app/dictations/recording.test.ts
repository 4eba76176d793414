import { appendFile, open, readdir, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../../src/domain/clock.ts';
import { openLineLog } from '../../../../src/node/files/line-log.ts';
import {
  beginning,
  crashed,
  openDesk as openAnyDesk,
  rate,
  samples,
  startOfTest,
  valuesOf,
} from './open-dictations.ts';
import type { Desk, DeskOptions } from './open-dictations.ts';

/** Its files are plain here, so that they can be measured and changed; those that are encrypted: sealed.test.ts. */
const openDesk = (options: DeskOptions = {}): Promise<Desk> => openAnyDesk({ sealing: undefined, ...options });

const soundOf = (directory: string, id: string): string => join(directory, 'dictations', id, 'sound.pcm');

describe('recording', () => {
  it('is on disk when it begins, private to its owner', async () => {
    const desk = await openDesk();
    const { id, state, seconds } = await desk.call['dictation.start'](beginning);
    expect({ state, seconds }).toEqual({ state: 'paused', seconds: 0 });
    const directory = join(desk.directory, 'dictations', id);
    expect((await readdir(directory)).toSorted()).toEqual(['edits.log', 'meta.json', 'sound.pcm']);
    if (process.platform === 'win32') return;
    for (const name of ['', 'edits.log', 'meta.json', 'sound.pcm']) {
      expect((await stat(join(directory, name))).mode & 0o777, name).toBe(name === '' ? 0o700 : 0o600);
    }
    const again = await openDesk({ directory: await crashed(desk) });
    expect(await again.get(id)).toMatchObject({ id, item_id: 'wli_1', state: 'paused', recovered: false });
  });

  it('has every block on disk when it answers', async () => {
    const clock = manualClock(startOfTest);
    const desk = await openDesk({ clock });
    const { id } = await desk.call['dictation.start'](beginning);
    expect((await desk.take(id)).dictation.state).toBe('recording');
    for (let number = 1; number <= 5; number++) {
      clock.advance(100);
      const answer = await desk.block(id, samples(number, 800));
      expect(answer).toEqual({
        stored: number * 800,
        is_current: true,
        saved_at: new Date(clock.now()).toISOString(),
      });
      expect((await stat(soundOf(desk.directory, id))).size).toBe(number * 1600);
    }
    expect(await desk.call['dictation.pause']({ id })).toMatchObject({ state: 'paused', seconds: 0.5, can_undo: true });
  });

  const elsewhere = { code: 'INVALID_TRANSITION', details: { reason: 'other_window' } };

  it('belongs to one window at a time: another learns this, and may take over', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(9, 2));
    await desk.take(id, { take: 'one', page: 'one', mode: 'insert', at: 0 });
    await desk.block(id, samples(1, 2));
    // What this one knows of it is old: 2 of 4 samples.
    const two = { take: 'two', page: 'two', mode: 'overwrite', at: 0 } as const;
    await expect(desk.take(id, two)).rejects.toMatchObject(elsewhere);
    await expect(desk.send(id)).rejects.toMatchObject(elsewhere);
    expect(await desk.get(id)).toMatchObject({ state: 'recording' });

    // It goes on where the other one was, and covers nothing of what it has not seen.
    expect(await desk.take(id, { ...two, take_over: true })).toMatchObject({ at: 2 / rate, stored: 0 });
    await desk.block(id, samples(2, 2));
    // Nothing that was said at the first one is lost, nor does its end end the take of the other.
    const late = { take: 'one', from: 2 };
    expect(await desk.block(id, samples(1, 1), late)).toMatchObject({ stored: 3, is_current: false });
    const again = { take: 'one', page: 'one', resumed: { ...beginning, from: 3 } };
    await expect(desk.call['dictation.take']({ id, mode: 'insert', at: 0, ...again })).rejects.toMatchObject(elsewhere);
    expect(await desk.call['dictation.pause']({ id, take: 'one' })).toMatchObject({ state: 'recording' });
    expect(await desk.block(id, samples(2, 1), { take: 'two', from: 2 })).toMatchObject({ is_current: true });
    expect(await desk.call['dictation.pause']({ id, take: 'two' })).toMatchObject({ state: 'paused' });
    expect(await desk.heard(id)).toEqual([1, 1, 1, 2, 2, 2, 9, 9]);
  });

  it.each(['before', 'after'])(
    'keeps the order of the speech, the last words of the first window arriving %s',
    async (when) => {
      const desk = await openDesk();
      const { id } = await desk.dictate('wli_1', samples(9, 2));
      await desk.take(id, { take: 'one', page: 'one' });
      await desk.block(id, samples(1, 2));
      await desk.take(id, { take: 'two', page: 'two', take_over: true });
      const late = () => desk.block(id, samples(1, 1), { take: 'one', from: 2 });
      if (when === 'before') await late();
      await desk.block(id, samples(2, 2), { take: 'two', from: 0 });
      if (when === 'after') await late();
      expect(await desk.heard(id)).toEqual([9, 9, 1, 1, 1, 2, 2]);
      const again = await openDesk({ directory: await crashed(desk) });
      expect(await again.heard(id)).toEqual([9, 9, 1, 1, 1, 2, 2]);
    },
  );

  it('stays with the window that took it over, however long that one is held up', async () => {
    const clock = manualClock(startOfTest);
    const desk = await openDesk({ clock });
    const { id } = await desk.call['dictation.start'](beginning);
    await desk.take(id, { take: 'one', page: 'one' });
    await desk.block(id, samples(1, 2));
    await desk.take(id, { take: 'two', page: 'two', take_over: true });
    const again = () => desk.take(id, { take: 'one', page: 'one', resumed: { ...beginning, from: 2 } });
    clock.advance(9999);
    await expect(again()).rejects.toMatchObject(elsewhere);
    expect(await desk.block(id, samples(2, 2), { take: 'two', from: 0 })).toMatchObject({ is_current: true });
    // Who sends nothing for longer is gone.
    clock.advance(10_000);
    await desk.until((told) => told.state === 'paused');
    expect((await again()).dictation).toMatchObject({ state: 'recording' });
  });

  it('says who records it while that window sends sound, and at once that it sends none', async () => {
    const clock = manualClock(startOfTest);
    const desk = await openDesk({ clock });
    const { id } = await desk.call['dictation.start'](beginning);
    const recordedBy = () => desk.told.at(-1)?.recorded_by;
    await desk.take(id, { take: 'one', page: 'one' });
    await desk.block(id, samples(1, 2));
    expect(recordedBy()).toBe('one');
    // The window stands still, or its computer sleeps.
    clock.advance(3000);
    expect([recordedBy(), (await desk.get(id))?.state]).toEqual([undefined, 'recording']);
    await desk.block(id, samples(1, 2));
    expect(recordedBy()).toBe('one');
    await desk.call['dictation.pause']({ id, interrupted: true });
    expect(desk.told.at(-1)).toMatchObject({ state: 'paused', recovered: true });
    expect(recordedBy()).toBeUndefined();
  });

  it('is available to a reloaded window', async () => {
    const clock = manualClock(startOfTest);
    const desk = await openDesk({ clock });
    const { id } = await desk.call['dictation.start'](beginning);
    await desk.take(id, { page: 'one' });
    await desk.block(id, samples(1, 2));
    clock.advance(2000);
    expect((await desk.take(id, { page: 'two' })).dictation).toMatchObject({ state: 'recording' });
  });

  it('ignores a position that no longer exists', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(1, 4));
    const place = (of: number) => desk.take(id, { mode: 'insert', at: 1 / rate, of: of / rate });
    await expect(place(3)).rejects.toMatchObject({ details: { reason: 'changed_elsewhere' } });
    expect(await place(4)).toMatchObject({ at: 1 / rate });
  });

  it('is begun once where the answer to that was lost', async () => {
    const desk = await openDesk();
    const { id } = await desk.call['dictation.start'](beginning);
    const again = await desk.call['dictation.start']({ ...beginning, language: 'es-ES' });
    expect(again).toMatchObject({ id, language: 'es-ES' });
    await desk.take(id);
    expect((await desk.call['dictation.start'](beginning)).id).not.toBe(id);
  });

  it('says how much more the disk takes', async () => {
    const desk = await openDesk({ disk: { open, freeBytes: async () => rate * 2 * 7200 } });
    const { id } = await desk.call['dictation.start'](beginning);
    expect(await desk.call['dictation.room']({ id })).toEqual({ seconds: 7200 });
  });

  it('takes every sample once, however often, late and in whatever pieces it comes; refuses a gap', async () => {
    const desk = await openDesk();
    const { id } = await desk.call['dictation.start'](beginning);
    await desk.take(id);
    const block = (from: number, ...values: number[]) =>
      desk.block(id, Buffer.from(Int16Array.from(values).buffer), { from });
    await Promise.all([block(0, 1, 2), block(0, 1, 2), block(2, 3, 4), block(1, 2, 3)]);
    await expect(block(5, 6)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'Sample 4 of this take is missing.',
      details: { errors: [{ field: 'from' }] },
    });
    expect(await block(3, 4, 5)).toMatchObject({ stored: 5, is_current: true });
    await desk.call['dictation.pause']({ id });
    expect(await block(4, 5, 6)).toMatchObject({ stored: 6, is_current: false });
    expect(await desk.call['dictation.pause']({ id })).toMatchObject({ state: 'paused', recovered: false });
    expect(await desk.heard(id)).toEqual([1, 2, 3, 4, 5, 6]);
    await expect(desk.block(id, samples(1, 1), { take: 'unheard_of', from: 0 })).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
    });
  });

  it.each([
    ['no bytes', 0, 'VALIDATION_FAILED'],
    ['half a sample', 1601, 'VALIDATION_FAILED'],
    ['more than ten seconds', rate * 2 * 10 + 2, 'PAYLOAD_TOO_LARGE'],
  ])('refuses a block of %s', async (_, length, code) => {
    const desk = await openDesk();
    const { id } = await desk.call['dictation.start'](beginning);
    await desk.take(id);
    const block = desk.block(id, Buffer.alloc(length));
    await expect(block).rejects.toMatchObject({ code });
    expect((await stat(soundOf(desk.directory, id))).size).toBe(0);
  });

  it('inserts, overwrites and appends, undoes the last stretch, and is the same after a crash', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(1, 8));
    const take = async (mode: 'insert' | 'overwrite' | 'append', at: number, value: number, count: number) => {
      await desk.take(id, { mode, at: at / rate });
      await desk.block(id, samples(value, count));
    };
    await take('insert', 2, 2, 2);
    await take('overwrite', 1, 3, 2);
    await take('append', 0, 4, 1);
    const whole = [1, 3, 3, 2, 1, 1, 1, 1, 1, 1, 4];
    expect(await desk.heard(id)).toEqual(whole);
    await desk.call['dictation.pause']({ id });
    const again = await openDesk({ directory: await crashed(desk) });
    expect(await again.heard(id)).toEqual(whole);
    for (const left of [whole.slice(0, 10), [1, 1, 2, 2, 1, 1, 1, 1, 1, 1], Array(8).fill(1), []]) {
      const {
        dictation: { can_undo },
      } = await again.call['dictation.undo']({ id });
      expect(await again.heard(id)).toEqual(left);
      expect(can_undo).toBe(left.length > 0);
      const later = await openDesk({ directory: await crashed(again) });
      expect(await later.heard(id)).toEqual(left);
    }
    await expect(again.call['dictation.undo']({ id })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    // What was taken back is brought back, step by step, also after the app has died.
    const later = await openDesk({ directory: await crashed(again) });
    expect(await later.get(id)).toMatchObject({ taken_back: 13 / rate });
    for (const back of [Array(8).fill(1), [1, 1, 2, 2, 1, 1, 1, 1, 1, 1], whole.slice(0, 10), whole]) {
      await later.call['dictation.redo']({ id });
      expect(await later.heard(id)).toEqual(back);
    }
    expect(await later.get(id)).not.toHaveProperty('taken_back');
    await expect(later.call['dictation.redo']({ id })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  it('takes back a phrase, and not the take; the sound of it stays on disk until it is spoken over', async () => {
    const phrases = [0.9, 0, 0.8, 0, 0.7].flatMap((seconds) => {
      const voiced = Array.from({ length: seconds * rate }, (_, n) => Math.round(9000 * Math.sin(n / 3)) || 0);
      return seconds > 0 ? voiced : Array.from({ length: 0.5 * rate }, () => 0);
    });
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', Buffer.from(Int16Array.from(phrases).buffer));
    const { dictation, at } = await desk.call['dictation.undo']({ id });
    expect(dictation.seconds).toBeCloseTo(0.9 + 0.5 + 0.8 + 0.32, 1);
    expect(at).toBe(dictation.seconds);
    expect((await stat(soundOf(desk.directory, id))).size).toBe(phrases.length * 2);
    const second = await desk.call['dictation.undo']({ id });
    expect(second.dictation.seconds).toBeCloseTo(0.9 + 0.32, 1);
    const again = await openDesk({ directory: await crashed(desk) });
    await again.call['dictation.redo']({ id });
    const whole = await again.call['dictation.redo']({ id });
    expect(whole.dictation.seconds).toBe(phrases.length / rate);
    expect(await again.heard(id)).toEqual(phrases);
  });

  it('takes back whole takes where an earlier version did', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(1, 4), samples(2, 3));
    const directory = await crashed(desk);
    const { log } = await openLineLog(join(directory, 'dictations', id, 'edits.log'));
    await log.append({ undo: 7 });
    await log.close();
    const again = await openDesk({ directory });
    expect(await again.heard(id)).toEqual([1, 1, 1, 1]);
    await again.call['dictation.redo']({ id });
    expect(await again.heard(id)).toEqual([1, 1, 1, 1, 2, 2, 2]);
  });

  it('is a WAV file of which any part can be had', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', Buffer.from(Int16Array.from({ length: 50 }, (_, n) => n).buffer));
    await desk.take(id, { mode: 'insert', at: 20 / rate });
    await desk.block(id, samples(-5, 7));
    const file = await desk.file(`dictations/${id}.wav`);
    expect(file).toMatchObject({ size: 44 + 57 * 2, contentType: 'audio/wav' });
    const whole = await desk.wav(id);
    expect(whole.length).toBe(file!.size);
    expect(whole.toString('latin1', 0, 4)).toBe('RIFF');
    expect([whole.readUInt32LE(4), whole.readUInt32LE(24), whole.readUInt32LE(40)]).toEqual([
      whole.length - 8,
      rate,
      114,
    ]);
    expect(valuesOf(whole.subarray(44)).slice(18, 30)).toEqual([18, 19, -5, -5, -5, -5, -5, -5, -5, 20, 21, 22]);
    for (let start = 0; start < whole.length; start += 13) {
      for (const end of [start, start + 1, start + 40, whole.length - 1, whole.length + 9]) {
        expect(await desk.wav(id, { start, end })).toEqual(whole.subarray(start, end + 1));
      }
    }
    expect(await desk.wav(id, { start: whole.length, end: whole.length + 5 })).toEqual(Buffer.alloc(0));
    expect(await desk.file('dictations/..%2F..%2Fsecret.wav')).toBeUndefined();
    expect(await desk.file('records/rec_1/audio')).toBeUndefined();
  });

  it('returns the waveform of the audible part', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(0, 40), samples(-32_768, 40), samples(16_384, 20));
    const outline = await desk.call['dictation.peaks']({ id, points: 10 });
    expect(outline).toEqual({ peaks: [0, 0, 0, 0, 1, 1, 1, 1, 0.5, 0.5], seconds: 100 / rate });
    expect((await desk.call['dictation.peaks']({ id, points: 2 })).peaks).toEqual([1, 1]);
    await desk.call['dictation.undo']({ id });
    expect((await desk.call['dictation.peaks']({ id, points: 2 })).peaks).toEqual([0, 1]);
    expect((await desk.call['dictation.peaks']({ id, points: 200 })).peaks.filter((peak) => peak === 1)).toHaveLength(
      40,
    );
  });
});

describe('after the app has died', () => {
  it('offers recorded audio as recovered, without half a sample', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(1, 4));
    await desk.take(id, { mode: 'insert', at: 0 });
    await desk.block(id, samples(2, 2));
    const directory = await crashed(desk);
    await appendFile(soundOf(directory, id), Buffer.from([3, 0, 3]));
    const again = await openDesk({ directory });
    expect(await again.get(id)).toMatchObject({ state: 'paused', recovered: true, saved_at: expect.any(String) });
    expect(await again.heard(id)).toEqual([2, 2, 3, 1, 1, 1, 1]);
    await again.take(id);
    await again.block(id, samples(4, 1));
    await again.call['dictation.pause']({ id });
    await again.call['dictation.undo']({ id });
    expect(await again.heard(id)).toEqual([2, 2, 3, 1, 1, 1, 1]);
    await again.close();
    const last = await openDesk({ directory });
    expect(await last.get(id)).toMatchObject({ state: 'paused', recovered: true });
  });

  it('offers the others where one can’t be read, and leaves that where it is', async () => {
    const desk = await openDesk();
    const [one, other] = [await desk.dictate('wli_1', samples(1, 4)), await desk.dictate('wli_2', samples(1, 4))];
    const directory = await crashed(desk);
    await appendFile(join(directory, 'dictations', one.id, 'meta.json'), '}');
    const again = await openDesk({ directory });
    expect((await again.call['dictation.list']({})).items.map(({ id }) => id)).toEqual([other.id]);
    expect(again.log).toEqual(['dictation_not_readable']);
    expect((await stat(soundOf(directory, one.id))).size).toBe(8);
  });

  it('never deletes sound, even where all else of it is lost', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(1, 4));
    const directory = await crashed(desk);
    await rm(join(directory, 'dictations', id, 'meta.json'));
    const again = await openDesk({ directory });
    expect(again.log).toEqual(['dictation_not_readable']);
    expect((await stat(soundOf(directory, id))).size).toBe(8);
  });

  it('reports a take that was running when it was closed', async () => {
    const desk = await openDesk();
    const { id } = await desk.dictate('wli_1', samples(1, 4));
    await desk.take(id);
    await desk.block(id, samples(2, 2));
    await desk.close();
    const again = await openDesk({ directory: desk.directory });
    expect(await again.get(id)).toMatchObject({ state: 'paused', recovered: true, seconds: 6 / rate });
  });

  it('belongs to one process at a time', async () => {
    const desk = await openDesk();
    const clock = {
      now: () => clock.time,
      elapsed: () => (clock.time += 1000),
      schedule: (_: number, task: () => void) => (setImmediate(task), () => {}),
      time: 0,
    };
    await expect(openDesk({ directory: desk.directory, clock })).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });
});

it('takes a page that sends nothing for ten seconds for gone', async () => {
  const clock = manualClock(startOfTest);
  const desk = await openDesk({ clock });
  const { id } = await desk.call['dictation.start'](beginning);
  await desk.take(id);
  for (let second = 0; second < 30; second++) {
    await desk.block(id, samples(1, 8));
    clock.advance(1000);
  }
  expect((await desk.get(id))?.state).toBe('recording');
  clock.advance(9000);
  expect(await desk.until((told) => told.recovered)).toMatchObject({ state: 'paused', seconds: 240 / rate });
});

describe('a disk', () => {
  it('that is almost full begins nothing', async () => {
    const desk = await openDesk({ disk: { open, freeBytes: async () => 49_999_999 } });
    const started = desk.call['dictation.start'](beginning);
    await expect(started).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', hint: expect.any(String) });
    expect(await readdir(join(desk.directory, 'dictations'))).toEqual([]);
  });

  it('completes begun writes before the app closes, and writes nothing after that', async () => {
    const asked = Promise.withResolvers<void>();
    const room = Promise.withResolvers<number>();
    const freeBytes = () => (asked.resolve(), room.promise);
    const desk = await openDesk({ disk: { open, freeBytes } });
    const started = desk.call['dictation.start'](beginning);
    await asked.promise;
    const closed = desk.close();
    room.resolve(1e9);
    await closed;
    const again = await openDesk({ directory: await crashed(desk) });
    expect(await again.get((await started).id)).toMatchObject({ item_id: 'wli_1' });
  });

  it('that fills up keeps what is written, says so, and goes on once there is room', async () => {
    let room = Infinity;
    const disk = {
      open: async (...args: Parameters<typeof open>) => limited(await open(...args), () => room),
      freeBytes: async () => 1e9,
    };
    const desk = await openDesk({ disk });
    const { id } = await desk.dictate('wli_1', samples(1, 8));
    await desk.take(id);
    room = 3;
    const block = () => desk.block(id, samples(2, 8));
    await expect(block()).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: 'The disk of this computer is full.',
    });
    expect((await stat(soundOf(desk.directory, id))).size).toBe(16);
    expect(await desk.call['dictation.pause']({ id })).toMatchObject({ state: 'paused', seconds: 8 / rate });
    room = Infinity;
    await desk.take(id, { take: 'again' });
    await block();
    await desk.call['dictation.pause']({ id });
    const again = await openDesk({ directory: await crashed(desk) });
    expect(await again.heard(id)).toEqual([...Array(8).fill(1), ...Array(8).fill(2)]);
  });

  it('that fails to sync is written to no more', async () => {
    let fails = false;
    const broken = (handle: FileHandle) =>
      new Proxy(handle, {
        get: (target, name) => {
          if (name === 'datasync' && fails)
            return () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
          const value = Reflect.get(target, name) as unknown;
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    const desk = await openDesk({
      disk: { open: async (...args) => broken(await open(...args)), freeBytes: async () => 1e9 },
    });
    const { id } = await desk.call['dictation.start'](beginning);
    await desk.take(id);
    const block = () => desk.block(id, samples(2, 8));
    fails = true;
    await expect(block()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    fails = false;
    await expect(block()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect((await desk.get(id))?.seconds).toBe(0);
  });
});

it('is not said to be saved once its directory was removed', async () => {
  const desk = await openDesk();
  const { id } = await desk.dictate('wli_1', samples(1, 4));
  await desk.take(id);
  await desk.block(id, samples(2, 4));
  await rm(join(desk.directory, 'dictations', id), { recursive: true });
  await expect(desk.block(id, samples(2, 4))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});

/** A file on a disk with so many bytes left: it takes those and refuses the rest, as ENOSPC does. */
function limited(handle: FileHandle, room: () => number): FileHandle {
  return new Proxy(handle, {
    get(target, name) {
      if (name === 'write') {
        return async (bytes: Uint8Array, offset: number, length: number, position: number) => {
          if (length <= room()) return target.write(bytes, offset, length, position);
          await target.write(bytes, offset, room(), position);
          throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        };
      }
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
