/**
 * Decodes audio of all supported formats: `for await (const samples of decodeSound(file, deps, signal))`. Pieces have
 * at most a second, one channel, `soundRate`, values from -1 to 1. The file is read as fast as the pieces are consumed,
 * with constant memory. A separate process decodes; it ends with the loop.
 */
import type { Readable } from 'node:stream';
import type { AudioType } from '../../../src/contract/document.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { LaunchProcess, ProcessEnd } from '../../runtime/processes/own-process.ts';
import { abortable } from '../../runtime/processes/abortable.ts';
import type { DecoderResponse, DecoderRequest } from './decoder-messages.ts';
import { unreadable } from './formats/pcm.ts';

export interface SoundFile {
  readonly type: AudioType;
  /** Each call reads the file from the beginning: some formats have their index at the end. */
  readonly read: () => Promise<Readable>;
}

export interface DecodeDeps {
  readonly launch: LaunchProcess;
  readonly clock: Clock;
  /** Called if the file is truncated. */
  readonly onCut?: () => void;
}

/** Time for a piece of the file, and for the decoder's start. */
const maxMs = 30_000;
/** Bytes per message to the decoder. */
const pieceBytes = 64 * 1024;

/**
 * Throws VALIDATION_FAILED if the file cannot be decoded or is empty, and UNSUPPORTED_MEDIA_TYPE for an unknown codec,
 * with messages that quote nothing of the file; also the error of `read` and the signal's reason.
 */
export async function* decodeSound(
  { type, read }: SoundFile,
  { launch, clock, onCut = () => {} }: DecodeDeps,
  signal: AbortSignal,
): AsyncGenerator<Float32Array, void, undefined> {
  signal.throwIfAborted();
  const process = launch(decoderModule(), { name: 'Laudio decoder' });
  let heard: (message: DecoderResponse) => void = () => {};
  let failed: (error: AppError) => void = () => {};
  process.listen((message) => heard(message as DecoderResponse));
  let over: AppError | undefined;
  // Awaited once: awaiting it for each piece would keep all pieces in memory.
  void process.ended.then((end) => failed((over = explainEnd(end))));
  const file = createFileReader(read);
  /** Sends a message and waits for the answer, with a timeout. */
  const ask = (message: DecoderRequest): Promise<DecoderResponse> => {
    const { promise, resolve, reject } = Promise.withResolvers<DecoderResponse>();
    heard = resolve;
    failed = reject;
    if (over) reject(over);
    const callOff = clock.schedule(clock.now() + maxMs, () => reject(unreadable('its decoder does not finish')));
    process.post(message);
    return abortable(promise, signal).finally(callOff);
  };
  try {
    let answer = await ask({ type });
    while (!('done' in answer)) {
      if ('failed' in answer) throw new AppError(answer.failed.code, toErrorOptions(answer.failed));
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

/** The decoder's module; `.ts` in the sources, `.js` in the build. */
const decoderModule = (): URL => new URL(import.meta.url.replace(/decode(\.\w+)$/, 'decoder-process$1'));

const toErrorOptions = ({
  message,
  hint,
  retryAfter,
  details,
}: Extract<DecoderResponse, { failed: unknown }>['failed']) => ({
  message,
  ...(hint !== undefined && { hint }),
  ...(retryAfter !== undefined && { retryAfter }),
  ...(details && { details }),
});

/** Reads the file piece by piece; `null` at its end. */
function createFileReader(read: SoundFile['read']) {
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
    // Errors after closing don't matter.
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

/** A process that was killed from outside is the system's problem; otherwise the file crashed the decoder. */
const explainEnd = ({ code, signal }: ProcessEnd): AppError =>
  signal === 'SIGKILL' || signal === 'SIGTERM' || (code === null && signal === null)
    ? new AppError('SERVER_BUSY', { message: 'The process that decodes audio was ended.', retryAfter: 5 })
    : unreadable('its decoder fails');
