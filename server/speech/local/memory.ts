/** The memory that a model needs, and that the computer has. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Manifest, ModelKind } from './manifest.ts';

/** Bytes of memory: a fixed part for the sound, and a part per byte of the model's files. */
interface MemoryNeed {
  readonly sound: number;
  readonly perByte: number;
}

/** Measured with the models of the catalogue. */
const transducer: MemoryNeed = { sound: 0, perByte: 1.5 };
/** Whisper always works on half a minute. Measured with the model base in pieces of 28 s. */
const whisper: MemoryNeed = { sound: 650e6, perByte: 2.2 };

const memory = 'memory';

/** In bytes. */
export const estimateMemory = ({ kind, files }: Pick<Manifest, 'kind' | 'files'>): number =>
  estimateMemoryFromBytes(
    kind,
    Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0),
  );

/** In bytes, from the size of the model's files. */
export function estimateMemoryFromBytes(kind: ModelKind | null, bytes: number): number {
  const { sound, perByte } = kind === 'whisper' ? whisper : transducer;
  return Math.round(sound + perByte * bytes);
}

/** The needed and the existing memory in bytes. */
export interface MemoryLack {
  readonly id: string;
  readonly needed: number;
  readonly available: number;
}

export const describeMemory = ({ needed, available: there }: Omit<MemoryLack, 'id'>): string =>
  `it needs about ${formatSize(needed)}, and this computer has ${formatSize(there)}`;

/** Such a model is not loaded: the system would kill its process or another. */
export const modelTooLarge = (lack: MemoryLack): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: `The speech model ${lack.id} does not fit into the memory: ${describeMemory(lack)}.`,
    hint: 'Choose a smaller model (laudio engine list), a server of speech models, or give the computer more memory.',
    details: { reason: memory },
    retryAfter: 3600,
  });

export const outOfMemory = (lack: MemoryLack): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: `The speech model ${lack.id} ran out of memory: ${describeMemory(lack)} for all its programs.`,
    hint: 'End other programs, or choose a smaller model (laudio engine list). Jobs keep their audio.',
    details: { reason: memory },
    retryAfter: 60,
  });

/** Whether the model ran out of memory or was killed for it. The audio is not at fault. */
export const isLackOfMemory = (error: unknown): boolean =>
  error instanceof AppError && error.details?.['reason'] === memory;

/** Whether the addon or JavaScript failed to allocate memory. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof RangeError || /bad_alloc|bad array new length|out of memory|allocation failed/i.test(String(error));

const formatSize = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
