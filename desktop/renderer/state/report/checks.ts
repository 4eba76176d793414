/**
 * Findings to review before signing: those of the service for a saved version, and those of the same checks while a
 * person types. No key waits for the checks.
 */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { withoutCommunicated } from '../../../../src/reporting/critical.ts';
import type { MedicalRecord, Section } from '../../../../src/contract/document.ts';
import type { Finding } from '../../../../src/contract/finding.ts';
import type { CheckInput } from '../../../../src/reporting/checks/check.ts';
import type { Exam } from '../../../../src/reporting/checks/exam.ts';
import type { Finding as Found } from '../../../../src/reporting/checks/finding.ts';
import { ofSound, ofWords } from '../../../../src/reporting/checks/sound-kinds.ts';
import { leavesWords } from '../../../../src/reporting/versions/edits.ts';
import type { Operation } from '../../../../src/reporting/operation.ts';
import { findMeasuredWords } from '../../../../src/reporting/versions/measurements.ts';
import type { MeasuredWords } from '../../../../src/reporting/versions/measurements.ts';
import { isLateDoubt } from '../../../../src/reporting/versions/review.ts';
import type { Run } from '../../../../src/reporting/versions/provenance.ts';
import { saidWords } from '../../../../src/reporting/versions/word-positions.ts';
import type { SaidWord } from '../../../../src/reporting/versions/word-positions.ts';
import type { CallOutput } from '../../../bridge/calls.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import { moveCaret } from './caret.ts';
import type { CheckAnswer, Basis } from './checker.ts';
import type { OpenChecksThread } from './checks-thread.ts';

export interface ChecksDeps {
  readonly bridge: Bridge;
  /** The report as the service has it. */
  readonly record: ReadonlySignal<MedicalRecord | null>;
  /** Its text on the screen. */
  readonly sections: ReadonlySignal<readonly Section[]>;
  /** `null` if the exam is unknown. */
  readonly exam: () => Exam | null;
  /** The person who types. */
  readonly by: () => string;
  /** Absent: only the findings of the service are shown. */
  readonly open?: OpenChecksThread | undefined;
}

/** The text of a report with the basis of its checks, as JSON. */
interface Question {
  readonly of: string;
  readonly against: string;
  readonly sections: readonly Section[];
}

export interface Checks {
  /**
   * Findings of a draft that need attention, in its order, including dismissed ones. A signed report has those that came
   * after the signature.
   */
  readonly findings: ReadonlySignal<readonly Finding[]>;
  /** The origin of the words of a draft; empty if unknown. */
  readonly words: ReadonlySignal<readonly Run[]>;
  /** The origin of each word, signed or not; empty if unknown. */
  readonly runs: ReadonlySignal<readonly Run[]>;
  /** The words of the dictation with details from the recogniser, and their current positions. */
  readonly said: ReadonlySignal<readonly SaidWord[]>;
  /** Conversions by the service in the saved version whose words are still in the draft. */
  readonly conversions: ReadonlySignal<readonly Operation[]>;
  /** The measurements of a viewer in the report, at their current places; `undefined` while they are unknown. */
  readonly measured: ReadonlySignal<readonly MeasuredWords[] | undefined>;
  close(): void;
}

type Background = CallOutput<'record.background'>;

/** Whether two versions are equal to the checks. */
const sameText = (a: readonly Section[], b: readonly Section[]): boolean =>
  a.length === b.length && a.every(({ key, text }, at) => key === b[at]?.key && text === b[at]?.text);

const asks = ({ severity, status }: Finding): boolean => severity !== 'info' && status !== 'resolved';

export function followChecks({ bridge, record, sections, exam, by, open }: ChecksDeps): Checks {
  const draft = computed(() =>
    record.value && record.value.status !== 'final' && !record.value.signing ? record.value : null,
  );
  /** `of` is the version whose sections the service had then. */
  const background = signal<{ readonly of: MedicalRecord; readonly is: Background } | null>(null);
  const answer = signal<(Pick<Question, 'of' | 'sections'> & { readonly is: CheckAnswer }) | null>(null);

  /**
   * Reads the template and the origin of the words of this version. A failed read is repeated with the next version.
   */
  const askBackground = async (of: MedicalRecord): Promise<void> => {
    const is = await bridge.call('record.background', { id: of.id, version: of.version });
    if (record.peek()?.id === of.id && record.peek()?.version === of.version) background.value = { of, is };
  };
  const version = computed(() => record.value && `${record.value.id} ${record.value.version}`);
  const askNow = (): void => {
    const of = record.peek();
    if (open && of) void askBackground(of).catch(() => undefined);
  };
  const endBackground = effect(() => {
    if (version.value !== null) askNow();
  });
  const endGaps = bridge.onGap(() => {
    if (background.peek()?.of.version !== record.peek()?.version) askNow();
  });
  /** The background of the open report. */
  const known = computed(() => (background.value?.of.id === record.value?.id ? background.value : null));

  /** As JSON, to compare: most versions and most changes of the worklist leave it unchanged. */
  const basis = computed((): string | null => {
    if (!draft.value) return null;
    const { language, transcript, sections: saved } = draft.value;
    const { modality, exam_description, patient_sex, patient_age } = exam() ?? {};
    const { of, is } = known.value ?? {};
    const template = is?.template ?? saved.map(({ key, title }) => ({ key, title }));
    const words = is?.provenance?.heard_words;
    const against = {
      language,
      template,
      heard: transcript === null ? null : { text: transcript, ...(words && { words }) },
      exam: modality === undefined ? null : { modality, exam_description, patient_sex, patient_age },
    } as CheckInput;
    const traced = of && is?.provenance ? { sections: of.sections, provenance: is.provenance } : null;
    return JSON.stringify({ against, traced, by: by() } satisfies Basis);
  });

  let thread: ReturnType<OpenChecksThread> | undefined;
  let sent: string | null = null;
  /** One request at a time: during it, only the newest text waits. */
  let underWay: Pick<Question, 'of' | 'sections'> | null = null;
  let newest: Question | null = null;
  const ask = (): void => {
    if (!open || underWay || !newest) return;
    const { of, against, sections: present } = newest;
    const last = answer.peek();
    if (sent === against && last?.of === of && last.sections === present) return;
    thread ??= open((is) => {
      if (underWay) answer.value = { ...underWay, is };
      underWay = null;
      ask();
    });
    underWay = { of, sections: present };
    thread.ask({ ...(sent === against ? {} : { basis: JSON.parse(against) as Basis }), sections: present });
    sent = against;
  };
  const endAsking = effect(() => {
    const [of, against] = [draft.value?.id, basis.value];
    newest = of === undefined || against === null ? null : { of, against, sections: sections.value };
    ask();
  });

  const findings = computed((): readonly Finding[] => {
    if (!draft.value) return (record.value?.findings_to_review ?? []).filter((each) => isLateDoubt(each) && asks(each));
    const { id, findings_to_review: saved, sections: words, critical_results: results = [] } = draft.value;
    if (saved && sameText(words, sections.value)) return saved.filter(asks);
    const typed = answer.value?.of === id ? answer.value.is.found : undefined;
    if (!typed) return (saved ?? []).filter(asks);
    const unknown = known.value?.is.provenance ? ofSound : [...ofSound, ...ofWords];
    const isMarked = (own: string): boolean => results.some((each) => each.id === own && each.marked_by !== null);
    const isMissed = ({ kind, id: own }: Finding): boolean =>
      (unknown.includes(kind) || isMarked(own)) && typed.every((each) => each.id !== own);
    const carried = carryOver((saved ?? []).filter(isMissed), words, sections.value);
    return inOrder(
      [...withDecisions(withoutCommunicated(typed, draft.value), saved ?? []), ...carried],
      sections.value,
    ).filter(asks);
  });
  const words = computed(() =>
    draft.value && answer.value?.of === draft.value.id ? (answer.value.is.words ?? []) : [],
  );
  const runs = computed((): readonly Run[] => {
    if (!known.value || !sameText(known.value.of.sections, sections.value)) return words.value;
    return known.value.is.provenance?.words ?? [];
  });
  const heardWords = computed(() => known.value?.is.provenance?.heard_words ?? []);
  const said = computed(() => (heardWords.value.length === 0 ? [] : saidWords(runs.value, heardWords.value)));
  const conversions = computed((): readonly Operation[] => {
    if (!draft.value || known.value?.of.version !== draft.value.version) return [];
    return (known.value.is.provenance?.operations ?? []).filter(leavesWords);
  });
  const measured = computed((): readonly MeasuredWords[] | undefined => {
    const { of, is } = known.value ?? {};
    if (!of || of.version !== record.value?.version) return undefined;
    if (!is?.provenance) return [];
    const saved = { sections: of.sections, provenance: is.provenance };
    if (sameText(of.sections, sections.value)) return findMeasuredWords(saved);
    const traced = answer.value;
    if (traced?.of !== of.id || !sameText(traced.sections, sections.value)) return undefined;
    const provenance = { ...is.provenance, words: traced.is.words ?? [] };
    return findMeasuredWords({ sections: sections.value, provenance });
  });
  return {
    findings,
    words,
    runs,
    said,
    conversions,
    measured,
    close() {
      endBackground();
      endGaps();
      endAsking();
      thread?.close();
    },
  };
}

/** Findings of the saved version at their current positions, without those whose words were edited. */
const carryOver = (found: readonly Finding[], saved: readonly Section[], now: readonly Section[]): Finding[] =>
  found.flatMap((finding): Finding[] => {
    const textIn = (of: readonly Section[]): string => of.find(({ key }) => key === finding.section)?.text ?? '';
    const [before, after] = [textIn(saved), textIn(now)];
    const [start, end] = [finding.start, finding.end].map((place) => moveCaret(before, after, place)) as [
      number,
      number,
    ];
    const isSame = before.slice(finding.start, finding.end) === after.slice(start, end);
    return isSame ? [{ ...finding, start, end }] : [];
  });

function inOrder(found: readonly Finding[], sections: readonly Section[]): Finding[] {
  const rank = new Map(sections.map(({ key }, at) => [key, at]));
  const rankOf = ({ section }: Finding): number => rank.get(section) ?? sections.length;
  return found.toSorted((a, b) => rankOf(a) - rankOf(b) || a.start - b.start || a.end - b.end);
}

/** Findings of the typed text, with the decisions on the same findings of the saved version. */
function withDecisions(found: readonly Found[], saved: readonly Finding[]): Finding[] {
  const dismissed = new Map(saved.filter(({ status }) => status === 'dismissed').map((each) => [each.id, each]));
  return found.map(({ evidence, readings, ...each }): Finding => {
    const { status, by, at } = dismissed.get(each.id) ?? { status: 'open' as const, by: null, at: null };
    return { ...each, evidence: [...evidence], ...(readings && { readings: [...readings] }), status, by, at };
  });
}
