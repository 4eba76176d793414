/** Samples per second of the recognisers' input: one channel, from -1 to 1. */
export const soundRate = 16_000;
