/**
 * A person's statistics: a line in a sealed file for each report that they sign here, without any patient data. It
 * never leaves this computer. Each signature (final, preliminary or as co-signer) counts for its signer, from its time
 * on; one that was undone does not count.
 */
import { join } from 'node:path';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { wordsIn } from '../../../src/domain/own-statistics.ts';
import type { OwnReport } from '../../../src/domain/own-statistics.ts';
import { openLineLog } from '../../../src/node/files/line-log.ts';
import type { CallOutput } from '../../bridge/calls.ts';
import type { HandlersOf, Service, ServiceDeps } from '../service.ts';

/** A line of the file, with the id of the report. */
type Entry =
  | { readonly id: string; readonly spoken: number; readonly words: number }
  /** The number of corrections, or one more. */
  | { readonly id: string; readonly corrected: number | true }
  | ({ readonly id: string; readonly signed: string } & Pick<OwnReport, 'exam_at' | 'modality'>)
  | { readonly id: string; readonly open: true };

type ReportFacts = Omit<OwnReport, 'signed_at'> & { readonly signed_at: string | null };
const unknown: ReportFacts = {
  signed_at: null,
  exam_at: null,
  modality: null,
  spoken_seconds: 0,
  words: 0,
  corrections: 0,
};

/** Maximum number of reports stored; the oldest are removed first. */
const maxReports = 20_000;
/** Each save of a draft adds a line: this many unneeded lines are tolerated. */
const spareLines = 1000;

export interface Statistics extends Service<'statistics'> {
  /** A report was generated from a dictation of this many seconds. */
  made(record: MedicalRecord, seconds: number): void;
  /** Wraps the handlers so that they also record the person's actions. */
  noting(handlers: HandlersOf<'record'>): HandlersOf<'record'>;
}

export interface StatisticsDeps extends Pick<ServiceDeps, 'directory' | 'sealing' | 'clock' | 'log'> {
  readonly examOf: (itemId: string) => WorklistItem | undefined;
}

export async function createStatistics({
  directory,
  sealing,
  clock,
  log,
  examOf,
}: StatisticsDeps): Promise<Statistics> {
  const { log: file, entries } = await openLineLog(join(directory, 'statistics.log'), { sealing });
  const reports = new Map<string, ReportFacts>();
  for (const entry of entries) apply(reports, entry as Entry);
  /** Statistics must not block anything: data that can't be written is missing there. */
  const logFailure = (): void => log({ level: 'warn', event: 'statistics_not_written' });
  for (const id of [...reports.keys()].slice(0, Math.max(0, reports.size - maxReports))) reports.delete(id);
  const needed = [...reports].flatMap(([id, known]) => toEntries(id, known));
  if (entries.length > 2 * needed.length + spareLines) await file.replace(needed).catch(logFailure);

  const note = (entry: Entry): void => void file.append(entry).then(() => apply(reports, entry), logFailure);
  const noteUnsigned = ({ outcome, record: { id } }: CallOutput<'record.reopen' | 'record.take_back'>): void => {
    if (outcome !== 'conflict' && reports.get(id)?.signed_at) note({ id, open: true });
  };
  const noteSaved = (saved: CallOutput<'record.save'>): void => {
    const { id, status } = saved.record;
    if (saved.outcome === 'conflict' || status === 'final') return;
    // The signature is gone: a signed report can't be changed by its signer.
    noteUnsigned(saved);
    note({ id, corrected: true });
  };
  const noteSigned = ({ outcome, record: { id, worklist_item_id } }: CallOutput<'record.sign'>): void => {
    if (outcome === 'conflict') return;
    const exam = worklist_item_id === null ? undefined : examOf(worklist_item_id);
    const of = { exam_at: exam?.exam_datetime ?? null, modality: exam?.modality ?? null };
    note({ id, signed: isoNow(clock), ...of });
  };
  const noteCorrected = ({ record: { id }, changes }: CallOutput<'record.correct'>): void => {
    if (changes.length > 0) note({ id, corrected: true });
  };

  return {
    made: ({ id, transcript, text }, seconds) => note({ id, spoken: seconds, words: wordsIn(transcript ?? text) }),
    noting: (handlers) => ({
      ...handlers,
      'record.save': after(handlers['record.save'], noteSaved),
      'record.sign': after(handlers['record.sign'], noteSigned),
      'record.take_back': after(handlers['record.take_back'], noteUnsigned),
      'record.reopen': after(handlers['record.reopen'], noteUnsigned),
      'record.correct': after(handlers['record.correct'], noteCorrected),
      'record.correct_spoken': after(handlers['record.correct_spoken'], noteCorrected),
    }),
    handlers: {
      async 'statistics.read'() {
        const signed = [...reports.values()].filter((known): known is OwnReport => known.signed_at !== null);
        return { reports: signed.toSorted((a, b) => (a.signed_at < b.signed_at ? -1 : 1)) };
      },
      async 'statistics.clear'() {
        await file.replace([]);
        reports.clear();
        return {};
      },
    },
    close: () => file.close(),
  };
}

/** Wraps a call to record its answer. */
const after =
  <A extends unknown[], R>(call: (...input: A) => Promise<R>, noted: (answer: R) => void) =>
  async (...input: A): Promise<R> => {
    const answer = await call(...input);
    noted(answer);
    return answer;
  };

function apply(reports: Map<string, ReportFacts>, entry: Entry): void {
  const before = reports.get(entry.id) ?? unknown;
  reports.set(entry.id, { ...before, ...changeBy(entry, before) });
}

function changeBy(entry: Entry, before: ReportFacts): Partial<ReportFacts> {
  if ('spoken' in entry)
    return { spoken_seconds: before.spoken_seconds + entry.spoken, words: before.words + entry.words };
  // A change after the signature is an addendum.
  if ('corrected' in entry)
    return before.signed_at === null ? { corrections: before.corrections + Number(entry.corrected) } : {};
  if ('open' in entry) return { signed_at: null };
  const { signed: signed_at, exam_at, modality } = entry;
  return before.signed_at === null ? { signed_at, exam_at, modality } : {};
}

/** The shortest equivalent list of entries. */
const toEntries = (id: string, known: ReportFacts): Entry[] => [
  { id, spoken: known.spoken_seconds, words: known.words },
  ...(known.corrections > 0 ? [{ id, corrected: known.corrections }] : []),
  ...(known.signed_at === null
    ? []
    : [{ id, signed: known.signed_at, exam_at: known.exam_at, modality: known.modality }]),
];
