/** Limits for decoded files: small files may unfold to weeks of audio, and to any amount of memory. */
import { AppError } from '../../../src/contract/errors.ts';
import { unreadable } from './formats/pcm.ts';
import { soundRate } from './samples.ts';

export interface Limits {
  readonly seconds: number;
  /** Memory of the process in bytes. */
  readonly memory: number;
}

/** Ordinary files need a tenth of the memory. */
const defaultLimits: Limits = { seconds: 12 * 3600, memory: 1024 ** 3 };

/** Passes audio through. Throws VALIDATION_FAILED if it exceeds a limit. `used`: memory of the process in bytes. */
export async function* enforceLimits(
  sound: AsyncIterable<Float32Array>,
  { seconds, memory }: Limits = defaultLimits,
  used: () => number = process.memoryUsage.rss,
): AsyncGenerator<Float32Array> {
  let samples = 0;
  for await (const block of sound) {
    samples += block.length;
    if (samples > seconds * soundRate) throw tooLong(seconds);
    if (used() > memory) throw unreadable('decoding it takes too much memory');
    yield block;
  }
}

/** Throws VALIDATION_FAILED if the declared length is too long. */
export function checkLength(seconds: number): void {
  if (seconds > defaultLimits.seconds) throw tooLong(defaultLimits.seconds);
}

function tooLong(seconds: number): AppError {
  const maxLength = `${seconds / 3600} hours`;
  return new AppError('VALIDATION_FAILED', {
    message: `The audio is longer than ${maxLength}. Send it in parts.`,
    details: { errors: [{ field: 'audio', message: `the audio is longer than ${maxLength}`, code: 'TOO_LONG' }] },
  });
}
