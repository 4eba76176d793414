/** Samples in a second of the sound that recognisers get: one channel, from -1 to 1. */
export const soundRate = 16_000;
