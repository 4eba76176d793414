/** Mixes several channels into one. */

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
    const energies = channels.map((samples) => product(samples, samples));
    const maxEnergy = Math.max(...energies);
    // Equally loud channels don't take turns as the leading one, which would flip the sign.
    if (!(energies[leading]! > maxEnergy / 2)) leading = energies.indexOf(maxEnergy);
    const shares = computeShares(channels, energies, leading);
    const from = before.length === shares.length ? before : shares;
    before = shares;
    const mixed = new Float32Array(first.length);
    for (const [channel, samples] of channels.entries()) {
      const start = from[channel]!;
      const step = (shares[channel]! - start) / mixed.length;
      for (let i = 0; i < mixed.length; i++) mixed[i]! += samples[i]! * (start + step * i);
    }
    return mixed;
  };
}

function computeShares(channels: readonly Float32Array[], energies: readonly number[], leading: number): number[] {
  const total = energies.reduce((sum, energy) => sum + energy, 0);
  if (total === 0) return channels.map(() => 1 / channels.length);
  return channels.map((samples, channel) => {
    const energy = energies[channel]!;
    const correlation = product(samples, channels[leading]!) / Math.sqrt(energy * energies[leading]!);
    return (correlation < opposite ? -energy : energy) / total;
  });
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!;
  return sum;
}
