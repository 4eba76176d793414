/** The format of audio between microphone, app and service. */

/** Audio from the microphone is PCM: 16 bits, little-endian, mono. */
export const bytesPerSample = 2;

/** Maximum length of an audio block in ms: the maximum loss if page and app crash at once. */
export const blockMs = 100;

/** Formats in which the app sends audio to the service. */
export const uploadFormats = ['wav', 'opus'] as const;
