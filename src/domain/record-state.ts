/**
 * The changes that a record allows: a draft changes freely, a preliminary record through its reviewers
 * (signing-rules.ts), and a final one only gains addenda.
 */
import { maxDocumentLength } from '../contract/document.ts';
import type { MedicalRecord, Section } from '../contract/document.ts';
import { AppError, validationFailed } from '../contract/errors.ts';
import type { FieldError } from '../contract/errors.ts';
import type { RecordUpdate } from '../contract/record.ts';
import { checkAddendum, decideStep } from './signing-rules.ts';
import type { Standing, Step } from './signing-rules.ts';

/** Key of the sections that a signed record may gain. */
export const addendumKey = 'addendum';

/** The part of a record that people change. */
export type Content = Pick<MedicalRecord, 'title' | 'sections' | 'status' | 'metadata'>;

export interface ContentChange {
  readonly content: Content;
  readonly change: Step['change'] | 'addendum';
}

/** All sections as one text. */
export const textOf = (sections: readonly Section[]): string =>
  sections.map(({ title, text }) => `${title}\n${text}`).join('\n\n');

/**
 * Applies an update to a record; `undefined` if the update changes nothing. Throws INVALID_TRANSITION for a change that
 * a signed record does not allow, FORBIDDEN for a change that is reserved to others, and VALIDATION_FAILED for two
 * sections with one key, for more text than a record holds, and for a note without its status.
 */
export function changeContent(
  before: Content & Pick<MedicalRecord, 'sent_back'>,
  update: RecordUpdate,
  by: Standing,
): ContentChange | undefined {
  if (update.sections) refuseSections(update.sections);
  const content: Content = {
    title: update.title ?? before.title,
    sections: update.sections ?? before.sections,
    status: update.status ?? before.status,
    metadata: update.metadata ?? before.metadata,
  };
  const sectionsChanged = !isSame(content.sections, before.sections);
  const restChanged =
    content.title !== before.title || content.status !== before.status || !isSame(content.metadata, before.metadata);
  const { note } = update;
  if (!sectionsChanged && !restChanged) {
    if (note !== undefined && note !== before.sent_back?.note) throw refusedForNote();
    return undefined;
  }
  if (before.status === 'final') {
    if (restChanged || !isAddendum(before.sections, content.sections)) throw refusedForFinal();
    checkAddendum(by);
    return { content, change: 'addendum' };
  }
  const { status, change } = decideStep(before.status, update.status ?? 'change', by);
  if (note !== undefined && change !== 'sent_back') throw refusedForNote();
  return { content: { ...content, status }, change };
}

function refusedForNote(): AppError {
  const message = 'note comes with status draft, by which an attending sends a preliminary document back';
  return validationFailed([{ field: 'note', message, code: 'INVALID_VALUE' }]);
}

/** Whether the update leaves everything but the status as it is. */
export const isSameContent = (before: Content, { title, sections, metadata }: RecordUpdate): boolean =>
  (title === undefined || title === before.title) &&
  (sections === undefined || isSame(sections, before.sections)) &&
  (metadata === undefined || isSame(metadata, before.metadata));

/** 409: the record is signed. */
export const refusedForFinal = (): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: 'The document is final: it can only gain an addendum.',
    details: { status: 'final' },
    hint: `Send the sections as they are with a further one whose key is "${addendumKey}".`,
  });

const isAddendum = (before: readonly Section[], after: readonly Section[]): boolean =>
  isSame(after.slice(0, before.length), before) &&
  after.slice(before.length).every((section) => section.key === addendumKey);

/** VALIDATION_FAILED if they can't be the sections of one record. */
export function refuseSections(sections: readonly Section[]): void {
  refuseRepeatedKeys(sections);
  refuseTooLong(sections);
}

/** A section is addressed by its key; addenda follow each other. */
function refuseRepeatedKeys(sections: readonly Section[]): void {
  const seen = new Set<string>();
  const found: FieldError[] = [];
  for (const [index, { key }] of sections.entries()) {
    const field = `sections.${index}.key`;
    if (key !== addendumKey && seen.has(key))
      found.push({ field, message: `${field} is repeated`, code: 'INVALID_VALUE' });
    seen.add(key);
  }
  if (found.length > 0) throw validationFailed(found);
}

function refuseTooLong(sections: readonly Section[]): void {
  if (sections.reduce((length, { text }) => length + text.length, 0) <= maxDocumentLength) return;
  const message = `the sections must not hold more than ${maxDocumentLength} characters together`;
  throw validationFailed([{ field: 'sections', message, code: 'TOO_LONG' }]);
}

/** Equal as JSON values: the order of keys does not matter. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((value, index) => isSame(value, b[index]))
    );
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}
