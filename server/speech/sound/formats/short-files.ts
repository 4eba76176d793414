/**
 * Decodes AAC, FLAC and Vorbis by `node-web-audio-api`. Its decoder takes whole files and keeps their whole sound in memory; so
 * the packets of a long file go to it in short files.
 */
import { checkLayout, unreadable, unsupported } from './pcm.ts';
import type { Pcm } from './pcm.ts';

/** Decodes a short file, of which only the last `samples` are wanted. */
export type DecodeShortFile = (file: readonly Uint8Array[], samples: number) => Promise<Pcm>;

export async function createShortFiles(codec: string, rate: number): Promise<DecodeShortFile> {
  checkLayout(rate, 1);
  const { OfflineAudioContext } = await import('node-web-audio-api').catch(() => {
    throw unsupported(
      `${codec}, whose decoder does not load on this computer`,
      'On a server with Linux the decoder needs a library: apt install libasound2. Or send WAV, MP3, or Opus in WebM, Ogg or MP4.',
    );
  });
  const context = new OfflineAudioContext(1, 1, rate);
  return async (file, samples) => {
    const bytes = Uint8Array.from(Buffer.concat(file));
    const sound = await context.decodeAudioData(bytes.buffer).catch(() => {
      throw unreadable(`its ${codec} packets are damaged`);
    });
    const length = Math.min(sound.length, samples);
    const channels = Array.from({ length: sound.numberOfChannels }, (_, channel) => {
      const end = new Float32Array(length);
      sound.copyFromChannel(end, channel, sound.length - length);
      return end;
    });
    return { channels, rate: sound.sampleRate };
  };
}
