/**
 * The report of an exam for reading and editing: saved automatically, never over another person's words. Independent of
 * the DOM; the clock is an argument.
 */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { MedicalRecord, Section } from '../../../../src/contract/document.ts';
import type { BroughtText } from '../../../../src/contract/inserted-text.ts';
import type { RecordVersion } from '../../../../src/contract/record-version.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import type { Exam } from '../../../../src/reporting/checks/exam.ts';
import type { Finding } from '../../../../src/contract/finding.ts';
import type { Operation } from '../../../../src/reporting/operation.ts';
import type { MeasuredWords } from '../../../../src/reporting/versions/measurements.ts';
import type { Run } from '../../../../src/reporting/versions/provenance.ts';
import { spanAt } from '../../../../src/reporting/versions/provenance.ts';
import type { SaidWord } from '../../../../src/reporting/versions/word-positions.ts';
import { withText } from '../../../../src/reporting/versions/with-text.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import { files } from '../../../bridge/files.ts';
import type { Player } from '../../audio/player.ts';
import type { OpenChecksThread } from './checks-thread.ts';
import { createAuthors, followOtherAuthor } from './authors.ts';
import type { OtherAuthor } from './authors.ts';
import { followChecks } from './checks.ts';
import type { Checks } from './checks.ts';
import { createCorrecting } from './correcting.ts';
import type { ReportCorrecting } from './correcting.ts';
import { findClashes, clearReport } from './document-state.ts';
import type { Clash } from './document-state.ts';
import { followReports } from './following.ts';
import type { ReportFollowing } from './following.ts';
import { createReportStore } from './report-store.ts';
import type { DocumentSignals } from './report-store.ts';
import { createListening } from './listening.ts';
import type { Listening } from './listening.ts';
import { createProposing } from './proposing.ts';
import type { ReportProposing } from './proposing.ts';
import { createReviewing } from './reviewing.ts';
import type { ReportReviewing } from './reviewing.ts';
import { createSaving } from './saving.ts';
import type { ReportSaving } from './saving.ts';
import { followSignatures } from './signature.ts';
import type { Signatures } from './signature.ts';
import { createSigning } from './signing.ts';
import type { ReportSigning } from './signing.ts';

/** `correct` and `remove` reject with the error of the app. */
export interface OpenReport
  extends
    DocumentSignals,
    ReportCorrecting,
    ReportProposing,
    ReportReviewing,
    ReportSigning,
    Pick<ReportFollowing, 'load' | 'show'>,
    Pick<ReportSaving, 'save' | 'resolve'> {
  /** Findings to review before a draft is signed: warnings and questions, including dismissed ones. */
  readonly findings: ReadonlySignal<readonly Finding[]>;
  /** Parts that this person and another one changed differently. */
  readonly clashes: ReadonlySignal<readonly Clash[]>;
  readonly otherAuthor: ReadonlySignal<OtherAuthor>;
  /** The person has read the changes merged from another person. */
  acceptMerge(): void;
  /** The origin of the words of a draft, as far as known. */
  readonly words: ReadonlySignal<readonly Run[]>;
  /** The words of the dictation with details from the recogniser, and their current positions. */
  readonly said: ReadonlySignal<readonly SaidWord[]>;
  /** `null`: it was not made from audio. */
  readonly listening: ReadonlySignal<Listening | null>;
  /** Text in another form than was spoken. */
  readonly conversions: ReadonlySignal<readonly Operation[]>;
  /** The measurements of a viewer in the report, at their current places; `undefined` while they are unknown. */
  readonly measured: ReadonlySignal<readonly MeasuredWords[] | undefined>;
  /** Whether the reader shows the origin of every word. */
  readonly showsOrigins: Signal<boolean>;
  /** Its signatures and addenda. */
  readonly signatures: ReadonlySignal<Signatures>;
  setTitle(title: string): void;
  setText(key: string, text: string): void;
  /**
   * Sets the text of a section that received words from a prior or a form, and saves, so that their origin is visible.
   */
  bring(key: string, text: string, words: Omit<BroughtText, 'section'>): Promise<void>;
  versions(): Promise<readonly RecordVersion[]>;
  version(n: number): Promise<MedicalRecord>;
  /** Saves the sections of an earlier version as a new version. */
  restore(version: MedicalRecord): Promise<void>;
  remove(): Promise<void>;
  /** Saves pending changes and stops following the app. */
  close(): Promise<void>;
}

/** In phase `ready` it has a record. */
export interface ReadyReport extends OpenReport {
  readonly record: ReadonlySignal<MedicalRecord>;
}

/** Whether there is a report to show. Tracked as a signal dependency. */
export const isReady = (report: OpenReport): report is ReadyReport => report.phase.value === 'ready';

export interface DocumentDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  /** The exam, as far as the page knows it. */
  readonly exam?: () => Exam | null;
  /** The person who types. */
  readonly by?: () => string;
  /** Opens the thread that checks drafts during typing; absent: only the service checks them. */
  readonly openChecks?: OpenChecksThread;
  /** Absent: the dictation can't be played. */
  readonly player?: Player;
  /** Whether changes of the report wait to be sent. */
  readonly isUnsent?: (id: string) => boolean;
  /** Whether a microphone of this page is live. */
  readonly isRecording?: () => boolean;
  /** Whether another window edits the report: this one only follows it. */
  readonly isFollowed?: boolean;
  /** Called when another person's change is shown; `who`: their name, if known. */
  readonly onChangedElsewhere?: (record: MedicalRecord, who: string | null) => void;
}

export function openReport(itemId: string, deps: DocumentDeps): OpenReport {
  const { bridge, clock, isFollowed, isUnsent = () => false, onChangedElsewhere } = deps;
  const store = createReportStore();
  const saving = createSaving({ bridge, clock, store, onAnswer: () => reports.catchUp() });
  const authors = createAuthors(bridge, deps.by ?? (() => ''));
  const reports = followReports({ itemId, bridge, store, saving, authors, isFollowed, isUnsent, onChangedElsewhere });
  const { signals } = store;
  const otherAuthor = followOtherAuthor(authors, signals);
  const signatures = followSignatures(bridge, signals.record);
  const checks = followChecks({
    bridge,
    ...signals,
    exam: deps.exam ?? (() => null),
    by: deps.by ?? (() => ''),
    open: deps.openChecks,
  });
  const listening = followSound(deps, signals, checks);
  const endListening = effect(() => {
    const present = listening.value;
    return () => present?.pause();
  });

  const proposing = createProposing(bridge, store, saving);
  const withSection = (key: string, text: string): { sections: Section[] } => ({
    sections: withText(store.peek().sections, key, text),
  });
  return {
    ...signals,
    ...createCorrecting(bridge, store, saving),
    ...proposing,
    ...createReviewing(bridge, store, saving),
    ...createSigning({ bridge, clock, store, saving }),
    signatures: signatures.value,
    clashes: computed(() => (signals.theirs.value ? findClashes(store.value()) : [])),
    otherAuthor: otherAuthor.value,
    acceptMerge: () => store.apply({ ...store.peek(), merged: [] }),
    findings: checks.findings,
    words: checks.words,
    said: checks.said,
    listening,
    conversions: checks.conversions,
    measured: checks.measured,
    showsOrigins: signal(false),
    load: reports.load,
    show: reports.show,
    save: saving.save,
    resolve: saving.resolve,
    // The service refuses control characters in a title, such as a pasted tab.
    setTitle: (text) => saving.edit({ title: text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ') }),
    setText: (key, text) => saving.edit(withSection(key, text)),
    bring(key, text, words) {
      saving.edit(withSection(key, text), { section: key, ...words });
      return saving.save();
    },
    versions: async () => (await bridge.call('record.versions', { id: store.present().id })).items,
    version: (n) => bridge.call('record.version', { id: store.present().id, n }),
    restore: (version) => saving.replace(version),
    async remove() {
      saving.cancelSoon();
      await saving.inTurn(async () => {
        await bridge.call('record.delete', { id: store.present().id });
        store.apply(clearReport(store.peek(), 'none'));
      });
      if (store.peek().record === null) await reports.load();
    },
    async close() {
      endListening();
      proposing.closeProposals();
      reports.close();
      otherAuthor.close();
      signatures.close();
      checks.close();
      await saving.close();
    },
  };
}

/** Audio playback for the open report; the same object as long as the report is the same. */
function followSound(
  { bridge, player, isRecording = () => false }: DocumentDeps,
  { record }: Pick<DocumentSignals, 'record'>,
  { said: words, runs }: Pick<Checks, 'said' | 'runs'>,
): ReadonlySignal<Listening | null> {
  const spoken = computed(() => (record.value?.source.kind === 'audio' ? record.value.id : null));
  return computed(() => {
    const id = spoken.value;
    if (id === null || !player) return null;
    return createListening({
      player,
      address: bridge.address(files.audio(id)),
      length: record.peek()?.source.audio_seconds ?? null,
      words,
      originOf({ section, start, end }) {
        const own = runs.peek().filter((run) => run.section === section);
        // A caret belongs to the word that starts or ends there.
        const inIt = end > start ? { start, end } : { start, end: start + 1 };
        return (spanAt(own, inIt) ?? spanAt(own, { start: start - 1, end: start }))?.origin;
      },
      isRecording,
    });
  });
}
