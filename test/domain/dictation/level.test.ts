/** Whether a microphone hears a voice: real speech of several speakers at several levels, in noises of every colour. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  freshListening,
  hearing,
  listen,
  meterPosition,
  sentencePauseMs,
  measureSpeechLevel,
} from '../../../src/domain/dictation/level.ts';
import type { Hearing, Listening } from '../../../src/domain/dictation/level.ts';
import { seeded, noises } from '../../support/noise.ts';
import type { Noise } from '../../support/noise.ts';

const rate = 16_000;
const blockMs = 60;
const sizeOfBlock = (rate * blockMs) / 1000;
const db = (decibels: number): number => 10 ** (decibels / 20);

/** 16-bit mono of a WAV file at 16 kHz, whatever its rate was. */
function samplesOf(wav: Buffer): Float64Array {
  const from = wav.readUInt32LE(24);
  const at = wav.indexOf('data') + 8;
  const whole = Math.floor((wav.length - at) / 2);
  return Float64Array.from(
    { length: Math.floor((whole * rate) / from) },
    (_, n) => wav.readInt16LE(at + 2 * Math.floor((n * from) / rate)) / 0x8000,
  );
}
const spokenBy = (voice: string, words: string): Float64Array =>
  samplesOf(execFileSync('espeak-ng', ['-v', voice, '--stdout', words], { maxBuffer: 1 << 26 }));

const speakers = {
  'the sample dictation': samplesOf(readFileSync(new URL('../../../samples/dictation.wav', import.meta.url))),
  'a man in English': spokenBy(
    'en-us',
    'The lungs are clear. No pleural effusion. The heart is of normal size and shape.',
  ),
  'a woman in Portuguese': spokenBy(
    'pt-br+f3',
    'Pulmões com transparência preservada. Não há derrame pleural nem consolidações.',
  ),
  'a man in Spanish': spokenBy('es+m2', 'Los pulmones están libres. No hay derrame pleural. Corazón de tamaño normal.'),
} as const;

/** RMS of the loud half of its blocks: what is said, without the pauses. */
function levelOf(sound: Float64Array): number {
  const squares: number[] = [];
  for (let at = 0; at + sizeOfBlock <= sound.length; at += sizeOfBlock) {
    let sum = 0;
    for (let n = at; n < at + sizeOfBlock; n++) sum += sound[n]! ** 2;
    squares.push(sum / sizeOfBlock);
  }
  const loud = squares.toSorted((a, b) => b - a).slice(0, squares.length / 2);
  return Math.sqrt(loud.reduce((sum, each) => sum + each, 0) / loud.length);
}
const scaled = (sound: Float64Array, gain: number): Float64Array => {
  const louder = new Float64Array(sound.length);
  for (let n = 0; n < sound.length; n++) louder[n] = sound[n]! * gain;
  return louder;
};
const at = (sound: Float64Array, level: number): Float64Array => scaled(sound, db(level) / levelOf(sound));
function mixed(one: Float64Array, other: Float64Array): Float64Array {
  const both = new Float64Array(one.length);
  for (let n = 0; n < one.length; n++) both[n] = one[n]! + (other[n] ?? 0);
  return both;
}
/** Half a minute of each at 0 dBFS. */
const made = new Map<string, Float64Array>();
function noiseOf(kind: Noise, seconds: number, level: number, seed = 1): Float64Array {
  const name = `${kind} ${seed}`;
  const whole = made.get(name) ?? at(noises[kind](30 * rate, seeded(seed)), 0);
  made.set(name, whole);
  return scaled(whole.subarray(0, seconds * rate), db(level));
}

/** The sound without stretches over 300 ms in which nobody speaks. */
function spokenOn(sound: Float64Array): Float64Array {
  const least = levelOf(sound) / 100;
  const kept: number[] = [];
  let still = 0;
  for (const sample of sound) {
    still = Math.abs(sample) > least ? 0 : still + 1;
    if (still <= 0.3 * rate) kept.push(sample);
  }
  return Float64Array.from(kept);
}

/** What was heard after each block. */
function listeningTo(parts: readonly Float64Array[]): Listening[] {
  const states: Listening[] = [];
  let state = freshListening;
  for (const part of parts)
    for (let from = 0; from + sizeOfBlock <= part.length; from += sizeOfBlock) {
      const block = new Float32Array(sizeOfBlock);
      let peak = 0;
      for (let n = 0; n < sizeOfBlock; n++) {
        // As 16 bits have it.
        block[n] = Math.round(Math.max(-1, Math.min(1, part[from + n]!)) * 0x7fff) / 0x8000;
        peak = Math.max(peak, Math.abs(block[n]!));
      }
      state = listen(state, { peak, speech: measureSpeechLevel(block, rate), ms: blockMs });
      states.push(state);
    }
  return states;
}
/** How long nobody has spoken after each block, in ms. */
const pausesIn = (...parts: readonly Float64Array[]): number[] => listeningTo(parts).map(({ pauseMs }) => pauseMs);
/** What is said of the sound after each of its blocks. */
const heardIn = (...parts: readonly Float64Array[]): Hearing[] => listeningTo(parts).map(hearing);
const firstAfter = (told: readonly Hearing[], what: Hearing): number => (told.indexOf(what) + 1) * blockMs;
const kindsOf = (told: readonly Hearing[]): Hearing[] => [...new Set(told)];
const stillness = (seconds: number): Float64Array => new Float64Array(seconds * rate);
const kinds = Object.keys(noises) as Noise[];

describe('a microphone that gives only a steady noise', () => {
  it.each(kinds.flatMap((kind) => [-45, -30, -10].map((level) => [kind, level] as const)))(
    '%s at %i dBFS is reported after 2 s, and for as long as it lasts',
    (kind, level) => {
      for (const seed of [1, 2]) {
        const told = heardIn(noiseOf(kind, 8, level, seed));
        expect(firstAfter(told, 'noise')).toBeLessThanOrEqual(2100);
        expect(firstAfter(told, 'noise')).toBeGreaterThanOrEqual(2000);
        expect(kindsOf(told)).toEqual(['good', 'noise']);
      }
    },
  );

  it('is reported even if a crack opens it, and while its gain is still being adjusted', () => {
    const crack = noiseOf('white', 0.18, -6);
    expect(kindsOf(heardIn(crack, noiseOf('pink', 8, -35)))).toEqual(['good', 'noise']);
    const rising = noiseOf('pink', 8, -30).map((each, n) => each * db(Math.min(0, -24 + (n / rate) * 4)));
    expect(heardIn(rising).at(-1)).toBe('noise');
  });

  it('is reported in mid-speech if a plug comes loose', () => {
    const speech = mixed(at(speakers['a man in English'], -25), noiseOf('pink', 30, -65));
    const told = heardIn(speech, noiseOf('hum of 50 Hz', 6, -20));
    expect(kindsOf(told)).toEqual(['good', 'noise']);
    expect(kindsOf(told.slice(0, Math.floor(speech.length / sizeOfBlock)))).toEqual(['good']);
  });
});

describe('speech raises no alarm', () => {
  // Room at 40 dB and more below a voice is usual; 6 dB is a ventilator at the desk.
  const levels = [-12, -38];
  const distances = [40, 12, 3];
  it.each(Object.entries(speakers).flatMap(([who, sound]) => levels.map((level) => [who, level, sound] as const)))(
    '%s at %i dBFS, in each noise from 40 to 3 dB below',
    (_, level, sound) => {
      for (const kind of kinds)
        for (const distance of distances) {
          const told = heardIn(mixed(at(sound, level), noiseOf(kind, sound.length / rate, level - distance)));
          expect(kindsOf(told), `${kind}, ${distance} dB below`).toEqual(['good']);
        }
    },
  );

  it.each(kinds)('nor does a pause of 15 s in a room with %s', (kind) => {
    const said = at(speakers['a woman in Portuguese'], -25);
    for (const level of [-60, -45, -40]) {
      const room = noiseOf(kind, 30, level);
      const told = heardIn(mixed(said, room), room.subarray(0, 15 * rate));
      expect(kindsOf(told), `${level} dBFS`).toEqual(['good']);
    }
  });

  it('nor does a room whose noise becomes louder by 10 dB in a pause', () => {
    const room = noiseOf('pink', 30, -50);
    const told = heardIn(mixed(at(speakers['a man in Spanish'], -25), room), noiseOf('pink', 10, -40));
    expect(kindsOf(told)).toEqual(['good']);
  });
});

describe('silence', () => {
  const said = at(speakers['a man in English'], -25);

  it('of a dead microphone is reported after 2 s, from the start and in mid-speech', () => {
    expect(kindsOf(heardIn(stillness(4)))).toEqual(['good', 'dead']);
    expect(firstAfter(heardIn(stillness(4)), 'dead')).toBe(2040);
    expect(kindsOf(heardIn(said, stillness(4), said))).toEqual(['good', 'dead', 'good'].slice(0, 2));
  });

  it('of a distant person is reported after 2 s; of one who thinks, after 20 s', () => {
    const still = noiseOf('pink', 30, -65);
    expect(kindsOf(heardIn(still))).toEqual(['good', 'faint']);
    expect(firstAfter(heardIn(still), 'faint')).toBe(2040);
    const told = heardIn(mixed(said, still), still.subarray(0, 25 * rate));
    expect(kindsOf(told)).toEqual(['good', 'quiet']);
  });

  it('ends with the first word', () => {
    expect(heardIn(noiseOf('white', 6, -40), mixed(said, noiseOf('white', 30, -40))).at(-1)).toBe('good');
    expect(heardIn(stillness(3), said).at(-1)).toBe('good');
  });
});

describe('a pause', () => {
  const quiet = noiseOf('pink', 30, -60);
  const words = speakers['a man in Spanish'];
  /** The sentences with what stands between them cut to 300 ms at most, as of somebody who speaks on. */
  const spoken = (level: number): Float64Array => mixed(spokenOn(at(words, level)), quiet);

  it.each([-15, -25, -35])('is absent during speech, at %i dBFS, and appears when it stops', (level) => {
    const sound = spoken(level);
    expect(Math.max(...pausesIn(sound).slice(4))).toBeLessThan(sentencePauseMs);
    expect(pausesIn(sound, quiet.subarray(0, rate)).at(-1)).toBeGreaterThanOrEqual(sentencePauseMs);
    // Neither a cough before it nor a fan behind it makes one.
    const cough = at(noises.white(rate / 5, seeded(3)), -3);
    expect(Math.max(...pausesIn(sound, cough, sound).slice(4))).toBeLessThan(sentencePauseMs);
  });
});

it('the meter runs from -60 dBFS to full scale', () => {
  expect(meterPosition(0)).toBe(0);
  expect(meterPosition(0.001)).toBeCloseTo(0);
  expect(meterPosition(0.1)).toBeCloseTo(2 / 3);
  expect(meterPosition(1)).toBe(1);
});
