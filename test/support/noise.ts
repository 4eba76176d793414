/** Steady noises, the same in every run. */

/** A generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** A tone with its third harmonic, as mains have it, at 16,000 samples a second. */
const hum =
  (hertz: number) =>
  (samples: number): Float64Array =>
    Float64Array.from({ length: samples }, (_, n) => {
      const angle = (2 * Math.PI * hertz * n) / 16_000;
      return Math.sin(angle) + 0.3 * Math.sin(3 * angle);
    });

/** So many samples of each, of whatever level. */
export const noises = {
  white: (samples: number, random: () => number) => Float64Array.from({ length: samples }, () => normal(random)),
  /** The sum of noises that go through low passes an octave or more apart (after Paul Kellet). */
  pink(samples: number, random: () => number) {
    const passes = [
      [0.99765, 0.099046],
      [0.963, 0.2965164],
      [0.57, 1.0526913],
    ] as const;
    const held = [0, 0, 0];
    return Float64Array.from({ length: samples }, () => {
      const now = normal(random);
      for (const [n, [keep, add]] of passes.entries()) held[n] = keep * held[n]! + add * now;
      return held[0]! + held[1]! + held[2]! + 0.1848 * now;
    });
  },
  brown(samples: number, random: () => number) {
    let held = 0;
    return Float64Array.from({ length: samples }, () => (held = 0.998 * held + normal(random)));
  },
  'hum of 50 Hz': hum(50),
  'hum of 60 Hz': hum(60),
} as const;
export type Noise = keyof typeof noises;
