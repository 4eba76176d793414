/**
 * Runs in the audio thread: collects the microphone's audio in blocks of 16-bit samples and posts each with its level.
 * Built separately (`?worker&url`), since an AudioWorklet has a separate global scope.
 */

import { measureSpeechLevel } from '../../../src/domain/dictation/level.ts';
import { decodeSamples } from '../../../src/domain/dictation/samples.ts';

/** A block of audio from the audio thread. */
export interface CapturedBlock {
  /** Int16 samples in the byte order of the machine, which is little-endian wherever browsers run. */
  readonly samples: ArrayBuffer;
  /** Largest and mean (RMS) level, 0 to 1. */
  readonly peak: number;
  readonly rms: number;
  /** When the block ended, in ms since 1970, by the clock of the audio thread, which nothing delays. */
  readonly at: number;
  /** The mean level above hum and rumble (`measureSpeechLevel`), 0 to 1. */
  readonly speech: number;
}

/** A message of the audio thread: a block, or the notice that every collected sample was posted. */
export type CaptureMessage = CapturedBlock | 'flushed';

// TypeScript's DOM library lacks an AudioWorklet's global scope (Web Audio 1.32).
declare const sampleRate: number;
declare function registerProcessor(name: string, processor: new (options: ProcessorOptions) => object): void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
interface ProcessorOptions {
  readonly processorOptions: { readonly blockMs: number };
}

registerProcessor(
  'laudio-capture',
  class extends AudioWorkletProcessor {
    readonly #length: number;
    #samples: Int16Array<ArrayBuffer>;
    #filled = 0;
    #peak = 0;
    #squares = 0;

    constructor(options: ProcessorOptions) {
      super();
      this.#length = Math.round((sampleRate * options.processorOptions.blockMs) / 1000);
      this.#samples = new Int16Array(this.#length);
      this.port.addEventListener('message', () => {
        if (this.#filled > 0) this.#handOver();
        this.port.postMessage('flushed' satisfies CaptureMessage);
      });
      this.port.start();
    }

    process(inputs: readonly (readonly Float32Array[])[]): boolean {
      const channels = inputs[0] ?? [];
      const frames = channels[0]?.length ?? 0;
      for (let frame = 0; frame < frames; frame++) {
        let sum = 0;
        for (const channel of channels) sum += channel[frame] ?? 0;
        this.#add(sum / channels.length);
      }
      return true;
    }

    #add(value: number): void {
      const level = Math.min(1, Math.max(-1, value));
      this.#samples[this.#filled] = Math.round(level * 0x7fff);
      this.#filled += 1;
      this.#peak = Math.max(this.#peak, Math.abs(level));
      this.#squares += level * level;
      if (this.#filled === this.#length) this.#handOver();
    }

    #handOver(): void {
      const samples = this.#samples.buffer.slice(0, this.#filled * Int16Array.BYTES_PER_ELEMENT);
      const block: CapturedBlock = {
        samples,
        peak: this.#peak,
        rms: Math.sqrt(this.#squares / this.#filled),
        at: Date.now(),
        speech: measureSpeechLevel(decodeSamples(new Uint8Array(samples)), sampleRate),
      };
      this.port.postMessage(block, [samples]);
      this.#filled = 0;
      this.#peak = 0;
      this.#squares = 0;
    }
  },
);
