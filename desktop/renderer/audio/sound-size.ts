/** Number of bytes per second of speech. */
import type { AppSettings } from '../../bridge/settings.ts';
import { bytesPerSample } from '../../bridge/sound.ts';

/** A tenth of WAV at 16 kHz, without a loss that matters to a recogniser. */
export const opusBitsPerSecond = 32_000;

export const bytesPerSecond: Readonly<Record<AppSettings['upload_format'], (sampleRate: number) => number>> = {
  wav: (sampleRate) => sampleRate * bytesPerSample,
  opus: () => opusBitsPerSecond / 8,
};
