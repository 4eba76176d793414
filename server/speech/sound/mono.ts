/** Converts audio of any layout and rate to one channel. */
import { createResampler } from '../../../src/node/sound/resampler.ts';
import type { Resampler } from '../../../src/node/sound/resampler.ts';
import type { Pcm } from './formats/pcm.ts';
import { createMixer } from './mix.ts';
import { soundRate } from './samples.ts';

/** Pieces per second in which several channels are mixed. */
const pieces = 50;

/** Converts to one channel at `soundRate`. */
export async function* toMono(sound: AsyncIterable<Pcm>): AsyncGenerator<Float32Array> {
  const mix = createMixer();
  let resampler: Resampler | undefined;
  try {
    for await (const { channels, rate } of sound) {
      if (resampler?.rate !== rate) {
        if (resampler) yield resampler.flush();
        resampler?.free();
        resampler = await createResampler(rate, soundRate);
      }
      const length = channels[0]?.length ?? 0;
      const pieceLength = channels.length === 1 ? rate : Math.ceil(rate / pieces);
      for (let at = 0; at < length; at += pieceLength) {
        yield resampler.resample(mix(channels.map((samples) => samples.subarray(at, at + pieceLength))));
      }
    }
    if (resampler) yield resampler.flush();
  } finally {
    resampler?.free();
  }
}
