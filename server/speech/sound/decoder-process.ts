/**
 * Decodes one audio file in a separate process, because untrusted bytes can make native code crash, hang or use up
 * memory. The process has no files, network use or secrets.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { AudioType } from '../../../src/contract/document.ts';
import { connectParent } from '../../runtime/processes/parent.ts';
import type { DecoderResponse, DecoderRequest } from './decoder-messages.ts';
import { formats } from './formats/formats.ts';
import { unreadable } from './formats/pcm.ts';
import { enforceLimits } from './limits.ts';
import { toMono } from './mono.ts';
import { soundRate } from './samples.ts';

/** Samples per block: one second. */
const blockSamples = soundRate;

const parent = connectParent();
let answered: (answer: DecoderRequest) => void = () => {};
parent.listen((message) => {
  const answer = message as DecoderRequest;
  if ('type' in answer) void run(answer.type);
  else answered(answer);
});

const send = (message: DecoderResponse): void => parent.post(message);
const ask = (message: DecoderResponse): Promise<DecoderRequest> =>
  new Promise((resolve) => {
    answered = resolve;
    send(message);
  });

async function run(type: AudioType): Promise<void> {
  try {
    send({ done: true, isCut: await decode(type) });
  } catch (error) {
    const { code, message, hint, retryAfter, details } =
      error instanceof AppError ? error : unreadable('its content is damaged');
    send({ failed: { code, message, hint, retryAfter, details } });
  }
}

/** Resolves with whether the file is truncated. */
async function decode(type: AudioType): Promise<boolean> {
  const decodeFormat = await formats[type]();
  let isEmpty = true;
  let isCut = false;
  const sound = toMono(decodeFormat(file, () => (isCut = true)));
  for await (const block of enforceLimits(blocks(sound))) {
    isEmpty = false;
    await ask({ sound: block });
  }
  if (isEmpty) throw unreadable('it holds no sound');
  return isCut;
}

/** Reads the file from the beginning. */
async function* file(): AsyncGenerator<Uint8Array> {
  for (let wants: 'first' | 'next' = 'first'; ; wants = 'next') {
    const answer = await ask({ wants });
    if (!('bytes' in answer) || !answer.bytes) return;
    // Decoder packages expect `slice` to copy, which a Buffer's doesn't.
    yield new Uint8Array(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.length);
  }
}

/** Repacks samples into blocks of one size; the last may be smaller. */
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
