/**
 * Encodes a WAV file as Opus in WebM, if the browser can (WebCodecs). The library is large: import this module only
 * when it is needed.
 */
import {
  BlobSource,
  BufferTarget,
  canEncodeAudio,
  Conversion,
  Input,
  Output,
  Quality,
  WAVE,
  WebMOutputFormat,
} from 'mediabunny';
import { opusBitsPerSecond } from '../../bridge/sound.ts';

export interface EncodedSound {
  readonly contentType: 'audio/webm';
  readonly bytes: ArrayBuffer;
}

const wanted = () => ({ numberOfChannels: 1, quality: new Quality({ bitrate: opusBitsPerSecond }) });

export const canEncodeOpus = (): Promise<boolean> => canEncodeAudio('opus', wanted());

/** Encodes the WAV file at this address. Throws if the browser can't encode or can't read the file. */
export async function encodeOpus(address: string): Promise<EncodedSound> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The sound could not be read: ${answer.status}.`);
  const target = new BufferTarget();
  const conversion = await Conversion.init({
    input: new Input({ source: new BlobSource(await answer.blob()), formats: [WAVE] }),
    output: new Output({ format: new WebMOutputFormat(), target }),
    audio: { codec: 'opus', ...wanted() },
    tags: {},
    showWarnings: false,
  });
  await conversion.execute();
  if (!target.buffer) throw new Error('The encoder gave nothing.');
  return { contentType: 'audio/webm', bytes: target.buffer };
}
