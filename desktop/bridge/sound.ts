/** The format of sound on its way from the microphone to the app and to the service. */

/** Sound from the microphone is PCM: 16 bits, little-endian, one channel. */
export const bytesPerSample = 2;

/** Longest block of sound, in ms: at most this much is lost when page and app die at once. */
export const blockMs = 100;

/** Formats in which the app sends sound to the service. */
export const uploadFormats = ['wav', 'opus'] as const;
