/** Converts audio of any layout and rate to one channel. */
import { createResampler } from '../../../src/node/sound/resampler.ts';
import type { Resampler } from '../../../src/node/sound/resampler.ts';
import type { Pcm } from './formats/pcm.ts';
import { createMixer } from './mix.ts';
import { soundRate } from './rate.ts';

/** Pieces per second in which several channels are mixed. */
const pieces = 50;

/** Converts to one channel at `soundRate`. */
export async function* mono(sound: AsyncIterable<Pcm>): AsyncGenerator<Float32Array> {
  const mix = createMixer();
  let present: Resampler | undefined;
  try {
    for await (const { channels, rate } of sound) {
      if (present?.rate !== rate) {
        if (present) yield present.flush();
        present?.free();
        present = await createResampler(rate, soundRate);
      }
      const length = channels[0]?.length ?? 0;
      const most = channels.length === 1 ? rate : Math.ceil(rate / pieces);
      for (let at = 0; at < length; at += most) {
        yield present.resample(mix(channels.map((samples) => samples.subarray(at, at + most))));
      }
    }
    if (present) yield present.flush();
  } finally {
    present?.free();
  }
}
