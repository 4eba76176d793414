/** The decoders of all supported formats, imported on demand. */
import type { AudioType } from '../../../../src/contract/document.ts';
import type { DecodeFormat } from './pcm.ts';

export const formats: Readonly<Record<AudioType, () => Promise<DecodeFormat>>> = {
  'audio/wav': async () => (await import('./wav.ts')).decodeWav,
  'audio/webm': async () => (await import('./webm.ts')).decodeWebm,
  'audio/ogg': async () => (await import('./ogg.ts')).decodeOgg,
  'audio/mpeg': async () => (await import('./mpeg.ts')).decodeMpeg,
  'audio/mp4': async () => (await import('./mp4.ts')).decodeMp4,
  'audio/flac': async () => (await import('./flac.ts')).decodeFlac,
};
