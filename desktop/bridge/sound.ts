/** The format of audio between microphone, app and service. */

/** Audio from the microphone is PCM: 16 bits, little-endian, mono. */
export const bytesPerSample = 2;

/** Maximum length of an audio block in ms: the maximum loss if page and app crash at once. */
export const blockMs = 100;

/** Formats in which the app sends audio to the service. */
export const uploadFormats = ['wav', 'opus'] as const;

/** A tenth of WAV at 16 kHz, without a loss that matters to a recogniser. */
export const opusBitsPerSecond = 32_000;

/** Number of bytes per second of speech. */
export const bytesPerSecond: Readonly<Record<(typeof uploadFormats)[number], (sampleRate: number) => number>> = {
  wav: (sampleRate) => sampleRate * bytesPerSample,
  opus: () => opusBitsPerSecond / 8,
};
