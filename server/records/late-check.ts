/**
 * Brings the rest of a second hearing into the record that did not wait for it. It asks about words and never changes
 * them, whoever has edited the record meanwhile.
 */
import type { HeardText } from '../../src/domain/heard-text.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { serviceActor } from '../storage/actor.ts';
import type { Transaction } from '../storage/store.ts';
import { linkExam } from './exam.ts';
import { inspectRecord } from './next-version.ts';
import type { InspectionDeps } from './next-version.ts';
import { withFindings } from './review.ts';
import type { Maker } from './review.ts';
import type { RecordDeps } from './deps.ts';
import type { Inspection } from '../../src/reporting/versions/inspection.ts';
import { withoutPending, withPendingReview } from './signature-state.ts';
import { findRecord, isSigning, publishRecord, putReviewed, versionId } from './stored-record.ts';
import type { StoredRecord } from './stored-record.ts';
import { joinWords } from './transcriptions/dictated-audio.ts';
import type { DictatedPiece } from './transcriptions/dictated-audio.ts';
import { openStoredSession } from './transcriptions/stored-session.ts';
import { toStoredSound } from './transcriptions/stored-transcription.ts';
import type { StoredTranscription } from './transcriptions/stored-transcription.ts';

export type LateCheckDeps = InspectionDeps & Pick<RecordDeps, 'blobs' | 'clock' | 'ids' | 'log'>;

/**
 * Applies what was found to the record of a checked transcription, unless others of the record are still checked. If it
 * `isGivenUp`, the words count as heard once.
 */
export async function applyLateCheck(
  services: LateCheckDeps,
  { id, record_id = '' }: Pick<StoredTranscription, 'id' | 'record_id'>,
  { isGivenUp, signal }: { readonly isGivenUp: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { store } = services;
  for (let isDone = false; !isDone;) {
    const before = await findRecord(store, record_id);
    if (!before?.checking) return store.transact(async (tx) => tx.remove('transcriptions', id));
    const pieces = isGivenUp ? undefined : await openPieces(services, before.checking, signal);
    if (pieces?.some(({ session }) => session.stored.checking)) return;
    const checked = findChecked(before, pieces && joinWords(pieces, before.language));
    const { provenance } = (await store.get('versions', versionId(record_id, before.version))) ?? {};
    const { found } = await inspectRecord(services, { ...before, ...checked }, { provenance }, signal);
    isDone = await store.transact(
      async (tx) => {
        const present = await findRecord(tx, record_id);
        if (present?.version !== before.version || !present.checking) return false;
        for (const piece of present.checking) tx.remove('transcriptions', piece.id);
        await putChecked(tx, services, present, { checked, found });
        return true;
      },
      () => serviceActor('records.check'),
    );
  }
}

/** `undefined`: the sound and the words of one are gone. */
async function openPieces(
  services: LateCheckDeps,
  pieces: NonNullable<StoredRecord['checking']>,
  signal: AbortSignal,
): Promise<DictatedPiece[] | undefined> {
  const opened: DictatedPiece[] = [];
  for (const piece of pieces) {
    const stored = await services.store.get('transcriptions', piece.id);
    if (!stored) return undefined;
    const session = await openStoredSession(services, stored);
    await session.settled(signal);
    opened.push({ ...piece, session });
  }
  return opened;
}

type CheckResult = Pick<StoredRecord, 'heard_sound' | 'other_readings' | 'suppressed'>;

/** The facts about the record's words after the check. Words that nobody heard again count as heard once. */
function findChecked({ transcript, heard_sound: before, ...record }: StoredRecord, heard?: HeardText): CheckResult {
  const known: HeardText =
    heard?.text === transcript && heard.sound
      ? heard
      : {
          text: '',
          ...(before && { sound: before }),
          ...(record.other_readings && { otherReadings: record.other_readings }),
          ...(record.suppressed && { suppressed: record.suppressed }),
        };
  const { unchecked = [], once = [], ...sound } = known.sound ?? {};
  const heardOnce = [...once, ...unchecked];
  return {
    heard_sound: toStoredSound({
      ...sound,
      ...(heardOnce.length > 0 && { once: heardOnce }),
      ...(before?.gaps && { gaps: before.gaps }),
    }),
    ...(known.otherReadings && { other_readings: [...known.otherReadings] }),
    ...(known.suppressed && { suppressed: [...known.suppressed] }),
  };
}

async function putChecked(
  tx: Transaction,
  services: Pick<RecordDeps, 'clock'>,
  present: StoredRecord,
  { checked, found }: { readonly checked: CheckResult; readonly found: Inspection['found'] },
): Promise<void> {
  const maker: Maker = { by: 'Laudio', at: isoNow(services.clock) };
  const { checking: _checking, ...settled } = present;
  const next: StoredRecord = { ...settled, ...checked, ...withFindings(present, present, found, maker) };
  const known = new Set(present.findings_to_review?.map((each) => each.id));
  if (!isSigning(next))
    return void (await putReviewed(tx, next.status === 'final' ? withLateDoubts(next, known) : next));
  const hasDoubt = next.findings_to_review?.some((each) => each.severity !== 'info' && !known.has(each.id));
  if (!hasDoubt) {
    const { dismissals } = next.pending_signature;
    const signed = { ...next, ...(dismissals && { dismissals }) };
    const review = (before: NonNullable<StoredRecord['findings_to_review']>) =>
      withFindings({ ...signed, findings_to_review: before }, next, found, maker).findings_to_review ?? [];
    return void (await putReviewed(tx, withPendingReview(next, review)));
  }
  // The signer has not seen the doubt, and nobody has the report yet.
  const draft = await putReviewed(tx, withoutPending(next));
  publishRecord(tx, draft, 'taken_back');
  await linkExam(tx, services, draft);
}

/** In a final report a new doubt is a warning, since its signer was not asked. The next version has it as a question. */
const withLateDoubts = (record: StoredRecord, known: ReadonlySet<string>): StoredRecord => ({
  ...record,
  ...(record.findings_to_review && {
    findings_to_review: record.findings_to_review.map((each) =>
      each.kind === 'heard_differently' && each.status === 'open' && !known.has(each.id)
        ? { ...each, severity: 'warning' }
        : each,
    ),
  }),
});
