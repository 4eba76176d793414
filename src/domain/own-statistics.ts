/** Statistics of a person's own signed reports, by day, week or modality. */
import { elementAt } from './elements.ts';

/** A signed report, without anything about its patient. */
export interface OwnReport {
  readonly signed_at: string;
  /** When the exam took place; `null`: unknown. */
  readonly exam_at: string | null;
  readonly modality: string | null;
  /** Seconds of speech, and the words that came of it; 0: it was typed. */
  readonly spoken_seconds: number;
  readonly words: number;
  /** How often its words were changed until it was signed. */
  readonly corrections: number;
}

export const groupings = ['day', 'week', 'modality'] as const;
export type Grouping = (typeof groupings)[number];

export interface Figures {
  readonly reports: number;
  /** Median of the time from the exam to the signature, in minutes; `null`: no exam has a known time. */
  readonly turnaround: number | null;
  /** Mean of a report. */
  readonly corrections: number;
  /** Words a minute of speech; `null`: nothing was dictated. */
  readonly pace: number | null;
}

export interface Row extends Figures {
  /** A date (`2026-03-02`; of a week its Monday), or a modality; `null`: the modality is unknown. */
  readonly key: string | null;
}

const day = 24 * 3600_000;

/** Minutes by which the local clock is ahead of UTC at that time (ms since 1970). */
export type OffsetAt = (ms: number) => number;

/** The local date of an instant, and the Monday of its week. */
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
function findKey({ signed_at, modality }: OwnReport, by: Grouping, offsetAt: OffsetAt): string | null {
  if (by === 'modality') return modality;
  const at = Date.parse(signed_at);
  const local = at + offsetAt(at) * 60_000;
  if (by === 'day') return dateOf(local);
  return dateOf(local - ((new Date(local).getUTCDay() + 6) % 7) * day);
}

export function computeFigures(reports: readonly OwnReport[]): Figures {
  const waits = reports
    .flatMap(({ signed_at, exam_at }) => (exam_at === null ? [] : [Date.parse(signed_at) - Date.parse(exam_at)]))
    // An exam in the future was entered with a wrong time.
    .filter((ms) => ms >= 0)
    .toSorted((a, b) => a - b);
  const middle = waits.length / 2;
  const median =
    waits.length === 0
      ? null
      : (elementAt(waits, Math.ceil(middle) - 1) + elementAt(waits, Math.floor(middle))) / 2 / 60_000;
  const spoken = reports.filter(({ spoken_seconds: seconds }) => seconds > 0);
  const seconds = sum(spoken, ({ spoken_seconds }) => spoken_seconds);
  return {
    reports: reports.length,
    turnaround: median,
    corrections: reports.length === 0 ? 0 : sum(reports, ({ corrections }) => corrections) / reports.length,
    pace: seconds === 0 ? null : (sum(spoken, ({ words }) => words) * 60) / seconds,
  };
}
const sum = (reports: readonly OwnReport[], of: (report: OwnReport) => number): number =>
  reports.reduce((total, report) => total + of(report), 0);

/** Days and weeks: latest first; modalities: most frequent first. */
export function groupReports(reports: readonly OwnReport[], by: Grouping, offsetAt: OffsetAt): Row[] {
  const groups = Map.groupBy(reports, (report) => findKey(report, by, offsetAt));
  const rows = [...groups].map(([key, members]) => ({ key, ...computeFigures(members) }));
  const byName = (a: Row, b: Row): number => ((a.key ?? '~') < (b.key ?? '~') ? -1 : 1);
  return by === 'modality'
    ? rows.toSorted((a, b) => b.reports - a.reports || byName(a, b))
    : rows.toSorted((a, b) => -byName(a, b));
}

/** How many words a text has. */
export const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
