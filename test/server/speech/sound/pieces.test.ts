/** A sound goes to a server in pieces: cut in silences, without what nobody says, and with the times of the whole. */
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { encodeWav } from '../../../../server/speech/openai/recogniser/endpoint.ts';
import { soundRate } from '../../../../server/speech/sound/samples.ts';
import { originalTime, cutPieces } from '../../../../server/speech/sound/pieces.ts';
import type { SoundPiece } from '../../../../server/speech/sound/pieces.ts';
import { frameSeconds } from '../../../../server/speech/sound/voice.ts';

/** A voice of so many seconds from `from` on: a tone whose loudness goes up and down as that of syllables does. */
interface Voice {
  readonly from: number;
  readonly seconds: number;
  /** Of full scale. */
  readonly loud?: number;
}

/** Deterministic noise from -1 to 1. */
const noiseAt = (at: number): number => {
  const value = Math.sin(at * 12.9898) * 43_758.5453;
  return (value - Math.floor(value)) * 2 - 1;
};

/** The sound in blocks of odd sizes. */
function* sound(seconds: number, voices: readonly Voice[], { noise = 0, block = 7777 } = {}): Generator<Float32Array> {
  const length = Math.round(seconds * soundRate);
  for (let start = 0; start < length; start += block) {
    const samples = new Float32Array(Math.min(block, length - start));
    for (let at = 0; at < samples.length; at += 1) samples[at] = noise * noiseAt(start + at);
    for (const { from, seconds: long, loud = 0.2 } of voices) {
      const [first, last] = [Math.round(from * soundRate), Math.round((from + long) * soundRate)];
      for (let at = Math.max(first, start); at < Math.min(last, start + samples.length); at += 1) {
        const second = at / soundRate;
        samples[at - start]! += loud * (0.55 + 0.45 * Math.sin(second * 25)) * Math.sin(second * 2 * Math.PI * 220);
      }
    }
    yield samples;
  }
}

async function cut(pieces: Iterable<Float32Array>, seconds = 60): Promise<SoundPiece[]> {
  const all: SoundPiece[] = [];
  for await (const piece of cutPieces(pieces, () => seconds)) all.push(piece);
  return all;
}

const lengthOf = ({ samples }: SoundPiece): number => samples.length / soundRate;
/** The stretches of the whole sound that a piece holds. */
const stretches = (piece: SoundPiece): { from: number; to: number }[] =>
  piece.parts.map(({ at, from }, index) => ({
    from,
    to: from + (piece.parts[index + 1]?.at ?? lengthOf(piece)) - at,
  }));

test('audio that stops in the middle of a word is distinguished from complete words, with or without silence after them', async () => {
  /** A vowel of half a second, which fades in the last `fade` seconds, and `after` seconds of silence. */
  const vowel = (fade: number, after: number): Float32Array => {
    const length = soundRate / 2;
    const samples = new Float32Array(length + Math.round(after * soundRate));
    for (let at = 0; at < length; at += 1) {
      const loud = Math.min(1, fade === 0 ? 1 : (length - at) / (fade * soundRate));
      samples[at] = 0.3 * loud * Math.sin((at / soundRate) * 2 * Math.PI * 180);
    }
    return samples;
  };
  const breaksOff = async (fade: number, after: number): Promise<boolean> =>
    (await cut([new Float32Array(soundRate), vowel(fade, after)])).at(-1)?.breaksOff === true;
  expect(await Promise.all([breaksOff(0, 0), breaksOff(0, 0.04)])).toEqual([true, true]);
  const ended = [
    [0.06, 0],
    [0.06, 0.04],
    [0.15, 0],
    [0, 0.1],
    [0, 1],
  ] as const;
  expect(await Promise.all(ended.map(([fade, after]) => breaksOff(fade, after)))).toEqual(ended.map(() => false));
});

test.each([
  ['nothing', 0, 0],
  ['a quiet room', 30, 0.0005],
  ['a hum that begins with it', 60, 0.02],
])('%s has no pieces, or the beginning alone', async (_, seconds, noise) => {
  const pieces = await cut(sound(seconds, [], { noise }));
  expect(pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)).toBeLessThan(12);
});

test('silence before, behind and between is left out, and times are those of the whole', async () => {
  const [piece, ...others] = await cut(
    sound(60, [
      { from: 10, seconds: 2 },
      { from: 40, seconds: 3 },
    ]),
  );
  expect(others).toEqual([]);
  expect(lengthOf(piece!)).toBeGreaterThan(5);
  expect(lengthOf(piece!)).toBeLessThan(6.5);
  expect(piece!.voiced).toBeCloseTo(5, 0);
  expect(originalTime(piece!, 0.3)).toBeCloseTo(10, 1);
  expect(originalTime(piece!, piece!.parts[1]!.at + 0.3)).toBeCloseTo(40, 1);
});

test.each([
  ['a weak voice in a silent room', 0.004, 0],
  ['a voice in noise', 0.2, 0.01],
  ['a clipped voice', 3, 0],
])('%s is heard', async (_, loud, noise) => {
  const pieces = await cut(sound(20, [{ from: 12, seconds: 2, loud }], { noise }));
  const held = pieces.flatMap(stretches);
  expect(held.some(({ from, to }) => from <= 12 && to >= 14)).toBe(true);
});

test('speech without any silence is cut where it is least loud, and each piece has a second of the other', async () => {
  const pieces = await cut(sound(35, [{ from: 0, seconds: 35 }]), 10);
  expect(pieces.length).toBeGreaterThan(3);
  pieces.forEach((piece, index) => {
    expect(lengthOf(piece)).toBeLessThanOrEqual(10.02);
    if (index === 0) expect(piece.overlap).toBeUndefined();
    else {
      const { from } = stretches(piece)[0]!;
      expect(piece.overlap!.from).toBeCloseTo(from, 2);
      expect(piece.overlap!.to - piece.overlap!.from).toBeGreaterThan(1.5);
      expect(piece.overlap!.to).toBeCloseTo(stretches(pieces[index - 1]!).at(-1)!.to, 2);
    }
  });
});

test('whatever is spoken when, every voice is in a piece, once but for overlaps, and no piece is too long', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ gap: fc.integer({ min: 3, max: 40 }), length: fc.integer({ min: 2, max: 60 }) }), {
        maxLength: 8,
      }),
      fc.integer({ min: 100, max: 20_000 }),
      async (entries, block) => {
        let end = 0;
        const voices = entries.map(({ gap, length }) => {
          const from = end + gap / 10;
          end = from + length / 10;
          return { from, seconds: length / 10 };
        });
        const pieces = await cut(sound(end + 1, voices, { block }), 6);
        for (const piece of pieces) expect(lengthOf(piece)).toBeLessThanOrEqual(6.02);
        const held = pieces.flatMap((piece) => stretches(piece));
        for (const { from, seconds } of voices) {
          // In the middle of frames: at the moment between two, a piece ends and the next one begins.
          for (let at = from + 1.5 * frameSeconds; at < from + seconds - frameSeconds; at += 2 * frameSeconds) {
            const times = held.filter((each) => each.from <= at && at <= each.to).length;
            const isShared = pieces.some(({ overlap }) => overlap && overlap.from <= at && at <= overlap.to);
            expect(times).toBe(isShared ? 2 : 1);
          }
        }
      },
    ),
    {
      numRuns: 8,
      examples: [
        [
          [
            { gap: 13, length: 16 },
            { gap: 24, length: 35 },
          ],
          100,
        ],
      ],
    },
  );
});

test('an hour needs the memory of a piece', async () => {
  let most = 0;
  let count = 0;
  const minute = [
    ...sound(
      60,
      Array.from({ length: 12 }, (_, at) => ({ from: at * 5, seconds: 4 })),
    ),
  ];
  function* hour(): Generator<Float32Array> {
    for (let at = 0; at < 60; at += 1) yield* minute;
  }
  for await (const piece of cutPieces(hour(), () => 120)) {
    most = Math.max(most, piece.samples.byteLength);
    count += 1;
  }
  expect(count).toBeGreaterThan(25);
  expect(most).toBeLessThanOrEqual(120 * soundRate * 4);
});

test('the file that is sent is WAV of 16 bits', () => {
  const file = Buffer.from(encodeWav(Float32Array.from([0, 1, -1, 2, 0.5])));
  expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
  expect([file.readUInt32LE(24), file.readUInt32LE(40), file.length]).toEqual([soundRate, 10, 54]);
  expect([0, 1, 2, 3, 4].map((at) => file.readInt16LE(44 + at * 2))).toEqual([0, 32_767, -32_767, 32_767, 16_384]);
});
