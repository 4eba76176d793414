/** The edits of records: the update that each sends to the service, and the record that results. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import type { MedicalRecord, Section } from '../../../src/contract/document.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { BroughtText } from '../../../src/contract/inserted-text.ts';
import type { RecordUpdate } from '../../../src/contract/record.ts';
import { communicationSections } from '../../../src/reporting/critical.ts';
import { addendumKey, changeContent, textOf } from '../../../src/domain/record-state.ts';
import { mergeReports, saySame } from '../../../src/reporting/versions/report-merge.ts';
import type { Standing } from '../../../src/domain/signing-rules.ts';
import type { Change } from '../changes/change-outbox.ts';
import type { CachedRecord } from './record-cache.ts';

export type UpdateKind = 'record.save' | 'record.sign' | 'record.send_back' | 'record.reopen' | 'record.addendum';

/**
 * A change of a record. `version`: the version that the person saw; `after`: the change that was being sent when the
 * person made this one.
 */
export interface RecordEdit {
  readonly version: number;
  readonly after?: string;
  readonly title?: string;
  readonly sections?: Section[];
  /** The text in which the person typed. */
  readonly base?: { readonly title: string; readonly sections: Section[] };
  readonly text?: string;
  /** For an addendum: number of addenda when the person wrote it. */
  readonly addenda?: number;
  /** Warnings that the signer acknowledged. */
  readonly acknowledged?: string[];
  /** The status of the signature; absent: `final`. */
  readonly status?: 'preliminary' | 'final';
  /** For the resident who gets the report back. */
  readonly note?: string;
  /** Text of the sections that came from priors. */
  readonly brought?: BroughtText[];
  /** Seconds for which its signature can be undone. */
  readonly grace?: number;
}

/** The update of a record that makes the edit. */
export const updates: Readonly<Record<UpdateKind, (edit: RecordEdit, record: MedicalRecord) => RecordUpdate>> = {
  'record.save': ({ title, sections, brought }) => ({
    ...(title !== undefined && { title }),
    ...(sections && { sections }),
    ...(brought && { brought }),
  }),
  'record.sign': ({ acknowledged, grace = 0, status = 'final' }) => ({
    status,
    require_resolved: true,
    ...(acknowledged && { acknowledged }),
    ...(grace > 0 && { grace_seconds: grace }),
  }),
  'record.send_back': ({ note }) => ({ status: 'draft', ...(note !== undefined && { note }) }),
  'record.reopen': () => ({ status: 'draft' }),
  'record.addendum': ({ title = '', text = '' }, { sections }) => ({
    sections: [...sections, { key: addendumKey, title, text }],
  }),
};

export const withoutSigning = ({ signing: _taken, ...record }: MedicalRecord): MedicalRecord => record;

/**
 * The record with the edit applied; unchanged if the edit is impossible. A signature leaves it unchanged: only the
 * service signs.
 */
export function withEdit(record: MedicalRecord, kind: UpdateKind, edit: RecordEdit, by: Standing): MedicalRecord {
  if (kind === 'record.sign') return record;
  try {
    const { content } = changeContent(record, updates[kind](ontoPresent(edit, record).edit, record), by) ?? {};
    if (!content) return record;
    // Only the service finds problems in new text.
    const { findings_to_review: _of_former_words, ...kept } = record;
    const base = content.sections === record.sections ? record : kept;
    return { ...base, ...content, text: textOf([...content.sections, ...communicationSections(base)]) };
  } catch {
    return record;
  }
}

/**
 * Applies the edit to a record that may have changed since the person saw it: other people's changes stay, even if the
 * edit contains the whole record. `clashes`: whether both changed the same; the edit keeps the person's text there.
 * `unread`: whether the record then contains text that the person has not seen.
 */
export function ontoPresent(
  edit: RecordEdit,
  present: MedicalRecord,
): { readonly edit: RecordEdit; readonly clashes: boolean; readonly unread: boolean } {
  const { base, title, sections } = edit;
  if (!base || saySame(base, present)) return { edit, clashes: false, unread: false };
  const ours = { title: title ?? base.title, sections: sections ?? base.sections };
  const { words, clashes } = mergeReports(base, ours, present);
  return {
    edit: { ...edit, title: words.title, sections: [...words.sections] },
    clashes: clashes.length > 0,
    unread: !saySame(words, ours),
  };
}

/** The kinds by which a person takes responsibility for the whole record, which requires having read it. */
const ofWhole: ReadonlySet<string> = new Set(['record.sign', 'record.delete']);

/**
 * The version that the service must have for the edit to apply: the one that the person saw, or the result of the
 * change before it. Throws VERSION_CONFLICT if the edit is for the whole record, and that contains another person's
 * text or lacks the change before it.
 */
export function findBase(kind: string, { version, after }: RecordEdit, cached: CachedRecord | undefined): number {
  const mine = cached?.mine;
  if (after === undefined) return version;
  if (ofWhole.has(kind) && mine?.change !== after) {
    throw new AppError('VERSION_CONFLICT', {
      message: appMessage('earlier_change'),
    });
  }
  if (ofWhole.has(kind) && mine?.unread) {
    throw new AppError('VERSION_CONFLICT', {
      message: appMessage('report_changed'),
    });
  }
  return mine?.change === after ? mine.version : version;
}

export const isVersionConflict = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'VERSION_CONFLICT';

/** Whether the record is signed, finally or as preliminary, including signatures that can still be undone. */
export const isSigned = ({ status, signing }: MedicalRecord): boolean => status !== 'draft' || signing !== undefined;

export const isUpdate = (kind: string): kind is UpdateKind => Object.hasOwn(updates, kind);
export const editOf = ({ payload }: Change): RecordEdit => payload as RecordEdit;

/** A placeholder for updates that do not depend on the record. */
export const emptyRecord = { sections: [] as Section[] } as MedicalRecord;

/** Whether the record already equals the result of the update. */
export function hasEdit(record: MedicalRecord, update: RecordUpdate, by: Standing): boolean {
  try {
    return changeContent(record, update, by) === undefined;
  } catch {
    return false;
  }
}

export const addendaOf = ({ sections }: MedicalRecord): Section[] => sections.filter(({ key }) => key === addendumKey);

/**
 * Whether the service already has the addendum: in a later version than the one it was meant for, and after the addenda
 * that existed then, of which one may have the same text.
 */
export const hasAddendum = (record: MedicalRecord, { title, text, addenda }: RecordEdit, base: number): boolean =>
  record.version > base &&
  addendaOf(record)
    .slice(addenda)
    .some((section) => section.title === title && section.text === text);
