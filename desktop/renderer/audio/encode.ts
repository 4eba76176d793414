/** Makes Opus in WebM of a WAV, where the browser can. */
import type { AudioType } from '../../../src/contract/document.ts';
import { opusBitsPerSecond } from './sound-size.ts';

export interface EncodedSound {
  readonly contentType: AudioType & 'audio/webm';
  readonly bytes: ArrayBuffer;
}

/** The sound at this address as Opus, or `undefined` where the browser cannot encode it. */
export async function encodeOpus(address: string): Promise<EncodedSound | undefined> {
  // Over 100 kB, and needed by those alone who send Opus.
  const { BlobSource, BufferTarget, canEncodeAudio, Conversion, Input, Output, Quality, WAVE, WebMOutputFormat } =
    await import('mediabunny');
  const quality = new Quality(opusBitsPerSecond);
  if (!(await canEncodeAudio('opus', { numberOfChannels: 1, quality }))) return undefined;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The sound could not be read: ${answer.status}.`);
  const input = new Input({ source: new BlobSource(await answer.blob()), formats: [WAVE] });
  const output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() });
  const conversion = await Conversion.init({
    input,
    output,
    audio: { codec: 'opus', quality, numberOfChannels: 1 },
    tags: {},
    showWarnings: false,
  });
  if (!conversion.isValid) return undefined;
  await conversion.execute();
  const { buffer } = output.target;
  return buffer ? { contentType: 'audio/webm', bytes: buffer } : undefined;
}
