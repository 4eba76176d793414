/**
 * A decoder of WAV of 16 bits, one channel and 16 kHz in this process: a test that listens to many sounds does not start a process
 * for each of them. What the real one does has tests of its own.
 */
import type { DecoderResponse, DecoderRequest } from '../../server/speech/sound/decoder-messages.ts';
import type { LaunchProcess } from '../../server/runtime/processes/own-process.ts';

const pieceSamples = 16_000;

export const launchWavDecoder: LaunchProcess = () => {
  let listener: (message: unknown) => void = () => {};
  const bytes: Uint8Array[] = [];
  let sound = new Float32Array(0);
  let at = 0;
  const next = (): DecoderResponse => {
    if (at >= sound.length) return { done: true, isCut: false };
    const piece = sound.slice(at, at + pieceSamples);
    at += pieceSamples;
    return { sound: piece };
  };
  const answer = (message: DecoderRequest): DecoderResponse => {
    if ('type' in message) return { wants: 'first' };
    if ('taken' in message) return next();
    if (message.bytes) {
      bytes.push(message.bytes);
      return { wants: 'next' };
    }
    const file = Buffer.concat(bytes);
    if (file.toString('latin1', 0, 4) !== 'RIFF') return { failed: { code: 'VALIDATION_FAILED', message: 'no WAV' } };
    sound = Float32Array.from({ length: (file.length - 44) / 2 }, (_, n) => file.readInt16LE(44 + n * 2) / 32_768);
    return next();
  };
  return {
    pid: undefined,
    post: (message) => queueMicrotask(() => listener(answer(message as DecoderRequest))),
    listen: (given) => void (listener = given),
    ended: new Promise(() => {}),
    kill: () => {},
  };
};

/** As `launch`, but that sounds are decoded here. */
export const decodingWavHere =
  (launch: LaunchProcess): LaunchProcess =>
  (module, options) =>
    (module.href.includes('decoder-process') ? launchWavDecoder : launch)(module, options);
