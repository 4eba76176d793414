/** The calls for live transcriptions (extension). */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { liveSampleBytes, maxSoundBytes } from '../../src/contract/transcription.ts';
import type { transcriptions as contract } from '../../src/contract/transcription.ts';
import { eventStreamHeaders } from '../../src/client/events/server-sent-events.ts';
import type { Call } from '../http/call.ts';
import type { OtherMembers } from '../http/other-members.ts';
import type { RecordDeps } from '../records/deps.ts';
import { liveLease } from '../records/transcriptions/open-sessions.ts';
import { leaseName } from '../storage/members.ts';

interface LiveDeps extends Pick<RecordDeps, 'transcriptions'> {
  readonly others: OtherMembers;
}

/** A call about a transcription that another member has is passed on to that member. */
export function liveRoutes({ transcriptions, others }: LiveDeps): Handlers<typeof contract, Call> {
  const findHolder = async (id: string, call: Call) =>
    (await others.clientFor(leaseName(liveLease, id), call)).transcriptions;
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

    async append({ params, query, body }, call) {
      const session = await transcriptions.find(params.id, call.caller);
      const sound = await readSound(body);
      const { offset = 0 } = query;
      if (offset % liveSampleBytes !== 0) throw halfSample('offset');
      if (sound.length % liveSampleBytes !== 0) throw halfSample('');
      if (session) return { status: 200, data: { offset: await session.append(offset, sound) } };
      const { data } = await (await findHolder(params.id, call)).append({ params, query, body: sound });
      return { status: 200, data };
    },

    async get({ params }, call) {
      const session = await transcriptions.find(params.id, call.caller);
      if (session) return { status: 200, data: session.show() };
      return { status: 200, data: (await (await findHolder(params.id, call)).get({ params })).data };
    },

    async events({ params }, call) {
      const { caller, header, whileAllowed } = call;
      const session = await transcriptions.find(params.id, caller);
      const lastSeen = header('Last-Event-ID');
      if (!session) {
        const headers = lastSeen === undefined ? {} : { 'last-event-id': lastSeen };
        const holder = await findHolder(params.id, call);
        const { body } = await holder.events({ params }, { headers, signal: whileAllowed });
        return { status: 200, headers: eventStreamHeaders, body };
      }
      const seen = Number(/^\d{1,9}$/.exec(lastSeen ?? '')?.[0] ?? 0);
      return { status: 200, headers: eventStreamHeaders, body: session.follow(seen, whileAllowed) };
    },

    async end({ params }, call) {
      const session = await transcriptions.find(params.id, call.caller);
      if (!session) return { status: 200, data: (await (await findHolder(params.id, call)).end({ params })).data };
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
