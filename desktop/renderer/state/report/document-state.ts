/**
 * What the page knows of the reports of an exam and shows of the open one, and how an answer, an event or a key changes
 * that: plain data and functions, no browser.
 */
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { SectionChange } from '../../../../src/contract/record.ts';
import { mergeReports, saySame, titleKey, withText } from '../../../../src/reporting/versions/report-merge.ts';
import type { Clash, ReportWords } from '../../../../src/reporting/versions/report-merge.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { CallOutput } from '../../../bridge/calls.ts';
import type { LeftOver } from './typed.ts';

/** What the person reads about saving. */
export type Saving = 'saved' | 'changed' | 'saving' | 'queued' | 'conflict' | 'failed';

export type { Clash, ReportWords };

/** What a correction did, until the person accepts it or takes it back. */
export interface Corrected {
  readonly instruction: string;
  readonly changes: readonly SectionChange[];
  /** Why the correction changed nothing, or what it asks first, in the language of the report. */
  readonly message: string | null;
  readonly before: MedicalRecord;
}

interface AroundReport extends ReportWords {
  /** A text that waits to be sent and becomes the report then. */
  readonly written: string | null;
  /** All reports of the exam, newest first. */
  readonly all: readonly MedicalRecord[];
  readonly saving: Saving;
  readonly error: BridgeError | null;
  /** The version that somebody else saved meanwhile, where it cannot stand beside the words here unasked. */
  readonly theirs: MedicalRecord | null;
  /** Headings of the sections that somebody else changed meanwhile, and whose change stands here now; '' for the title. */
  readonly merged: readonly string[];
  readonly corrected: Corrected | null;
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

/** Whether somebody has signed it, also where the signature can still be taken back. */
export const isSigned = ({ status, signing }: Pick<MedicalRecord, 'status' | 'signing'>): boolean =>
  status === 'final' || signing !== undefined;

export const wordsOf = ({ title, sections }: ReportWords): ReportWords => ({ title, sections });

export const sameWords = saySame;

/** Whether the words on the screen differ from those of the report. */
export const isChanged = (state: DocumentState): boolean => state.record !== null && !sameWords(state, state.record);

/** Shows a version of a report: with the words of that version, or below the words on the screen. */
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
 * Opens a report. Words that a page left over are shown again: as a change that is about to be saved, or beside the
 * version that somebody else made meanwhile.
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
  return base === fresh ? { ...taken, theirs: null, saving: 'changed' } : meetOther(taken, fresh);
}

/** The report as it stands is the same version with other decisions about its findings: the words on the screen stay. */
export const showDecisions = (state: DocumentState, version: MedicalRecord): ReadyState =>
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
  if (sameWords(state, sent))
    return { ...showVersion(answered, record), saving: outcome === 'queued' ? 'queued' : 'saved' };
  // The service may have put it together with what somebody else changed.
  return meetOther(
    { ...answered, phase: 'ready', record: { ...record, title: sent.title, sections: [...sent.sections] } },
    record,
    'changed',
  );
}

/** What somebody else changed while the person here was typing stands here too, as long as they did not change the same. */
const tellMerged = (state: DocumentState, taken: readonly string[]): DocumentState =>
  taken.length === 0 ? state : { ...state, merged: [...new Set([...state.merged, ...taken])] };

/** Notes what the service put together with the words that were sent. */
export const tellMergedSince = (state: DocumentState, sent: ReportWords, record: MedicalRecord): DocumentState =>
  tellMerged(state, mergeReports(sent, sent, record).taken);

/** Whether the other version can still be changed as this one could. */
const isOpen = (record: MedicalRecord, theirs: MedicalRecord): boolean =>
  theirs.status !== 'final' && theirs.signing === undefined && theirs.status === record.status;

/** What both changed, each in another way, between the version on which the person began and the version of somebody else. */
export const clashesOf = ({ record, theirs, ...words }: DocumentState): readonly Clash[] =>
  record && theirs ? mergeReports(record, words, theirs).clashes : [];

/**
 * Somebody else saved a version while the person here was typing. Changes of different sections are put together, and are a
 * change of the words here, to be saved; a section that both changed asks first. Beside a version that was signed nothing is
 * put. `saving`: what it is if the words are those of the other version.
 */
export function meetOther(state: DocumentState, theirs: MedicalRecord, saving: Saving = 'saved'): DocumentState {
  const asked: DocumentState = { ...state, theirs, saving: 'conflict' };
  if (!state.record || !isOpen(state.record, theirs)) return asked;
  const { words, clashes, taken } = mergeReports(state.record, state, theirs);
  if (clashes.length > 0) return asked;
  const met = { ...showVersion(state, theirs, words), theirs: null };
  return tellMerged({ ...met, saving: isChanged(met) ? 'changed' : saving }, taken);
}

/** Whose text of a section stands: `both` puts one below the other, to be edited. */
export type Choice = 'ours' | 'theirs' | 'both';

/** The person decides about one section that both changed, or about all of them. The last decision ends the conflict. */
export function decideClash(state: DocumentState, choice: Choice, key?: string): DocumentState {
  const { record, theirs } = state;
  if (!record || !theirs) return state;
  // A version that was signed meanwhile cannot be changed; it can only be shown.
  if (!isOpen(record, theirs)) return { ...showVersion(state, theirs), theirs: null, saving: 'saved' };
  let words = wordsOf(state);
  let base = wordsOf(record);
  for (const clash of clashesOf(state)) {
    if (key !== undefined && clash.key !== key) continue;
    // From now on the text of the other person counts as known: only a further change of it asks again.
    base = withText(base, clash.key, clash.theirs, theirs);
    if (choice === 'theirs') words = withText(words, clash.key, clash.theirs, theirs);
    const texts = [clash.theirs, clash.ours].filter((text) => text !== undefined && text !== '');
    if (choice === 'both')
      words = withText(words, clash.key, texts.join(clash.key === titleKey ? ' / ' : '\n'), theirs);
  }
  return meetOther({ ...state, ...words, record: { ...record, ...base, sections: [...base.sections] } }, theirs);
}
