/** Creates the next version of a record: its words, their origins, and the findings to review. */
import { isDeepStrictEqual } from 'node:util';
import { isoNow } from '../../src/domain/clock.ts';
import { communicationSections } from '../../src/reporting/critical.ts';
import type { Template } from '../../src/contract/template.ts';
import type { Brought, Edit, TracedReport } from '../../src/reporting/versions/edits.ts';
import { macrosOfTemplate } from '../../src/reporting/vocabulary/macros.ts';
import { textOf } from '../../src/domain/record-state.ts';
import type { Content } from '../../src/domain/record-state.ts';
import { forLanguage } from '../../src/reporting/templates/template.ts';
import type { Call } from '../http/call.ts';
import type { RecordDeps } from './deps.ts';
import { whoIs } from '../http/caller.ts';
import { whileCalled } from './dictation.ts';
import { findExam, toExamContext } from './exam.ts';
import { inspect } from './inspect.ts';
import type { InspectedVersion, Inspection } from '../../src/reporting/versions/inspection.ts';
import { withFindings } from './review.ts';
import type { Maker } from './review.ts';
import { toTemplateRef, versionId } from './stored-record.ts';
import type { OpenRecord, SettledRecord, StoredRecord } from './stored-record.ts';

export type InspectionDeps = Pick<RecordDeps, 'store' | 'templates' | 'workers'>;

/** The content of a version; its status follows from the step that made it. */
type Words = Omit<Content, 'status'>;

/** Words and inspection of the next version, before the current review is carried over. */
export interface PreparedVersion extends Inspection {
  readonly words: Partial<Words>;
}

/** The template of the record, in the record's language. */
export async function findTemplate({ templates }: InspectionDeps, record: StoredRecord): Promise<Template | undefined> {
  const { space, test_mode, language } = record;
  const found = await templates.find({ space, test_mode }, toTemplateRef(record), language);
  return found && forLanguage(found, language);
}

/** Inspects the record with its new content. `origin`: where its words come from; by default an edit by the caller. */
export async function prepare(
  services: InspectionDeps,
  before: StoredRecord,
  words: Partial<Words>,
  call: Call,
  { origin, brought }: { origin?: Pick<InspectedVersion, 'provenance' | 'edited'>; brought?: readonly Brought[] } = {},
): Promise<PreparedVersion> {
  const sections = words.sections ?? before.sections;
  const edit = { by: whoIs(call.caller), ...(brought && { brought }) };
  const traced = origin ?? (await traceOrigin(services, before, sections, edit));
  const inspected = inspectRecord(services, { ...before, sections }, traced, call.signal);
  return { words, ...(await whileCalled(call, inspected)) };
}

/** Inspects the record against what was heard, its template and its exam. */
export async function inspectRecord(
  services: InspectionDeps,
  record: StoredRecord,
  traced: Pick<InspectedVersion, 'provenance' | 'edited'>,
  signal: AbortSignal,
): Promise<Inspection> {
  const { space, language, sections, worklist_item_id } = record;
  const template = await findTemplate(services, record);
  const item = await findExam(services.store, space, worklist_item_id);
  const { transcript, heard_words: heardWords = [], suppressed = [], other_readings: otherReadings = [] } = record;
  const { heard_sound: sound, unknown_words: unknown = [] } = record;
  const heard =
    transcript === null
      ? null
      : { text: transcript, words: heardWords, suppressed, otherReadings, unknown, ...(sound && { sound }) };
  const against = {
    language,
    template: template?.sections ?? [],
    macros: macrosOfTemplate(template?.macros ?? []),
    heard,
    exam: item ? toExamContext(item) : null,
  };
  return inspect(services, { sections, against, ...traced }, { account: space, signal });
}

/** Limits the characters of earlier versions that are searched for restored sections. */
const maxRead = 1_000_000;

/**
 * Unchanged sections keep their origins; others are compared with the current version and the newest older one with
 * that text.
 */
async function traceOrigin(
  { store }: Pick<RecordDeps, 'store'>,
  before: StoredRecord,
  sections: StoredRecord['sections'],
  edit: Pick<Edit, 'by' | 'brought'>,
): Promise<Pick<InspectedVersion, 'provenance' | 'edited'>> {
  const present = await store.get('versions', versionId(before.id, before.version));
  if (isDeepStrictEqual(before.sections, sections)) return { provenance: present?.provenance };
  if (!present?.provenance) return {};
  let changed = sections.filter(
    ({ key, text }) => text !== '' && before.sections.find((section) => section.key === key)?.text !== text,
  );
  const previous: TracedReport[] = [];
  for (let [n, read] = [before.version - 1, 0]; changed.length > 0 && n > 0 && read < maxRead; n -= 1) {
    const version = await store.get('versions', versionId(before.id, n));
    read += version?.record.text.length ?? 0;
    if (!version?.provenance) continue;
    const { sections: then } = version.record;
    const left = changed.filter(
      ({ key, text }) => !then.some((section) => section.key === key && section.text === text),
    );
    if (left.length < changed.length) previous.push({ sections: then, provenance: version.provenance });
    changed = left;
  }
  return {
    edited: { before: { sections: before.sections, provenance: present.provenance }, previous, ...edit },
  };
}

export function nextVersion(before: OpenRecord, prepared: PreparedVersion, maker: Maker): OpenRecord;
export function nextVersion(before: SettledRecord, prepared: PreparedVersion, maker: Maker): SettledRecord;
export function nextVersion(before: SettledRecord, { words, found }: PreparedVersion, maker: Maker): SettledRecord {
  const { findings_to_review: _former, critical_results: _results, ...rest } = before;
  const after = { ...rest, ...words, version: before.version + 1, updated_at: maker.at };
  const reviewed = { ...after, ...withFindings(before, after, found, maker) };
  return { ...reviewed, text: textOf([...reviewed.sections, ...communicationSections(reviewed)]) };
}

export const createMaker = (call: Call, { clock }: Pick<RecordDeps, 'clock'>): Maker => ({
  by: whoIs(call.caller),
  at: isoNow(clock),
});
