/**
 * The models on offer, as data: their purposes, archives and files. The archives are release files of
 * k2-fsa/sherpa-onnx (tag asr-models), or copies of them: the checksums decide.
 */
import type { Manifest } from './manifest.ts';

/** The archives are below this address. */
export const releases = 'https://github.com/k2-fsa/sherpa-onnx/releases/download/asr-models/';

export interface OfferedModel {
  /**
   * Without a checksum nobody tried this archive with Laudio: the operator gives the checksum, and the size is about
   * that of the model's files.
   */
  readonly archive: { readonly name: string; readonly bytes: number; readonly sha256?: string };
  readonly manifest: Omit<Manifest, 'files'>;
  /** Role → file name in the archive. */
  readonly names: Readonly<Partial<Record<keyof Manifest['files'], string>>> & { readonly tokens: string };
  /** Absent if the files' checksums are known only from the verified archive. */
  readonly files?: Manifest['files'];
}

/** Whisper as the addon's project converts it: `small-encoder.int8.onnx`. */
const whisper = (id: string, size: string, bytes: number): OfferedModel => ({
  archive: { name: `sherpa-onnx-whisper-${size}.tar.bz2`, bytes },
  manifest: {
    id,
    kind: 'whisper',
    live: false,
    chunk_ms: 28_000,
    sample_rate: 16_000,
    languages: ['pt-BR', 'en-US', 'es-ES'],
    licence: 'MIT',
  },
  names: {
    encoder: `${size}-encoder.int8.onnx`,
    decoder: `${size}-decoder.int8.onnx`,
    tokens: `${size}-tokens.txt`,
  },
});

const quantised = {
  encoder: 'encoder.int8.onnx',
  decoder: 'decoder.int8.onnx',
  joiner: 'joiner.int8.onnx',
  tokens: 'tokens.txt',
} as const;

export const catalogue: Readonly<Record<string, OfferedModel>> = {
  'nemotron-3.5-streaming-1120': {
    archive: {
      name: 'sherpa-onnx-nemotron-3.5-asr-streaming-0.6b-1120ms-int8-2026-06-11.tar.bz2',
      bytes: 475_276_334,
      sha256: 'adbdd5e9fef87300c37cebfcfc4f1ebe56845c860c8a760af0a1dd65ce9beed3',
    },
    manifest: {
      id: 'nemotron-3.5-streaming-1120',
      kind: 'transducer',
      live: true,
      chunk_ms: 1120,
      sample_rate: 16_000,
      languages: ['pt-BR', 'en-US', 'es-ES'],
      licence: 'OpenMDW-1.1',
    },
    names: quantised,
    files: {
      encoder: {
        name: quantised.encoder,
        bytes: 657_601_521,
        sha256: '2fff2166acaa535bd969fb223c1f0783d71029f143cb298bc54c2afe85abf772',
      },
      decoder: {
        name: quantised.decoder,
        bytes: 14_978_075,
        sha256: '19f9c98fc6d0a2c33a65a43b36fdb2e914c26c0aa9764be3aebc502a1e982fb0',
      },
      joiner: {
        name: quantised.joiner,
        bytes: 9_504_438,
        sha256: '4101c7c679a0bc30483794b27a059e34e79232aa2068d78d51231a22c8b0d7ce',
      },
      tokens: {
        name: quantised.tokens,
        bytes: 131_440,
        sha256: '729cc103155bafa785f9cd45746cd41cabe97eab7182fc04d594129587958f8a',
      },
    },
  },
  // Not Portuguese: the model can't be fixed to a language, and drifts into English.
  'parakeet-tdt-0.6b-v3': {
    archive: {
      name: 'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8.tar.bz2',
      bytes: 487_170_055,
      sha256: '5793d0fd397c5778d2cf2126994d58e9d56b1be7c04d13c7a15bb1b4eafb16bf',
    },
    manifest: {
      id: 'parakeet-tdt-0.6b-v3',
      kind: 'nemo-transducer',
      live: false,
      chunk_ms: 28_000,
      sample_rate: 16_000,
      languages: ['en-US', 'es-ES'],
      licence: 'CC-BY-4.0',
    },
    names: quantised,
  },
  'whisper-base': whisper('whisper-base', 'base', 113_000_000),
  'whisper-small': whisper('whisper-small', 'small', 375_000_000),
  'whisper-large-v3-turbo': whisper('whisper-large-v3-turbo', 'turbo', 1_040_000_000),
};
