/**
 * What the page knows of the reports of an exam and shows of the open one, and how an answer, an event or a key changes
 * that: plain data and functions, no browser.
 */
import type { MedicalRecord, Section } from '../../../../src/contract/document.ts';
import type { SectionChange } from '../../../../src/contract/record.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { CallOutput } from '../../../bridge/calls.ts';
import type { LeftOver } from './typed.ts';

/** What the person reads about saving. */
export type Saving = 'saved' | 'changed' | 'saving' | 'queued' | 'conflict' | 'failed';

/** The words of a report that a person edits. */
export interface ReportWords {
  readonly title: string;
  readonly sections: readonly Section[];
}

/** What a correction did, until the person accepts it or takes it back. */
export interface Corrected {
  readonly instruction: string;
  readonly changes: readonly SectionChange[];
  /** Why the correction changed nothing, or what it asks first, in the language of the report. */
  readonly message: string | null;
  readonly before: MedicalRecord;
}

export interface DocumentState extends ReportWords {
  readonly phase: 'loading' | 'none' | 'ready' | 'failed';
  /** The report as the service has it, or will have it once the app reaches the service. */
  readonly record: MedicalRecord | null;
  /** A text that waits to be sent and becomes the report then. */
  readonly written: string | null;
  /** All reports of the exam, newest first. */
  readonly all: readonly MedicalRecord[];
  readonly saving: Saving;
  readonly error: BridgeError | null;
  /** The version that somebody else saved meanwhile. */
  readonly theirs: MedicalRecord | null;
  readonly corrected: Corrected | null;
}

export const emptyState: DocumentState = {
  phase: 'loading',
  record: null,
  written: null,
  all: [],
  title: '',
  sections: [],
  saving: 'saved',
  error: null,
  theirs: null,
  corrected: null,
};

/** Whether somebody has signed it, also where the signature can still be taken back. */
export const isSigned = ({ status, signing }: Pick<MedicalRecord, 'status' | 'signing'>): boolean =>
  status === 'final' || signing !== undefined;

export const wordsOf = ({ title, sections }: ReportWords): ReportWords => ({ title, sections });

export const sameWords = (a: ReportWords, b: ReportWords): boolean =>
  a.title === b.title &&
  a.sections.length === b.sections.length &&
  a.sections.every((section, at) => {
    const other = b.sections[at];
    return section.key === other?.key && section.text === other.text && section.title === other.title;
  });

/** Whether the words on the screen differ from those of the report. */
export const isChanged = (state: DocumentState): boolean => state.record !== null && !sameWords(state, state.record);

/** Shows a version of a report: with the words of that version, or below the words on the screen. */
export const showVersion = (
  state: DocumentState,
  version: MedicalRecord,
  words: ReportWords = wordsOf(version),
): DocumentState => ({
  ...state,
  ...words,
  phase: 'ready',
  record: version,
  all: [version, ...state.all.filter(({ id }) => id !== version.id)].toSorted((a, b) =>
    b.created_at.localeCompare(a.created_at),
  ),
});

/**
 * Opens a report. Words that a page left over are shown again: as a change that is about to be saved, or beside the
 * version that somebody else made meanwhile.
 */
export function openReport(
  state: DocumentState,
  fresh: MedicalRecord,
  left: LeftOver | undefined,
  isQueued: boolean,
): DocumentState {
  const opened: DocumentState = { ...showVersion(state, fresh), saving: isQueued ? 'queued' : 'saved' };
  if (!left || sameWords(left.words, fresh)) return opened;
  const { words, base } = left;
  const isUntouched = base === fresh;
  return {
    ...opened,
    ...wordsOf(words),
    record: base,
    theirs: isUntouched ? null : fresh,
    saving: isUntouched ? 'changed' : 'conflict',
  };
}

/** The report as it stands is the same version with other decisions about its findings: the words on the screen stay. */
export const showDecisions = (state: DocumentState, version: MedicalRecord): DocumentState =>
  showVersion(state, version, wordsOf(state));

/** Shows no report any more. */
export const clearReport = (state: DocumentState, phase: 'loading' | 'none'): DocumentState => ({
  ...state,
  record: null,
  sections: [],
  phase,
});

/** A key changes the words on the screen. During a conflict they are saved only once the person has chosen. */
export function editWords(state: DocumentState, words: Partial<ReportWords>): DocumentState {
  const edited = { ...state, ...words };
  if (state.saving === 'conflict') return edited;
  return { ...edited, saving: isChanged(edited) ? 'changed' : 'saved' };
}

/** The app answers a save of `sent`. What the person typed since then is a change of its own. */
export function settleSave(
  state: DocumentState,
  { outcome, record, theirs }: CallOutput<'record.save'>,
  sent: ReportWords,
): DocumentState {
  const answered: DocumentState = { ...state, error: null };
  if (outcome === 'conflict') return meetOther(answered, theirs ?? record);
  if (!sameWords(state, sent)) return { ...showVersion(answered, record, wordsOf(state)), saving: 'changed' };
  return { ...showVersion(answered, record), saving: outcome === 'queued' ? 'queued' : 'saved' };
}

/** Somebody else saved a version while the person here was typing: both are shown. */
export const meetOther = (state: DocumentState, theirs: MedicalRecord): DocumentState => ({
  ...state,
  theirs,
  saving: 'conflict',
});
