/**
 * Decodes packets of AAC, FLAC and Vorbis by Symphonia, compiled to WebAssembly (`server/speech/sound/symphonia`). Its memory does not grow
 * with the sound.
 */
import { readFile } from 'node:fs/promises';
import { checkLayout, unreadable } from './pcm.ts';
import type { Pcm } from './pcm.ts';

/** By their numbers in `decoders.rs`. */
const codecs = ['AAC', 'FLAC', 'Vorbis'] as const;
type Codec = (typeof codecs)[number];

/** As much as is used of what the platform has, and Node's types lack. */
declare const WebAssembly: {
  instantiate(module: Uint8Array): Promise<{ readonly instance: { readonly exports: unknown } }>;
};

/** What `decoders.rs` exports, which explains it. */
interface Decoders {
  readonly memory: { readonly buffer: ArrayBuffer };
  input(bytes: number): number;
  open(codec: number): number;
  decode(): number;
  channels(): number;
  channel(index: number): number;
}

/** Samples at which a piece of sound is passed on. */
const pieceSamples = 1 << 16;

export interface PacketDecoder {
  /** Takes a packet. The sound comes in pieces of some seconds. */
  decode(packet: Uint8Array): Pcm | undefined;
  /** The rest of the sound. Throws `unreadable` where no packet was in order. */
  flush(): Pcm | undefined;
}

export interface PacketSource {
  readonly codec: Codec;
  /** As the codec's container has it: AudioSpecificConfig, STREAMINFO, or the first and third head of Vorbis. */
  readonly description: Uint8Array;
  /** Samples of each channel in a second. */
  readonly rate: number;
  /** Is called at the first damaged packet. Damaged packets are left out. */
  readonly onCut: () => void;
}

/** Throws `unreadable` where the description is none. */
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
      // Symphonia gave up, or wanted more memory than there is. The instance is of no more use.
      throw damaged();
    }
  };
  give(description);
  if (!attempt(() => decoders.open(codecs.indexOf(codec)))) throw unreadable('the description of its sound is damaged');
  let pieces: Float32Array[][] = [];
  let gathered = 0;
  let decoded = 0;
  let wrong = 0;

  function take(): Pcm | undefined {
    if (gathered === 0) return undefined;
    const channels = pieces[0]!.map((_, channel) =>
      joined(
        pieces.map((piece) => piece[channel]!),
        gathered,
      ),
    );
    pieces = [];
    gathered = 0;
    return { channels, rate };
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
      pieces.push(
        Array.from({ length: decoders.channels() }, (_, channel) =>
          new Float32Array(buffer, decoders.channel(channel), samples).slice(),
        ),
      );
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

function joined(pieces: readonly Float32Array[], length: number): Float32Array {
  const whole = new Float32Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
