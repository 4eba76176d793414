/** Makes the edits of a person, now or as soon as the service is reachable. */
import type { MedicalRecord, Section } from '../../../src/contract/document.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { maxBrought } from '../../../src/contract/inserted-text.ts';
import { addendumKey } from '../../../src/domain/record-state.ts';
import type { CallOutput } from '../../bridge/calls.ts';
import type { Stroke } from '../../bridge/shapes.ts';
import type { TypedInput } from '../../bridge/typed.ts';
import type { MakeOptions } from '../changes/changes.ts';
import { wordsOf } from './record-changes.ts';
import type { RecordCopies, RecordsDeps } from './record-copies.ts';
import { addendaOf } from './record-edits.ts';
import type { RecordEdit, UpdateKind } from './record-edits.ts';

/** The kind under which the typed words of an edit are stored. */
const typedAs: Readonly<Partial<Record<UpdateKind, TypedInput['kind']>>> = {
  'record.save': 'report',
  'record.addendum': 'addendum',
};

/** Makes the edit; if another person changed the record since, returns both versions. */
export type EditRecord = (
  kind: UpdateKind,
  id: string,
  edit: Omit<RecordEdit, 'after' | 'version'> & { version?: number; stroke?: Stroke },
  more?: Pick<MakeOptions, 'unkept' | 'notBefore'>,
) => Promise<CallOutput<'record.save'>>;

export function createRecordEditing({ changes, typed, own, placed }: RecordsDeps, copies: RecordCopies): EditRecord {
  const { known, fetch, findWaiting, edited, withEdits } = copies;
  return async (kind, id, { stroke, ...words }, more = {}) => {
    const before = await known(id);
    const { worklist_item_id: itemId } = before;
    const { brought = [], base } = words;
    const found = itemId === null ? [] : placed().find(itemId, sectionsIn(kind, words), base?.sections);
    const measured = found.slice(0, maxBrought - brought.length);
    const edit: RecordEdit = {
      ...words,
      ...(kind === 'record.save' && measured.length > 0 && { brought: [...brought, ...measured] }),
      version: words.version ?? before.version,
      ...(kind === 'record.addendum' && { addenda: addendaOf(before).length + findWaiting(kind, id).length }),
    };
    const about = typedAs[kind] && { kind: typedAs[kind], subject: id };
    // A signature completes the exam: earlier decisions about the exam come first.
    const touches = kind === 'record.sign' && before.worklist_item_id !== null ? [before.worklist_item_id] : [];
    try {
      const payload = (after: string | undefined) => ({ ...edit, ...(after !== undefined && { after }) });
      const made = await changes.make(kind, id, payload, { ...more, touches });
      if (itemId !== null) await placed().settle(itemId, measured);
      // The title of an addendum was not typed.
      if (about) await typed.settle(about, stroke, about.kind === 'addendum' ? { ...words, title: undefined } : words);
      if (made) return { outcome: 'saved', record: made.sent as MedicalRecord };
      // A change that is held back for its author is as safe as can be.
      return { outcome: more.notBefore === undefined ? 'queued' : 'saved', record: withEdits(before) };
    } catch (error) {
      // The operator may have assigned another role, or the PIN was set or removed.
      if (error instanceof AppError && error.code === 'FORBIDDEN') own.ask();
      const isConflict =
        error instanceof AppError && (error.code === 'VERSION_CONFLICT' || error.code === 'INVALID_TRANSITION');
      if (!isConflict) throw error;
      const theirs = await fetch(id);
      if (theirs.version === edit.version) throw error;
      // The person may choose between both versions later, or in another window.
      if (about?.kind === 'report') await typed.keep({ ...about, ...wordsOf(edit), ...(stroke && { stroke }) });
      return { outcome: 'conflict', record: edited(before, kind, edit), theirs };
    }
  };
}

/** The sections that the edit writes. */
function sectionsIn(kind: UpdateKind, { sections = [], text = '' }: Pick<RecordEdit, 'sections' | 'text'>): Section[] {
  return kind === 'record.addendum' ? [{ key: addendumKey, title: '', text }] : sections;
}
