/** How long audio is, and that finding out is bounded, whatever the bytes are. */
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { measureSeconds } from '../../../../server/records/uploads/audio-seconds.ts';
import type { AudioSource } from '../../../../server/records/uploads/audio-seconds.ts';
import { audioTypeNames } from '../../../../src/contract/document.ts';
import type { AudioType } from '../../../../src/contract/document.ts';
import { beginnings, wav } from '../../../support/audio.ts';

/** Counts what is read of the bytes. */
function sourceOf(type: AudioType, bytes: Buffer) {
  const asked = { times: 0, bytes: 0 };
  const source: AudioSource = {
    type,
    bytes: bytes.length,
    async read(start, end) {
      asked.times++;
      asked.bytes += end - start;
      return bytes.subarray(start, end);
    },
  };
  return { source, asked };
}

/** MPEG 1 layer III, 44,100 Hz, with nothing in it; 1,152 samples. */
function mp3Frame(bitrate: 64 | 128): Buffer {
  const frame = Buffer.alloc(Math.floor((144 * bitrate * 1000) / 44_100));
  frame.set([0xff, 0xfb, bitrate === 128 ? 0x90 : 0x50, 0xc0]);
  return frame;
}
const mp3Seconds = (frames: number): number => Math.round((frames * 1152 * 1000) / 44_100) / 1000;

function flac(samples: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(4096, 0);
  info.writeUInt16BE(4096, 2);
  // 16,000 Hz in 20 bits, one channel in 3, 16 bits a sample in 5, the number of samples in 36.
  info.writeBigUInt64BE((16_000n << 44n) | (15n << 36n) | BigInt(samples), 10);
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, Buffer.alloc(4000)]);
}

const known: readonly (readonly [string, AudioType, Buffer, number])[] = [
  ['wav', 'audio/wav', wav({ seconds: 2.5 }), 2.5],
  ['flac', 'audio/flac', flac(40_000), 2.5],
  [
    'mp3 of one bitrate',
    'audio/mpeg',
    Buffer.concat(Array.from({ length: 200 }, () => mp3Frame(128))),
    mp3Seconds(200),
  ],
  [
    'mp3 of changing bitrates, which does not say',
    'audio/mpeg',
    Buffer.concat(Array.from({ length: 2000 }, (_, at) => mp3Frame(at % 3 === 0 ? 64 : 128))),
    mp3Seconds(2000),
  ],
];
test.each(known)('%s', async (_name, type, bytes, seconds) => {
  const found = await measureSeconds(sourceOf(type, bytes).source);
  expect(found).not.toBeNull();
  expect(Math.abs(found! - seconds)).toBeLessThan(0.06);
});

test.each(['audio/wav', 'audio/flac'] as const)('of long %s no more than its head is read', async (type) => {
  const bytes = Buffer.concat([
    type === 'audio/wav' ? wav({ seconds: 600 }) : flac(9_600_000),
    Buffer.alloc(5_000_000),
  ]);
  const { source, asked } = sourceOf(type, bytes);
  expect(await measureSeconds(source)).toBe(600);
  expect(asked.bytes).toBeLessThan(300_000);
});

/** The head of a container, then rubbish of some kind, over and over. */
const rubbish = fc
  .tuple(
    fc.constantFrom(...audioTypeNames),
    fc.oneof(
      fc.constantFrom(
        [0xff],
        [0xff, 0xfb, 0x14, 0],
        [...Buffer.from('ID3\u0004\0\0\0\0\0\0', 'latin1')],
        [0, 0, 0, 8, ...Buffer.from('free')],
        [0, 0x10, 0, 0, ...Buffer.from('moov')],
        [...Buffer.from('OggS'), ...Buffer.alloc(23)],
        [0x18, 0x53, 0x80, 0x67, 0x84],
        [0xec, 0x80],
        [1, 0, 0, 0],
        [...Buffer.from('JUNK\0\0\0\0')],
      ),
      fc.array(fc.nat(255), { minLength: 1, maxLength: 24 }),
    ),
    fc.nat(600),
  )
  .map(([type, unit, head]) => {
    const beginning = Buffer.concat([beginnings[type], Buffer.alloc(600)]).subarray(0, beginnings[type].length + head);
    return { type, bytes: Buffer.concat([beginning, Buffer.alloc(1_500_000, Buffer.from(unit))]) };
  });

test('whatever the bytes are, no more of them is read than the bounds allow, and it ends', async () => {
  const effort = { steps: 3000, bytes: 1_000_000 };
  await fc.assert(
    fc.asyncProperty(rubbish, async ({ type, bytes }) => {
      const { source, asked } = sourceOf(type, bytes);
      const seconds = await measureSeconds(source, effort);
      expect(seconds === null || seconds >= 0).toBe(true);
      expect(asked.times).toBeLessThanOrEqual(effort.steps);
      expect(asked.bytes).toBeLessThanOrEqual(effort.bytes);
    }),
    { numRuns: 60 },
  );
});

test('500 bytes of an MP3 and five million times 0xFF end by the number of steps, long before the end', async () => {
  const bytes = Buffer.concat([beginnings['audio/mpeg'], Buffer.alloc(5_000_000, 0xff)]);
  const { source, asked } = sourceOf('audio/mpeg', bytes);
  expect(await measureSeconds(source, { steps: 20_000, bytes: 64_000_000 })).toBeNull();
  expect(asked.bytes).toBeLessThan(500_000);
});

test('an unreadable source gives no length', async () => {
  const read = () => Promise.reject(new Error('gone'));
  expect(await measureSeconds({ type: 'audio/wav', bytes: 1000, read })).toBeNull();
});
