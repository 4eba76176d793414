/**
 * Decodes sound of every format that the API takes: `for await (const samples of decodeSound(file, deps, signal))`. Each
 * piece is at most a second, one channel, `soundRate` samples a second, from -1 to 1. The file is read as slowly as the pieces
 * are taken, and memory does not grow with its length. The work is done in a process of its own, which ends with the loop.
 */
import type { Readable } from 'node:stream';
import type { AudioType } from '../../../src/contract/document.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { LaunchProcess, ProcessEnd } from '../../runtime/processes/own-process.ts';
import { abortable } from '../../runtime/processes/abortable.ts';
import type { FromDecoder, FromServer } from './conversation.ts';
import { unreadable } from './formats/pcm.ts';

export interface SoundFile {
  readonly type: AudioType;
  /** Each call reads the file from its first byte: some files have their index at the end. */
  readonly read: () => Promise<Readable>;
}

export interface DecodeDeps {
  readonly launch: LaunchProcess;
  readonly clock: Clock;
  /** Called where the sound ends because the file is cut off. */
  readonly onCut?: () => void;
}

/** ms that the decoder may take for a piece of the file, and for its start. */
const mostMs = 30_000;
/** Bytes that the decoder gets at once. */
const pieceBytes = 64 * 1024;

/**
 * Throws VALIDATION_FAILED for a file that cannot be decoded or holds no sound, UNSUPPORTED_MEDIA_TYPE for a codec that is
 * not known, both with a message for people that quotes nothing of the file; the error of `read`; and the signal's reason.
 */
export async function* decodeSound(
  { type, read }: SoundFile,
  { launch, clock, onCut = () => {} }: DecodeDeps,
  signal: AbortSignal,
): AsyncGenerator<Float32Array, void, undefined> {
  signal.throwIfAborted();
  const process = launch(decoderModule(), { name: 'Laudio decoder' });
  let heard: (message: FromDecoder) => void = () => {};
  let failed: (error: AppError) => void = () => {};
  process.listen((message) => heard(message as FromDecoder));
  let over: AppError | undefined;
  // Waited for once: a wait for each piece would hold the sound of all of them until the process ends.
  void process.ended.then((end) => failed((over = endedEarly(end))));
  const file = fileOf(read);
  /** Sends a message and waits for the answer, for at most `mostMs`. */
  const ask = (message: FromServer): Promise<FromDecoder> => {
    const { promise, resolve, reject } = Promise.withResolvers<FromDecoder>();
    heard = resolve;
    failed = reject;
    if (over) reject(over);
    const callOff = clock.schedule(clock.now() + mostMs, () => reject(unreadable('its decoder does not finish')));
    process.post(message);
    return abortable(promise, signal).finally(callOff);
  };
  try {
    let answer = await ask({ type });
    while (!('done' in answer)) {
      if ('failed' in answer) throw new AppError(answer.failed.code, given(answer.failed));
      if ('sound' in answer) {
        yield answer.sound;
        answer = await ask({ taken: true });
      } else {
        const bytes = await abortable(answer.wants === 'first' ? file.first() : file.next(), signal);
        answer = await ask({ bytes });
      }
    }
    if (answer.isCut) onCut();
  } finally {
    process.kill();
    file.close();
  }
}

/** The module beside this one, with this one's ending: `.ts` in the sources, `.js` in the build. */
const decoderModule = (): URL => new URL(import.meta.url.replace(/decode(\.\w+)$/, 'decoder-process$1'));

const given = ({ message, hint, details }: Extract<FromDecoder, { failed: unknown }>['failed']) => ({
  message,
  ...(hint !== undefined && { hint }),
  ...(details && { details }),
});

/** Reads the file piece by piece; `null` at its end. */
function fileOf(read: SoundFile['read']) {
  let stream: Readable | undefined;
  let pieces: AsyncIterator<Uint8Array> | undefined;
  let rest: Uint8Array = new Uint8Array();
  const next = async (): Promise<Uint8Array | null> => {
    while (rest.length === 0) {
      const piece = await pieces?.next();
      if (!piece || piece.done) return null;
      rest = piece.value;
    }
    const bytes = rest.subarray(0, pieceBytes);
    rest = rest.subarray(bytes.length);
    return bytes;
  };
  const close = (): void => {
    // What goes wrong with a stream that nobody reads any more concerns nobody.
    stream?.on('error', () => {}).destroy();
  };
  return {
    next,
    async first() {
      close();
      stream = await read();
      pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
      rest = new Uint8Array();
      return next();
    },
    close,
  };
}

/** Whoever kills a process from outside does so for reasons of the computer; otherwise the file made the decoder end. */
const endedEarly = ({ code, signal }: ProcessEnd): AppError =>
  signal === 'SIGKILL' || signal === 'SIGTERM' || (code === null && signal === null)
    ? new AppError('SERVER_BUSY', { message: 'The process that decodes audio was ended.', retryAfter: 5 })
    : unreadable('its decoder fails');
