/** The calls for live transcriptions (extension). */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { liveSampleBytes, maxSoundBytes } from '../../src/contract/transcription.ts';
import type { transcriptions as contract } from '../../src/contract/transcription.ts';
import { eventStreamHeaders } from '../../src/client/events/server-sent-events.ts';
import type { Call } from '../http/call.ts';
import type { RecordDeps } from '../records/deps.ts';

export function liveRoutes({ transcriptions }: Pick<RecordDeps, 'transcriptions'>): Handlers<typeof contract, Call> {
  return {
    async create({ body }, call) {
      const begun = await transcriptions.begin(body, call.caller);
      const answer = await call.commit(async (tx) => {
        await transcriptions.put(tx, begun);
        return { status: 201 as const, data: transcriptions.showNew(begun) };
      });
      // Starts the recogniser before the first words.
      await transcriptions.find(begun.id, call.caller);
      return answer;
    },

    async append({ params, query: { offset = 0 }, body }, { caller }) {
      const session = await transcriptions.find(params.id, caller);
      const sound = await readSound(body);
      if (offset % liveSampleBytes !== 0) throw halfSample('offset');
      if (sound.length % liveSampleBytes !== 0) throw halfSample('');
      return { status: 200, data: { offset: await session.append(offset, sound) } };
    },

    async get({ params }, { caller }) {
      return { status: 200, data: (await transcriptions.find(params.id, caller)).show() };
    },

    async events({ params }, { caller, header, whileAllowed }) {
      const session = await transcriptions.find(params.id, caller);
      const seen = Number(/^\d{1,9}$/.exec(header('Last-Event-ID') ?? '')?.[0] ?? 0);
      return { status: 200, headers: eventStreamHeaders, body: session.follow(seen, whileAllowed) };
    },

    async end({ params }, { caller }) {
      const session = await transcriptions.find(params.id, caller);
      await session.end();
      return { status: 200, data: session.show() };
    },

    async delete({ params: { id } }, { caller }) {
      await transcriptions.remove(id, caller);
      return { status: 200, data: { id, deleted: true } };
    },
  };
}

/** Reads the whole body. An incomplete request has no effect: its sender gets no answer, and repeats it. */
async function readSound(body: AsyncIterable<Uint8Array> | Uint8Array | undefined): Promise<Buffer> {
  if (!body) throw new AppError('VALIDATION_FAILED', { message: 'The request has no body.' });
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body instanceof Uint8Array ? [body] : body) {
      length += piece.length;
      if (length > maxSoundBytes) throw new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: maxSoundBytes } });
      pieces.push(piece);
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('VALIDATION_FAILED', { message: 'The request was cut off.', cause });
  }
  return Buffer.concat(pieces);
}

const halfSample = (field: string): AppError =>
  validationFailed([
    {
      field,
      message: `${field || 'the sound'} must be a whole number of samples: a multiple of ${liveSampleBytes} bytes`,
      code: 'INVALID_VALUE',
    },
  ]);
