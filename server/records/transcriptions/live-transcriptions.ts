/** The live transcriptions of this server, which end with their login. */
import { suggestTemplate } from '../templates/templates.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { maxOpenTranscriptions } from '../../../src/contract/transcription.ts';
import type { TranscriptionInput } from '../../../src/contract/transcription.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Language } from '../../../src/contract/shared.ts';
import type { Caller } from '../../http/call.ts';
import { findExam } from '../exam.ts';
import { scan } from '../../storage/scan.ts';
import type { Reader } from '../../storage/store.ts';
import { requireSound, joinWords, writeSound } from './dictated-audio.ts';
import { createOpenSessions } from './open-sessions.ts';
import { getChunkMs } from './session.ts';
import type { SessionDeps } from './session.ts';
import { openStoredSession } from './stored-session.ts';
import type { SpokenSession } from './stored-session.ts';
import { isUsed, nameField, retentionMs, refusedPiece, toTranscription } from './stored-transcription.ts';
import type { StoredTranscription } from './stored-transcription.ts';
import type { Transcriptions } from './transcriptions.ts';

const fallbackLanguage: Language = 'en-US';

export function createTranscriptions(deps: SessionDeps): Transcriptions {
  const { store, recognition, clock, log } = deps;
  const sessions = createOpenSessions(deps);
  let unwatch = (): void => {};

  const stored = async (
    id: string,
    { grant_id }: Pick<Caller, 'grant_id'>,
    reader: Reader = store,
  ): Promise<StoredTranscription> => {
    const found = await reader.get('transcriptions', id);
    if (!found || isUsed(found) || found.grant_id !== grant_id) throw new AppError('NOT_FOUND');
    return found;
  };

  const openSpoken = async (found: StoredTranscription): Promise<SpokenSession> =>
    (await sessions.open(found)) ?? openStoredSession(deps, found);

  const discardLater = (id: string): void =>
    void sessions
      .discard(id)
      .catch(() => log({ level: 'warn', event: 'transcription_not_removed', transcription_id: id }));

  /** Discards transcriptions that were removed or lost their login; one may have been ended elsewhere. Reads only those of this member. */
  async function checkChanged(transcriptions: readonly string[], grants: readonly string[]): Promise<void> {
    for (const id of transcriptions) {
      if (!sessions.concerns(id)) continue;
      const present = await store.get('transcriptions', id);
      if (present) await sessions.notice(present);
      else if (sessions.has(id)) discardLater(id);
      else await sessions.forget(id);
    }
    for (const grant of grants) {
      if (!sessions.mayHaveGrant(grant) || (await isAlive(grant))) continue;
      for (const each of await store.find('transcriptions', { is: { grant } })) {
        if (!isUsed(each) && (await sessions.isOurs(each.id))) discardLater(each.id);
      }
    }
  }

  const isAlive = async (id: string): Promise<boolean> => {
    const grant = await store.get('grants', id);
    return grant?.revoked_at === null;
  };

  /** Deletes audio and words of removed transcriptions, which a crash can leave behind. */
  async function collectRemains(): Promise<void> {
    const gone = new Set<string>();
    for (const collection of ['sounds', 'phrases'] as const) {
      for await (const { transcription_id: id } of scan(store, collection)) gone.add(id);
    }
    for (const id of gone) if (!(await store.get('transcriptions', id))) await sessions.discard(id);
  }

  return {
    begin: (input, caller) => createTranscription(deps, input, caller),

    async put(tx, transcription) {
      const own = await tx.find('transcriptions', { is: { grant: transcription.grant_id } });
      if (own.filter(({ status }) => status === 'open').length >= maxOpenTranscriptions) throw tooMany();
      tx.put('transcriptions', transcription);
    },

    showNew: (transcription) =>
      toTranscription(transcription, {
        phrases: [],
        offset: 0,
        chunkMs: getChunkMs(recognition, transcription),
        quietSince: clock.now(),
      }),

    find: async (id, caller) => sessions.open(await stored(id, caller)),

    async remove(id, caller) {
      await store.transact(async (tx) => {
        await stored(id, caller, tx);
        tx.remove('transcriptions', id);
      });
      await sessions.discard(id);
    },

    async dictate(pieces, caller) {
      const spoken = await Promise.all(
        pieces.map(async (piece, at) => {
          const found = await stored(piece.id, caller).catch(() => {
            throw refusedPiece(pieces, at);
          });
          return { ...piece, session: await openSpoken(found) };
        }),
      );
      requireSound(spoken, (at) => nameField(pieces, at));
      for (const { session } of spoken) await session.end();
      return writeSound(deps, spoken);
    },

    async heard(pieces, language, signal) {
      const spoken = [];
      for (const piece of pieces) {
        const found = await store.get('transcriptions', piece.id);
        if (!found) return undefined;
        spoken.push({ ...piece, session: await openSpoken(found) });
      }
      for (const { session } of spoken) await session.settled(signal);
      const heard = joinWords(spoken, language);
      // Words whose check was lost, as by a crash, are heard from the whole audio.
      const isChecked = spoken.some(({ session }) => session.stored.checking) || !heard?.sound?.unchecked;
      return isChecked ? heard : undefined;
    },

    async start() {
      unwatch();
      await sessions.closeAll();
      const ends = [
        store.watch('transcriptions', (changed) => void checkChanged(changed, []).catch(() => undefined)),
        store.watch('grants', (changed) => void checkChanged([], changed).catch(() => undefined)),
      ];
      unwatch = () => ends.forEach((end) => end());
      await collectRemains();
      for await (const each of scan(store, 'transcriptions')) {
        if (!(await sessions.isOurs(each.id))) continue;
        const isOld = each.status === 'ended' && Date.parse(each.updated_at) + retentionMs <= clock.now();
        const isOver = isOld && (deps.steady?.wait() ?? 0) === 0;
        if (isOver || (!isUsed(each) && !(await isAlive(each.grant_id)))) await sessions.discard(each.id);
        else await sessions.open(each);
      }
    },

    async stop() {
      unwatch();
      await sessions.closeAll();
    },
  };
}

/** A new transcription, not stored yet. VALIDATION_FAILED, or ENGINE_UNAVAILABLE without a live recogniser. */
async function createTranscription(
  { store, templates, recognition, clock, ids }: SessionDeps,
  input: TranscriptionInput,
  caller: Caller,
): Promise<StoredTranscription> {
  const { language } = input;
  const template_id = input.template_id ?? null;
  const worklist_item_id = input.worklist_item_id ?? null;
  const item = await findExam(store, caller.space, worklist_item_id);
  if (worklist_item_id !== null && !item) throw invalid('worklist_item_id', 'is not the id of a worklist item');
  const { detectLanguage } = await import('../../../src/reporting/words/language.ts');
  const spoken = language ?? (item ? detectLanguage(item.exam_description) : undefined) ?? fallbackLanguage;
  if (template_id !== null && !(await templates.find(caller, { id: template_id }, spoken))) {
    throw invalid('template_id', `is not the id of a template${await suggestTemplate(templates, caller, template_id)}`);
  }
  recognition.requireLive(caller);
  const now = isoNow(clock);
  return {
    id: ids('trn'),
    space: caller.space,
    client_id: caller.client_id,
    grant_id: caller.grant_id,
    test_mode: caller.test_mode,
    status: 'open',
    language: spoken,
    template_id,
    worklist_item_id,
    error: null,
    created_at: now,
    updated_at: now,
  };
}

const invalid = (field: string, message: string): AppError =>
  validationFailed([{ field, message: `${field} ${message}`, code: 'INVALID_VALUE' }]);

const tooMany = (): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', {
    message: `This login has ${maxOpenTranscriptions} open transcriptions, and may have no more.`,
    details: { limit: maxOpenTranscriptions, window: 'open at once', retry_after: 60 },
    hint: 'End or delete those that are not in use.',
    retryAfter: 60,
  });
