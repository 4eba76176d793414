/** The calls that send a dictation and withdraw it. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { createHash } from 'node:crypto';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { maxAudioBytes } from '../../../src/contract/record.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { lengthOf } from '../../../src/domain/dictation/timeline.ts';
import type { HandlersOf } from '../service.ts';
import { checkUnreported } from './context.ts';
import type { DictationContext, DictationsDeps } from './context.ts';
import {
  awaitCompressed,
  recordedElsewhere,
  isBeingRecorded,
  isToBeCompressed,
  pathIn,
  checkLength,
  checkState,
} from './local-dictation.ts';
import type { LocalDictation } from './local-dictation.ts';
import { sealedPieces, writeSound } from './sealed-sound.ts';
import { encodedName, renewed } from './stored-dictation.ts';
import type { SealedFile } from './stored-dictation.ts';

type SendingCalls = Pick<
  HandlersOf<'dictation'>,
  'dictation.choose' | 'dictation.send' | 'dictation.encoded' | 'dictation.retry' | 'dictation.cancel'
>;

/** First bytes of a file of the type (EBML: RFC 8794 11.2.1; Ogg: RFC 3533 6). */
const beginnings = { 'audio/webm': Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), 'audio/ogg': Buffer.from('OggS') } as const;

export function sendingCalls({ deps, find, sender, live }: DictationContext): SendingCalls {
  const { clock } = deps;

  const queue = (
    dictation: LocalDictation,
    fields: Parameters<LocalDictation['change']>[0],
    format = deps.uploadFormat(),
  ) => {
    dictation.canBeCompressed = format === 'opus';
    dictation.encodedBy = 0;
    // Audio that the service transcribes live needs no file, unless some is lost.
    if (isToBeCompressed(dictation, fields) && !live.isComplete(dictation)) awaitCompressed(dictation, clock);
    dictation.progress = 0;
    return dictation.change({ ...fields, state: 'queued', sealed_at: isoNow(clock), recovered: false, error: null });
  };

  return {
    async 'dictation.choose'({ id, ...chosen }) {
      const dictation = find(id);
      return dictation.inOrder(async () => {
        checkState(dictation, 'recording', 'paused', 'failed');
        const isSame =
          dictation.stored.language === chosen.language && dictation.stored.template_id === chosen.template_id;
        // Another language or template needs a new request; the request after a failure is new anyway.
        if (!isSame)
          await dictation.change({ ...chosen, ...(dictation.stored.state === 'open' && renewed(dictation.stored)) });
        return dictation.view();
      });
    },

    async 'dictation.send'({ id, language, template_id, format, of }) {
      const dictation = find(id);
      return dictation.inOrder(async () => {
        checkState(dictation, 'recording', 'paused', 'failed');
        checkUnreported(deps, dictation.stored.item_id);
        if (isBeingRecorded(dictation, clock)) throw recordedElsewhere();
        checkLength(dictation, of);
        await dictation.recording.end();
        if (lengthOf(dictation.recording.segments()) === 0) {
          throw new AppError('INVALID_TRANSITION', { message: appMessage('no_sound') });
        }
        const { stored } = dictation;
        const isSame = stored.state === 'open' && stored.language === language && stored.template_id === template_id;
        await queue(dictation, { ...(!isSame && renewed(stored)), language, template_id }, format);
        sender.wake();
        return dictation.view();
      });
    },

    async 'dictation.encoded'({ id, content_type }, bytes) {
      const dictation = find(id);
      return dictation.inOrder(async () => {
        checkState(dictation, 'queued', 'failed');
        // A request that was attempted once is repeated with the same audio.
        if (dictation.stored.state === 'queued' && dictation.stored.tried_at !== null) return dictation.view();
        await dictation.change({ encoded: await writeEncoded(deps, dictation, content_type, bytes) });
        dictation.encodedBy = 0;
        sender.wake();
        return dictation.view();
      });
    },

    async 'dictation.retry'({ id, format = 'wav' }) {
      const dictation = find(id);
      return dictation.inOrder(async () => {
        checkState(dictation, 'failed');
        checkUnreported(deps, dictation.stored.item_id);
        live.giveUp(dictation);
        await queue(dictation, renewed(dictation.stored), format);
        sender.wake();
        return dictation.view();
      });
    },

    async 'dictation.cancel'({ id }) {
      const dictation = find(id);
      checkState(dictation, 'queued', 'sending', 'processing');
      const isAccepted = (): boolean => dictation.stored.state === 'processing';
      if (isAccepted()) return cancelJob(dictation);
      await dictation.inOrder(async () => {
        if (dictation.stored.state === 'queued') await dictation.change({ state: 'open' });
      });
      await sender.leave(dictation);
      // The service may have accepted the dictation just before.
      return isAccepted() ? cancelJob(dictation) : dictation.view();
    },
  };

  async function cancelJob(dictation: LocalDictation) {
    await sender.leave(dictation);
    try {
      const { client } = deps.connect();
      await client.jobs.cancel({ params: { id: dictation.stored.job_id ?? '' } });
    } catch (error) {
      sender.follow(dictation);
      throw error;
    }
    return dictation.inOrder(async () => {
      await dictation.change({ ...renewed(dictation.stored), state: 'open' });
      return dictation.view();
    });
  }
}

async function writeEncoded(
  { sealing }: Pick<DictationsDeps, 'sealing'>,
  dictation: LocalDictation,
  type: keyof typeof beginnings,
  bytes: Uint8Array,
): Promise<SealedFile> {
  if (bytes.length > maxAudioBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: maxAudioBytes } });
  const start = beginnings[type];
  if (!start.equals(bytes.subarray(0, start.length))) {
    throw validationFailed([{ field: 'content_type', message: `the sound is not ${type}`, code: 'INVALID_VALUE' }]);
  }
  const path = pathIn(dictation, encodedName(type));
  await writeSound(path, sealing ? sealedPieces(sealing, path, bytes) : bytes);
  return { content_type: type, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
