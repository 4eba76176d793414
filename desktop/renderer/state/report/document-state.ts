/**
 * The page's knowledge of the reports of an exam and of the open one, and how answers, events and keys change it. Pure
 * data and functions.
 */
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { SectionChange } from '../../../../src/contract/record.ts';
import { joinTexts } from '../../../../src/reporting/versions/both-texts.ts';
import { mergeReports, saySame, titleKey, withText } from '../../../../src/reporting/versions/report-merge.ts';
import type { Clash, ReportWords } from '../../../../src/reporting/versions/report-merge.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { CallOutput } from '../../../bridge/calls.ts';
import type { LeftOver } from './typed.ts';

/** The saving state that the person sees. */
export type Saving = 'saved' | 'changed' | 'saving' | 'queued' | 'conflict' | 'failed';

export type { Clash, ReportWords };

/** The result of a correction, until the person accepts or undoes it. */
export interface AppliedCorrection {
  readonly instruction: string;
  readonly changes: readonly SectionChange[];
  /** Why the correction changed nothing, or its question, in the language of the report. */
  readonly message: string | null;
  readonly before: MedicalRecord;
}

interface AroundReport extends ReportWords {
  /** A text waiting to be sent, which will become the report. */
  readonly written: string | null;
  /** All reports of the exam, newest first. */
  readonly all: readonly MedicalRecord[];
  readonly saving: Saving;
  readonly error: BridgeError | null;
  /** The conflicting version that another person saved since. */
  readonly theirs: MedicalRecord | null;
  /** Headings of the sections merged from another person's changes; '' for the title. */
  readonly merged: readonly string[];
  readonly corrected: AppliedCorrection | null;
}

/** `record`: the report as the service has it, or will have it once the app reaches the service. */
export interface ReadyState extends AroundReport {
  readonly phase: 'ready';
  readonly record: MedicalRecord;
}
interface StateWithoutReport extends AroundReport {
  readonly phase: 'loading' | 'none' | 'failed';
  readonly record: null;
}
export type DocumentState = ReadyState | StateWithoutReport;

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
  merged: [],
  corrected: null,
};

/** Whether the report is signed, even if the signature can still be undone. */
export const isSigned = ({ status, signing }: Pick<MedicalRecord, 'status' | 'signing'>): boolean =>
  status === 'final' || signing !== undefined;

export const wordsOf = ({ title, sections }: ReportWords): ReportWords => ({ title, sections });

export const sameWords = saySame;

/** Whether the text on the screen differs from the report. */
export const isChanged = (state: DocumentState): boolean => state.record !== null && !sameWords(state, state.record);

/** Shows a version of a report: with its text, or with the text on the screen. */
export const showVersion = (
  state: DocumentState,
  version: MedicalRecord,
  words: ReportWords = wordsOf(version),
): ReadyState => ({
  ...state,
  ...words,
  phase: 'ready',
  record: version,
  all: [version, ...state.all.filter(({ id }) => id !== version.id)].toSorted((a, b) =>
    b.created_at.localeCompare(a.created_at),
  ),
});

/**
 * Opens a report. Unsaved words of an earlier page are shown again: as a change to be saved, or in conflict with a
 * version that another person saved since.
 */
export function withReport(
  state: DocumentState,
  fresh: MedicalRecord,
  left: LeftOver | undefined,
  isQueued: boolean,
): DocumentState {
  const opened: ReadyState = {
    ...showVersion({ ...state, merged: [] }, fresh),
    saving: isQueued ? 'queued' : 'saved',
  };
  if (!left || sameWords(left.words, fresh)) return opened;
  const { words, base } = left;
  const taken: ReadyState = { ...opened, ...wordsOf(words), record: base };
  return base === fresh ? { ...taken, theirs: null, saving: 'changed' } : mergeVersion(taken, fresh);
}

/** The same version with other decisions on its findings: the text on the screen stays. */
export const showDecisions = (state: DocumentState, version: MedicalRecord): ReadyState =>
  showVersion(state, version, wordsOf(state));

/** Shows no report. */
export const clearReport = (state: DocumentState, phase: 'loading' | 'none'): DocumentState => ({
  ...state,
  record: null,
  sections: [],
  phase,
});

/** A key changes the text on the screen. During a conflict it is saved only once the person has chosen. */
export function editWords(state: DocumentState, words: Partial<ReportWords>): DocumentState {
  const edited = { ...state, ...words };
  if (state.saving === 'conflict') return edited;
  return { ...edited, saving: isChanged(edited) ? 'changed' : 'saved' };
}

/** The app answers a save of `sent`. Anything typed since is another change. */
export function settleSave(
  state: DocumentState,
  { outcome, record, theirs }: CallOutput<'record.save'>,
  sent: ReportWords,
): DocumentState {
  const answered: DocumentState = { ...state, error: null };
  if (outcome === 'conflict') return mergeVersion(answered, theirs ?? record);
  if (sameWords(state, sent))
    return { ...showVersion(answered, record), saving: outcome === 'queued' ? 'queued' : 'saved' };
  // The service may have merged it with another person's changes.
  return mergeVersion(
    { ...answered, phase: 'ready', record: { ...record, title: sent.title, sections: [...sent.sections] } },
    record,
    'changed',
  );
}

/** Notes the sections whose changes by another person were merged into the text. */
const noteMerged = (state: DocumentState, taken: readonly string[]): DocumentState =>
  taken.length === 0 ? state : { ...state, merged: [...new Set([...state.merged, ...taken])] };

/** Notes the changes that the service merged with the sent text. */
export const noteMergedSince = (state: DocumentState, sent: ReportWords, record: MedicalRecord): DocumentState =>
  noteMerged(state, mergeReports(sent, sent, record).taken);

/** Whether the other version can still be edited like this one. */
const isOpen = (record: MedicalRecord, theirs: MedicalRecord): boolean =>
  theirs.status !== 'final' && theirs.signing === undefined && theirs.status === record.status;

/** Parts changed differently by both people since the version that this person started from. */
export const findClashes = ({ record, theirs, ...words }: DocumentState): readonly Clash[] =>
  record && theirs ? mergeReports(record, words, theirs).clashes : [];

/**
 * Another person saved a version while this person was typing. Changes of different sections are merged, and become an
 * unsaved change here; a section that both changed becomes a conflict. Nothing is merged into a signed version.
 * `saving`: the state if the text equals the other version.
 */
export function mergeVersion(state: DocumentState, theirs: MedicalRecord, saving: Saving = 'saved'): DocumentState {
  const asked: DocumentState = { ...state, theirs, saving: 'conflict' };
  if (!state.record || !isOpen(state.record, theirs)) return asked;
  const { words, clashes, taken } = mergeReports(state.record, state, theirs);
  if (clashes.length > 0) return asked;
  const met = { ...showVersion(state, theirs, words), theirs: null };
  return noteMerged({ ...met, saving: isChanged(met) ? 'changed' : saving }, taken);
}

/** Which text of a section is kept: `both` joins the two, to be edited. */
export type Choice = 'ours' | 'theirs' | 'both';

const joinClash = ({ key, before = '', ours = '', theirs = '' }: Clash): string =>
  key === titleKey ? `${theirs} / ${ours}` : joinTexts(before, theirs, ours);

/** Resolves the conflict of one section, or of all. The last decision ends the conflict. */
export function decideClash(state: DocumentState, choice: Choice, key?: string): DocumentState {
  const { record, theirs } = state;
  if (!record || !theirs) return state;
  // A version that was signed since can only be shown.
  if (!isOpen(record, theirs)) return { ...showVersion(state, theirs), theirs: null, saving: 'saved' };
  let words = wordsOf(state);
  let base = wordsOf(record);
  for (const clash of findClashes(state)) {
    if (key !== undefined && clash.key !== key) continue;
    // The other person's text counts as known: only another change of it causes a conflict.
    base = withText(base, clash.key, clash.theirs, theirs);
    if (choice === 'theirs') words = withText(words, clash.key, clash.theirs, theirs);
    if (choice === 'both') words = withText(words, clash.key, joinClash(clash), theirs);
  }
  return mergeVersion({ ...state, ...words, record: { ...record, ...base, sections: [...base.sections] } }, theirs);
}
