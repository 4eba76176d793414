/**
 * Polls a worklist provider for the exams of a range of days, and applies each as it arrives, so that memory use is the same for
 * ten exams and for 100,000. Exams unchanged since the previous poll are skipped.
 */
import { createHash } from 'node:crypto';
import dicomParser from 'dicom-parser';
import { sopClasses } from '../../../../../src/protocols/dimse/classes.ts';
import { asFile, writeDataSet } from '../../../../../src/protocols/dimse/data-set.ts';
import type { Syntax } from '../../../../../src/protocols/dimse/data-set.ts';
import { agreementOn, associate, echoFor, find, requestContext } from '../../../../../src/protocols/dimse/request.ts';
import type { Peer } from '../../../../../src/protocols/dimse/request.ts';
import { toPeer } from '../dicom/settings.ts';
import { additionalNumbers } from '../../../../../src/domain/orders.ts';
import type { InboundDeps, ChannelConfig, OpenChannel, MissingExams } from '../../channel.ts';
import { readMessage } from '../../receiving/read-message.ts';
import { startPoller } from '../../poller.ts';
import type { ReadMessage } from '../../receiving/read-message.ts';
import { addDays, createCalendar } from '../dicom/days.ts';
import { buildWorklistQuery } from './query.ts';
import type { DicomWorklistSettings } from './settings.ts';

/** Maximum of exams applied concurrently: they share a commit. */
const maxConcurrent = 16;
/** Maximum size in bytes of an exam that is identified before it is applied; those of real providers have a few thousand. */
const maxIdentifiedBytes = 64 * 1024;

/** State of an exam since the previous poll: the step that represents it, and a digest of its data. */
interface ExamState {
  readonly step: string;
  readonly digest: string;
}

type WorklistChannel = ChannelConfig<DicomWorklistSettings>;

export async function openWorklist(channel: WorklistChannel, deps: InboundDeps): Promise<OpenChannel> {
  const peer = await toPeer(channel.settings);
  const worklist = new Worklist(channel, peer, deps);
  const poller = startPoller(deps, {
    channel: channel.name,
    seconds: channel.settings.interval_seconds ?? 60,
    failure: { event: 'worklist_not_read', message: 'The worklist could not be read.' },
    poll: (signal) => worklist.poll(signal),
  });
  return {
    address: `${peer.called} at ${peer.host}:${peer.port}`,
    async test(signal) {
      await echoFor(peer, [sopClasses.worklist], signal);
      return `${peer.called} answers.`;
    },
    close: () => poller.close(),
  };
}

class Worklist {
  readonly #channel: WorklistChannel;
  readonly #settings: DicomWorklistSettings;
  readonly #peer: Peer;
  readonly #deps: InboundDeps;
  #known = new Map<string, ExamState>();

  constructor(channel: WorklistChannel, peer: Peer, deps: InboundDeps) {
    this.#channel = channel;
    this.#peer = peer;
    this.#settings = channel.settings;
    this.#deps = deps;
  }

  /** One poll: all modalities in turn over one association. */
  async poll(signal: AbortSignal): Promise<null> {
    const { days_back = 1, days_ahead = 2, modalities = [], time_zone, cancel_missing = false } = this.#settings;
    const calendar = createCalendar(time_zone);
    const today = calendar.toLocal(this.#deps.clock.now()).day;
    const days = { from: addDays(today, -days_back), to: addDays(today, days_ahead) };
    const association = await associate(this.#peer, [requestContext(sopClasses.worklist)], signal);
    const seen = new Map<string, ExamState>();
    const work = new TaskLimiter(maxConcurrent);
    try {
      const agreed = agreementOn(association, sopClasses.worklist, 'worklists');
      const syntax = agreed.transferSyntax as Syntax;
      for (const modality of modalities.length === 0 ? [undefined] : modalities) {
        const query = writeDataSet(buildWorklistQuery(this.#settings, days, modality), syntax);
        for await (const data of find(association, agreed, query)) {
          await work.start(() => this.#take(data, syntax, seen));
        }
      }
      await work.end();
    } catch (error) {
      await association.abort();
      await work.settle();
      throw error;
    }
    await association.release();
    if (cancel_missing) {
      // Exams at the edges may belong to another day, so only those within the range count as missing.
      const during = calendar.toPeriod(days);
      await this.#deps.intake.cancelMissing({ during, isNamed: (exam) => keysOf(exam).some((key) => seen.has(key)) });
    }
    // If the step of an exam was not listed again, the next poll chooses another one.
    for (const [exam, known] of seen) if (known === this.#known.get(exam)) seen.delete(exam);
    this.#known = seen;
    return null;
  }

  async #read(raw: Buffer): Promise<ReadMessage> {
    const read = await readMessage(raw, 'dicom', this.#channel, this.#deps.readers);
    return { ...read, exams: read.exams.map((exam) => ({ ...exam, order: exam.order ?? activeOrder })) };
  }

  async #take(data: Buffer, syntax: Syntax, seen: Map<string, ExamState>): Promise<void> {
    const { exam, step } = identifyExam(data, syntax);
    const digest = createHash('sha256').update(data).digest('base64url').slice(0, 22);
    const before = this.#known.get(exam);
    // An exam of several steps has one report: its first step represents it in every poll.
    const chosen = seen.get(exam)?.step ?? before?.step ?? step;
    if (chosen !== step) {
      if (!seen.has(exam) && before) seen.set(exam, before);
      return;
    }
    seen.set(exam, { step, digest });
    if (before?.digest === digest) return;
    try {
      const raw = asFile(data, syntax);
      await this.#deps.intake.take({ raw, key: exam, format: 'dicom', isPolled: true, read: await this.#read(raw) });
    } catch (error) {
      seen.delete(exam);
      throw error;
    }
  }
}

/** A listed exam is ordered, unless the provider reports another status. */
const activeOrder = { status: undefined, order: 'standing' } as const;

/** Identifies an exam within the answers of a provider; short, because many are kept. */
function identifyExam(data: Buffer, syntax: Syntax): { readonly exam: string; readonly step: string } {
  try {
    if (data.length > maxIdentifiedBytes) throw new RangeError('too long to be looked into here');
    const dataSet = dicomParser.parseDicom(data, { TransferSyntaxUID: syntax });
    const steps = dataSet.elements['x00400100']?.items ?? [];
    return {
      exam: examKey({
        study_uid: dataSet.string('x0020000d')?.trim() || null,
        accession_number: dataSet.string('x00080050')?.trim() || null,
        placer_order_number: dataSet.string('x00402016')?.trim(),
      }),
      step: steps[0]?.dataSet?.string('x00400009')?.trim() ?? '',
    };
  } catch {
    // The intake reports what is wrong with it.
    return { exam: createHash('sha256').update(data).digest('base64url').slice(0, 22), step: '' };
  }
}

interface ExamNumbers {
  readonly study_uid: string | null;
  readonly accession_number: string | null;
  /** Names an exam without the others. */
  readonly placer_order_number?: string | undefined;
}

/** A key for each number under which the provider may list the exam. */
const keysOf = ({ metadata, ...exam }: Parameters<MissingExams['isNamed']>[0]): readonly string[] => [
  examKey(exam),
  ...placerKeys(metadata?.['placer_order_number']),
  ...additionalNumbers(metadata).map(({ accession_number: number }) =>
    examKey({ study_uid: exam.study_uid, accession_number: number }),
  ),
];

const placerKeys = (placer: unknown): readonly string[] =>
  typeof placer === 'string' && placer !== ''
    ? [examKey({ study_uid: null, accession_number: null, placer_order_number: placer })]
    : [];

const examKey = ({ study_uid, accession_number, placer_order_number: placer }: ExamNumbers): string =>
  createHash('sha256')
    .update(accession_number ?? study_uid ?? placer ?? '')
    .digest('base64url')
    .slice(0, 22);

/** Limits concurrent tasks; the first failure surfaces in the next call. */
class TaskLimiter {
  readonly #max: number;
  readonly #open = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  async start(piece: () => Promise<void>): Promise<void> {
    this.#throwFirst();
    const open = piece()
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => this.#open.delete(open));
    this.#open.add(open);
    if (this.#open.size >= this.#max) await Promise.race(this.#open);
  }

  /** Resolves once all tasks are done; rejects with the first failure. */
  async end(): Promise<void> {
    await this.settle();
    this.#throwFirst();
  }

  /** Resolves once no task is running. */
  async settle(): Promise<void> {
    await Promise.all(this.#open);
  }

  #throwFirst(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
