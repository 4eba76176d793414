/**
 * Decodes one file of sound, in a process of its own: bytes of strangers meet native code here, and can crash, hang or
 * inflate nothing but this process. It has no file, no network use and no secret.
 */
import { AppError } from '../../src/contract/errors.ts';
import type { AudioType } from '../../src/contract/document.ts';
import { parentOf } from '../processes/parent.ts';
import type { FromDecoder, FromServer } from './conversation.ts';
import { formats } from './formats/formats.ts';
import { unreadable } from './formats/pcm.ts';
import { mono } from './mono.ts';
import { soundRate } from './rate.ts';

/** Samples in a block of sound: one second. */
const blockSamples = soundRate;
const mostHours = 12;
/** Bytes of memory that this process may take; usual files need a tenth. */
const mostMemory = 1024 * 1024 * 1024;

const parent = parentOf();
let answered: (answer: FromServer) => void = () => {};
parent.listen((message) => {
  const answer = message as FromServer;
  if ('type' in answer) void run(answer.type);
  else answered(answer);
});

const tell = (message: FromDecoder): void => parent.post(message);
const ask = (message: FromDecoder): Promise<FromServer> =>
  new Promise((resolve) => {
    answered = resolve;
    tell(message);
  });

async function run(type: AudioType): Promise<void> {
  try {
    await decode(type);
    tell({ done: true });
  } catch (error) {
    const { code, message, hint, details } = error instanceof AppError ? error : unreadable('its content is damaged');
    tell({ failed: { code, message, hint, details } });
  }
}

async function decode(type: AudioType): Promise<void> {
  const decodeFormat = await formats[type]();
  let samples = 0;
  for await (const block of blocks(mono(decodeFormat(file)))) {
    samples += block.length;
    if (samples > mostHours * 3600 * soundRate) throw tooLong();
    if (process.memoryUsage.rss() > mostMemory) throw unreadable('decoding it takes too much memory');
    await ask({ sound: block });
  }
  if (samples === 0) throw unreadable('it holds no sound');
}

/** The bytes of the file from its first. */
async function* file(): AsyncGenerator<Uint8Array> {
  for (let wants: 'first' | 'next' = 'first'; ; wants = 'next') {
    const answer = await ask({ wants });
    if (!('bytes' in answer) || !answer.bytes) return;
    // Decoders of packages take `slice` for a copy, which a Buffer's is not.
    yield new Uint8Array(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.length);
  }
}

/** The samples in blocks of one size, of which only the last may be smaller. */
async function* blocks(sound: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  let block = new Float32Array(blockSamples);
  let filled = 0;
  for await (const samples of sound) {
    for (let at = 0; at < samples.length;) {
      const taken = samples.subarray(at, at + blockSamples - filled);
      block.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < blockSamples) continue;
      yield block;
      block = new Float32Array(blockSamples);
      filled = 0;
    }
  }
  if (filled > 0) yield block.slice(0, filled);
}

const tooLong = (): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: `The audio is longer than ${mostHours} hours. Send it in parts.`,
    details: {
      errors: [{ field: 'audio', message: `the audio is longer than ${mostHours} hours`, code: 'TOO_LONG' }],
    },
  });
