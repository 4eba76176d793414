/**
 * Decodes packets of AAC, FLAC and Vorbis with Symphonia, compiled to WebAssembly (`server/speech/sound/symphonia`),
 * with constant memory.
 */
import { readFile } from 'node:fs/promises';
import { checkLayout, unreadable } from './pcm.ts';
import type { Pcm } from './pcm.ts';

/** The order is that of the numbers in `decoders.rs`. */
const codecs = ['AAC', 'FLAC', 'Vorbis'] as const;
type Codec = (typeof codecs)[number];

/** The used part of the platform's API, which Node's types lack. */
declare const WebAssembly: {
  instantiate(module: Uint8Array): Promise<{ readonly instance: { readonly exports: unknown } }>;
};

/** Exports of `decoders.rs`, documented there. */
interface Decoders {
  readonly memory: { readonly buffer: ArrayBuffer };
  input(bytes: number): number;
  open(codec: number): number;
  decode(): number;
  channels(): number;
  channel(index: number): number;
}

/** Samples after which audio is passed on. */
const pieceSamples = 1 << 16;

export interface PacketDecoder {
  /** Returns audio every few seconds. */
  decode(packet: Uint8Array): Pcm | undefined;
  /** Returns the rest. Throws `unreadable` if no packet was valid. */
  flush(): Pcm | undefined;
}

export interface PacketSource {
  readonly codec: Codec;
  /** As stored in the container: AudioSpecificConfig, STREAMINFO, or the first and third header of Vorbis. */
  readonly description: Uint8Array;
  /** Samples per second and channel. */
  readonly rate: number;
  /** Called at the first damaged packet. Damaged packets are skipped. */
  readonly onCut: () => void;
}

/** Throws `unreadable` if the description is invalid. */
export async function createPacketDecoder(source: PacketSource): Promise<PacketDecoder> {
  const { codec, description, rate, onCut } = source;
  checkLayout(rate, 1);
  const decoders = await instantiate();
  const damaged = () => unreadable(`its ${codec} packets are damaged`);
  const give = (bytes: Uint8Array): void => {
    const at = decoders.input(bytes.length);
    new Uint8Array(decoders.memory.buffer, at, bytes.length).set(bytes);
  };
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch {
      // Symphonia panicked or ran out of memory. The instance is unusable.
      throw damaged();
    }
  };
  give(description);
  if (!attempt(() => decoders.open(codecs.indexOf(codec)))) throw unreadable('the description of its sound is damaged');
  /** The pieces of each channel. */
  let channels: Float32Array[][] = [];
  let gathered = 0;
  let decoded = 0;
  let wrong = 0;

  function take(): Pcm | undefined {
    if (gathered === 0) return undefined;
    const length = gathered;
    const joined = channels.map((pieces) => join(pieces, length));
    channels = [];
    gathered = 0;
    return { channels: joined, rate };
  }

  return {
    decode(packet) {
      if (packet.length === 0) return undefined;
      const samples = attempt(() => (give(packet), decoders.decode()));
      if (samples < 0) {
        if (wrong === 0) onCut();
        wrong += 1;
        return undefined;
      }
      decoded += 1;
      if (samples === 0) return undefined;
      const { buffer } = decoders.memory;
      for (let channel = 0; channel < decoders.channels(); channel++) {
        const piece = new Float32Array(buffer, decoders.channel(channel), samples).slice();
        (channels[channel] ??= []).push(piece);
      }
      gathered += samples;
      return gathered >= pieceSamples ? take() : undefined;
    },
    flush() {
      if (wrong > 0 && decoded === 0) throw damaged();
      return take();
    },
  };
}

async function instantiate(): Promise<Decoders> {
  const module = await readFile(new URL('../symphonia/decoders.wasm', import.meta.url));
  const { instance } = await WebAssembly.instantiate(module);
  return instance.exports as Decoders;
}

function join(pieces: readonly Float32Array[], length: number): Float32Array {
  const whole = new Float32Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
