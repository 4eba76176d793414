/** Mixes several channels into one. */
import { silence } from './samples.ts';

/** Mixes consecutive pieces of one recording, some hundredths of a second each. */
export type Mixer = (channels: readonly Float32Array[]) => Float32Array;

/** A channel with a lower correlation to the leading one is inverted, and would cancel it. */
const opposite = -0.9;

/** Each channel is weighted by its energy, so that a silent one doesn't dilute the others. Weights change smoothly. */
export function createMixer(): Mixer {
  let before: readonly number[] = [];
  /** The channel that the others are compared with. */
  let leading = 0;
  return (channels) => {
    const [first = new Float32Array()] = channels;
    if (channels.length < 2) return first;
    const measured = channels.map((samples): Channel => ({ samples, energy: product(samples, samples) }));
    const loudest = measured.reduce((max, channel) => (channel.energy > max.energy ? channel : max));
    const previous = measured[leading];
    // Equally loud channels don't take turns as the leading one, which would flip the sign.
    const leader = previous && previous.energy > loudest.energy / 2 ? previous : loudest;
    leading = measured.indexOf(leader);
    const shares = computeShares(measured, leader);
    if (before.length !== shares.length) before = [];
    const mixed = new Float32Array(first.length);
    for (const [channel, { samples, share }] of shares.entries()) {
      const start = before[channel] ?? share;
      const step = (share - start) / mixed.length;
      for (let i = 0; i < mixed.length; i++) {
        mixed[i] = (mixed[i] ?? silence) + (samples[i] ?? silence) * (start + step * i);
      }
    }
    before = shares.map(({ share }) => share);
    return mixed;
  };
}

interface Channel {
  readonly samples: Float32Array;
  readonly energy: number;
}

function computeShares(channels: readonly Channel[], leader: Channel) {
  const total = channels.reduce((sum, { energy }) => sum + energy, 0);
  return channels.map(({ samples, energy }) => {
    if (total === 0) return { samples, share: 1 / channels.length };
    const correlation = product(samples, leader.samples) / Math.sqrt(energy * leader.energy);
    return { samples, share: (correlation < opposite ? -energy : energy) / total };
  });
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? silence) * (other[i] ?? silence);
  return sum;
}
