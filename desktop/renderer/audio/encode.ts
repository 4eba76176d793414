/** Makes Opus in WebM of a WAV, where the browser can (WebCodecs). Its library is large: import this only when it is needed. */
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
import { opusBitsPerSecond } from './sound-size.ts';

export interface EncodedSound {
  readonly contentType: 'audio/webm';
  readonly bytes: ArrayBuffer;
}

const wanted = () => ({ numberOfChannels: 1, quality: new Quality({ bitrate: opusBitsPerSecond }) });

export const canEncodeOpus = (): Promise<boolean> => canEncodeAudio('opus', wanted());

/** The WAV at this address as Opus. Throws where the browser cannot, or cannot read it. */
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
