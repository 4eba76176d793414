import { execFileSync } from 'node:child_process';
import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { lastStretch } from '../../../src/domain/dictation/stretch.ts';
import { noises, seeded } from '../../support/noise.ts';

const rate = 16_000;
/** `seconds` of a voice-like tone or, as 0, of stillness. */
const tone = (seconds: number): Float32Array =>
  Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, n) => 0.3 * Math.sin(n / 5) * (0.7 + 0.3 * Math.sin(n / 800)),
  );
const still = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * rate));
const joined = (...parts: readonly Float32Array[]): Float32Array =>
  Float32Array.from(parts.flatMap((part) => [...part]));
const withNoise = (sound: Float32Array, decibels: number): Float32Array => {
  const noise = noises.pink(sound.length, seeded(1));
  const power = Math.sqrt(noise.reduce((sum, each) => sum + each * each, 0) / noise.length);
  return sound.map((each, n) => each + (noise[n]! / power) * 10 ** (decibels / 20));
};
const secondsOf = (sound: Float32Array): number => lastStretch(sound, rate) / rate;

/** Espeak's own sound of each phrase at 22,050 Hz, as espeak makes it without a pause at the end. */
const phrase = (words: string): Float32Array => {
  const wav = execFileSync('espeak-ng', ['-v', 'pt-br', '-z', '--stdout', words]);
  const from = wav.readUInt32LE(24);
  return Float32Array.from(
    { length: Math.floor(((wav.length - 44) / 2) * (rate / from)) },
    (_, n) => wav.readInt16LE(44 + 2 * Math.floor((n * from) / rate)) / 0x8000,
  );
};

describe('the last stretch that was spoken', () => {
  it('is the last phrase, with a moment of the pause before it', () => {
    expect(secondsOf(joined(tone(3), still(0.6), tone(1.5)))).toBeCloseTo(1.68, 1);
    expect(secondsOf(joined(tone(3), still(0.6), tone(1.5), still(4)))).toBeCloseTo(5.68, 1);
  });

  it('is all of a take that is one phrase, or nothing but stillness', () => {
    for (const sound of [
      tone(2),
      joined(still(1), tone(0.1)),
      still(5),
      tone(0.01),
      new Float32Array(0),
      new Float32Array(3),
    ])
      expect(lastStretch(sound, rate)).toBe(sound.length);
  });

  it('does not begin in the moment of a plosive, nor with a cough', () => {
    expect(secondsOf(joined(still(1), tone(1), still(0.2), tone(1)))).toBeCloseTo(2.38, 1);
    expect(secondsOf(joined(tone(1), still(0.6), tone(1), still(0.6), tone(0.08)))).toBeCloseTo(1.86, 1);
  });

  it('is never longer than ten seconds of speech, and then begins in the quietest moment', () => {
    const breath = tone(0.14).map((each) => each * 0.2);
    const sound = joined(tone(12), breath, tone(7));
    expect(secondsOf(sound)).toBeCloseTo(7.07, 1);
    expect(secondsOf(tone(25))).toBeLessThanOrEqual(10);
    expect(secondsOf(tone(25))).toBeGreaterThanOrEqual(4.9);
  });

  it.each([-60, -45, -35])('is found in speech in a room of %i dBFS', (decibels) => {
    const [first, second] = [phrase('Pulmões com transparência preservada.'), phrase('Sem derrame pleural.')];
    const sound = withNoise(joined(first, still(0.8), second, still(0.3)), decibels);
    const expected = second.length / rate + 0.3;
    expect(secondsOf(sound)).toBeGreaterThan(expected);
    expect(secondsOf(sound)).toBeLessThan(expected + 0.8);
  });

  it('is some of the sound, and at most ten seconds and the stillness after them', () => {
    const part = fc.tuple(fc.boolean(), fc.double({ min: 0.05, max: 4, noNaN: true }));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const sound = joined(...parts.map(([isVoice, seconds]) => (isVoice ? tone(seconds) : still(seconds))));
        const stretch = lastStretch(sound, rate);
        expect(stretch).toBeGreaterThan(0);
        expect(stretch).toBeLessThanOrEqual(sound.length);
        const last = parts.findLastIndex(([isVoice]) => isVoice);
        const after = parts.slice(last + 1).reduce((sum, [, seconds]) => sum + seconds, 0);
        if (last >= 0) expect(stretch / rate).toBeLessThanOrEqual(10 + after + 0.1);
      }),
      { numRuns: 30 },
    );
  });
});
