/** The calls that send a dictation, and take it back. */
import { createHash } from 'node:crypto';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { maxAudioBytes } from '../../../src/contract/record.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { lengthOf } from '../../../src/domain/dictation/timeline.ts';
import type { HandlersOf } from '../service.ts';
import { requireUnreported } from './context.ts';
import type { DictationContext, DictationsDeps } from './context.ts';
import { elsewhere, isHeardFrom, pathIn, refuseOther, requireState } from './kept-dictation.ts';
import type { KeptDictation } from './kept-dictation.ts';
import { sealedPieces, writeSound } from './sealed-sound.ts';
import { encodedName, renewed } from './stored-dictation.ts';
import type { SealedFile } from './stored-dictation.ts';

type SendingCalls = Pick<
  HandlersOf<'dictation'>,
  'dictation.choose' | 'dictation.send' | 'dictation.encoded' | 'dictation.retry' | 'dictation.cancel'
>;

/** Milliseconds that the page has to compress a dictation before the app sends it as WAV. */
const encodingPatience = 120_000;

/** First bytes of a file of the type (EBML: RFC 8794 11.2.1; Ogg: RFC 3533 6). */
const beginnings = { 'audio/webm': Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), 'audio/ogg': Buffer.from('OggS') } as const;

export function sendingCalls({ deps, find, sender }: DictationContext): SendingCalls {
  const { clock } = deps;

  const queue = (kept: KeptDictation, fields: Parameters<KeptDictation['change']>[0], format = deps.uploadFormat()) => {
    const { sent, encoded } = { ...kept.stored, ...fields };
    const waits = format === 'opus' && sent === null && encoded === null;
    kept.encodedBy = waits ? clock.elapsed() + encodingPatience : 0;
    kept.progress = 0;
    return kept.change({ ...fields, state: 'queued', sealed_at: isoNow(clock), recovered: false, error: null });
  };

  return {
    async 'dictation.choose'({ id, ...chosen }) {
      const kept = find(id);
      return kept.inOrder(async () => {
        requireState(kept, 'recording', 'paused', 'failed');
        const isSame = kept.stored.language === chosen.language && kept.stored.template_id === chosen.template_id;
        // Another language or template needs a new request; the request after a failure is new anyway.
        if (!isSame) await kept.change({ ...chosen, ...(kept.stored.state === 'open' && renewed(kept.stored)) });
        return kept.view();
      });
    },

    async 'dictation.send'({ id, language, template_id, format, of }) {
      const kept = find(id);
      return kept.inOrder(async () => {
        requireState(kept, 'recording', 'paused', 'failed');
        requireUnreported(deps, kept.stored.item_id);
        if (isHeardFrom(kept, clock)) throw elsewhere();
        refuseOther(kept, of);
        await kept.recording.end();
        if (lengthOf(kept.recording.segments()) === 0) {
          throw new AppError('INVALID_TRANSITION', { message: 'Nothing has been recorded yet.' });
        }
        const { stored } = kept;
        const isSame = stored.state === 'open' && stored.language === language && stored.template_id === template_id;
        await queue(kept, { ...(!isSame && renewed(stored)), language, template_id }, format);
        sender.wake();
        return kept.view();
      });
    },

    async 'dictation.encoded'({ id, content_type }, bytes = new Uint8Array()) {
      const kept = find(id);
      return kept.inOrder(async () => {
        requireState(kept, 'queued', 'failed');
        // A request that was tried once is repeated with the same sound.
        if (kept.stored.state === 'queued' && kept.stored.tried_at !== null) return kept.view();
        await kept.change({ encoded: await writeEncoded(deps, kept, content_type, bytes) });
        kept.encodedBy = 0;
        sender.wake();
        return kept.view();
      });
    },

    async 'dictation.retry'({ id, format = 'wav' }) {
      const kept = find(id);
      return kept.inOrder(async () => {
        requireState(kept, 'failed');
        requireUnreported(deps, kept.stored.item_id);
        await queue(kept, renewed(kept.stored), format);
        sender.wake();
        return kept.view();
      });
    },

    async 'dictation.cancel'({ id }) {
      const kept = find(id);
      requireState(kept, 'queued', 'sending', 'processing');
      const isAccepted = (): boolean => kept.stored.state === 'processing';
      if (isAccepted()) return cancelJob(kept);
      await kept.inOrder(async () => {
        if (kept.stored.state === 'queued') await kept.change({ state: 'open' });
      });
      await sender.leave(kept);
      // The service may have accepted the dictation just before.
      return isAccepted() ? cancelJob(kept) : kept.view();
    },
  };

  async function cancelJob(kept: KeptDictation) {
    await sender.leave(kept);
    try {
      const { client } = deps.connect();
      await client.jobs.cancel({ params: { id: kept.stored.job_id ?? '' } });
    } catch (error) {
      sender.follow(kept);
      throw error;
    }
    return kept.inOrder(async () => {
      await kept.change({ ...renewed(kept.stored), state: 'open' });
      return kept.view();
    });
  }
}

async function writeEncoded(
  { sealing }: Pick<DictationsDeps, 'sealing'>,
  kept: KeptDictation,
  type: keyof typeof beginnings,
  bytes: Uint8Array,
): Promise<SealedFile> {
  if (bytes.length > maxAudioBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: maxAudioBytes } });
  const start = beginnings[type];
  if (!start.equals(bytes.subarray(0, start.length))) {
    throw validationFailed([{ field: 'content_type', message: `the sound is not ${type}`, code: 'INVALID_VALUE' }]);
  }
  const path = pathIn(kept, encodedName(type));
  await writeSound(path, sealing ? sealedPieces(sealing, path, bytes) : bytes);
  return { content_type: type, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
