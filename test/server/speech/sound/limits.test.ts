/** Small files that unfold to hours or to any memory, heads that lie, and streams without an end: each ends, with what to do. */
import { describe, expect, test } from 'vitest';
import { formats } from '../../../../server/speech/sound/formats/formats.ts';
import { enforceLimits } from '../../../../server/speech/sound/limits.ts';
import { toMono } from '../../../../server/speech/sound/mono.ts';
import { soundRate } from '../../../../server/speech/sound/samples.ts';
import type { AudioType } from '../../../../src/contract/document.ts';
import { flacOf } from '../../../support/flac.ts';
import { tones, wavOf } from '../../../support/sound.ts';

/** Seconds of sound until the end, or the refusal. */
async function secondsOf(sound: AsyncIterable<Float32Array>): Promise<number | string> {
  let samples = 0;
  try {
    for await (const block of sound) samples += block.length;
    return samples / soundRate;
  } catch (error) {
    return (error as Error).message;
  }
}

async function decoded(type: AudioType, bytes: Uint8Array, seconds = 3600): Promise<number | string> {
  const decode = await formats[type]();
  const read = async function* () {
    yield new Uint8Array(bytes);
  };
  return secondsOf(enforceLimits(toMono(decode(read, () => {})), { seconds, memory: Infinity }));
}

const hours = (count: number, rate = soundRate): number => count * 3600 * rate;

describe('a bomb', () => {
  const bomb = flacOf([hours(2)], { promised: 0 });
  test('is small, and stops where its sound is too long', async () => {
    expect(bomb.length).toBeLessThan(40_000);
    expect(await decoded('audio/flac', bomb, 600)).toMatch(/^The audio is longer than .* hours. Send it in parts.$/);
  });

  test('whose declared length is too long is refused before decoding', async () => {
    expect(await decoded('audio/flac', flacOf([hours(1)], { promised: hours(13) }))).toBe(
      'The audio is longer than 12 hours. Send it in parts.',
    );
  });

  test('of slow samples has the length of its time, not of its bytes', async () => {
    const slow = wavOf([new Float32Array(1000 * 40)], { rate: 1000, encoding: 'PCM of 8 bits' });
    expect(await decoded('audio/wav', slow)).toBeCloseTo(40, 0);
    expect(await decoded('audio/wav', slow, 20)).toMatch(/longer than/);
  });
});

test('a sound without an end stops at the limit, and is not read on', async () => {
  let blocks = 0;
  async function* endless(): AsyncGenerator<Float32Array> {
    for (;;) {
      blocks += 1;
      yield new Float32Array(soundRate);
    }
  }
  const told = await secondsOf(enforceLimits(endless(), { seconds: 60, memory: Infinity }, () => 0));
  expect([told, blocks]).toEqual([expect.stringMatching(/longer than/), 61]);
});

test('a sound whose decoder takes ever more memory stops at the limit', async () => {
  async function* sound(): AsyncGenerator<Float32Array> {
    for (let second = 0; second < 100; second += 1) yield new Float32Array(soundRate);
  }
  let used = 0;
  const told = await secondsOf(enforceLimits(sound(), { seconds: 3600, memory: 1000 }, () => (used += 100)));
  expect([told, used]).toEqual([expect.stringMatching(/takes too much memory/), 1100]);
});

test.each<[string, Uint8Array, AudioType]>([
  ['less sound than there is', wavOf([tones([0, 1, 2, 3])], { promised: 6400 }), 'audio/wav'],
  ['more sound than there is', wavOf([tones([0])], { promised: 900_000_000 }), 'audio/wav'],
  ['more samples than there are', flacOf([tones([0])], { promised: hours(11) }), 'audio/flac'],
  ['fewer samples than there are', flacOf([tones([0, 1])], { promised: 10 }), 'audio/flac'],
])('a head that promises %s takes no sound away and adds none', async (_, bytes, type) => {
  const found = await decoded(type, bytes);
  expect(found).toBeGreaterThan(0.19);
  expect(found).toBeLessThan(1.7);
});
