/** The one sender of worklists, over outages, repetitions, refusals, and runs that end in the middle. */
import * as fc from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { createRetry } from '../../cli/sending/retry.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { IngestResult } from '../../src/contract/worklist.ts';
import { fileMessage } from '../../src/contract/messages/files.ts';
import { groupIntoBatches } from '../../src/sending/batches.ts';
import type { Batch } from '../../src/sending/batches.ts';
import { readContent } from '../../src/sending/entries.ts';
import type { Content } from '../../src/sending/entries.ts';
import type { EntryResult } from '../../src/sending/outcomes.ts';
import { sendBatches } from '../../src/sending/send.ts';
import type { Memory, SendingOptions } from '../../src/sending/send.ts';
import { problem } from '../../src/files/worklist/reading.ts';
import { createWorklist, exam } from '../support/worklist.ts';

/** What a line of a file holds: exam number `at` in words of its own, an exam that is refused, or nothing readable. */
type Line = { readonly exam: number; readonly words: string } | 'refused' | 'unreadable';

async function* contentsOf(lines: readonly Line[]): AsyncGenerator<Content> {
  for (const [index, line] of lines.entries()) {
    const position = { line: index + 1 };
    const place = { file: 'day.ndjson', index };
    const reading =
      line === 'unreadable'
        ? problem(position, fileMessage('not_json'))
        : { kind: 'item' as const, item: itemOf(line, index), position };
    yield readContent(reading, place, { format: 'ndjson' });
  }
}

const itemOf = (line: Exclude<Line, 'unreadable'>, index: number) =>
  line === 'refused'
    ? exam({ accession_number: `R-${index}`, modality: 'XX', patient_name: '' })
    : exam({ accession_number: `E-${line.exam}`, exam_description: line.words });

/** Before the answer: nothing arrives, the answer is lost, the service is busy. `gone`: it does not come back. */
type Fault = 'unsent' | 'unanswered' | 'busy' | 'gone';

/** The real rules of ingest; a batch that comes again under its number gets its first answer, as by Idempotency-Key. */
function createService({ knowsRefused }: { knowsRefused: boolean }) {
  const worklist = createWorklist();
  const answers = new Map<number, Promise<IngestResult>>();
  const applied: number[] = [];
  const apply = (batch: Batch): Promise<IngestResult> => {
    applied.push(batch.number);
    return worklist.ingest(JSON.parse(new TextDecoder().decode(batch.body))).catch((error: AppError) => {
      const { errors } = error.details!;
      throw knowsRefused ? error : new AppError(error.code, { details: { errors } });
    });
  };
  return {
    worklist,
    applied,
    async ingest(batch: Batch, fault: Fault | undefined): Promise<IngestResult> {
      if (fault === 'gone') throw new AppError('UNAUTHORIZED');
      if (fault === 'unsent') throw new AppError('NETWORK');
      if (fault === 'busy') throw new AppError('SERVER_BUSY');
      const answer = answers.get(batch.number) ?? apply(batch);
      answers.set(batch.number, answer);
      if (fault === 'unanswered') {
        await answer.catch(() => undefined);
        throw new AppError('NETWORK');
      }
      return answer;
    },
  };
}

/** A clock on which every wait is over at once. */
function hastyClock(): Clock {
  let time = 0;
  return {
    now: () => time,
    elapsed: () => time,
    schedule(at, work) {
      let isOff = false;
      queueMicrotask(() => {
        if (isOff) return;
        time = Math.max(time, at);
        void work();
      });
      return () => void (isOff = true);
    },
  };
}

const patienceOf = (retries: number) =>
  createRetry({
    clock: hastyClock(),
    random: () => 1,
    signal: new AbortController().signal,
    retries,
    onWait: () => undefined,
  });

function createMemory(): Memory {
  const known = new Map<number, { outcomes: EntryResult['outcome'][]; statuses: [] }>();
  return {
    recall: ({ number }) => known.get(number),
    async record({ number }, done) {
      const outcomes = done.filter(({ entry }) => entry.kind === 'item').map(({ outcome }) => outcome);
      known.set(number, { outcomes, statuses: [] });
    },
  };
}

const send = (
  lines: readonly Line[],
  items: number,
  ingest: (batch: Batch) => Promise<IngestResult>,
  options: SendingOptions,
) =>
  sendBatches(
    groupIntoBatches(contentsOf(lines), { items, span: Infinity, endsAtUnread: options.failFast ?? false }),
    { ingest },
    options,
  );

const line = fc.oneof(
  { weight: 5, arbitrary: fc.record({ exam: fc.nat(9), words: fc.constantFrom('TC', 'RM', 'US') }) },
  { weight: 2, arbitrary: fc.constant<Line>('refused') },
  { weight: 1, arbitrary: fc.constant<Line>('unreadable') },
);
const fault = fc.constantFrom<Fault>('unsent', 'unanswered', 'busy', 'gone');

describe('whatever happens during sending', () => {
  it('each line is reported once and in order, nothing answered is sent again, and the worklist equals that of the file', async () => {
    const arbitrary = fc.record({
      lines: fc.array(line, { maxLength: 24 }),
      items: fc.integer({ min: 1, max: 5 }),
      lanes: fc.integer({ min: 1, max: 4 }),
      knowsRefused: fc.boolean(),
      faults: fc.array(fc.option(fault, { nil: undefined }), { maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ lines, items, lanes, knowsRefused, faults }) => {
        const service = createService({ knowsRefused });
        const memory = createMemory();
        const waiting = faults.values();
        const answered = new Set<number>();
        let told: EntryResult[] = [];
        const run = async (): Promise<boolean> => {
          told = [];
          const patience = patienceOf(1);
          const ingest = (batch: Batch) => {
            expect(answered, 'a batch that was answered is sent again').not.toContain(batch.number);
            const answer = patience(() => service.ingest(batch, waiting.next().value));
            const note = () => void answered.add(batch.number);
            answer.then(note, (error: AppError) => error.code === 'VALIDATION_FAILED' && note());
            return answer;
          };
          const onSent: SendingOptions['onSent'] = ({ done }) => void told.push(...done);
          try {
            return await send(lines, items, ingest, { lanes, memory, onSent });
          } catch (error) {
            expect(error).toMatchObject({ code: expect.stringMatching(/^(UNAUTHORIZED|NETWORK)$/) });
            // A run that ended tells a beginning of the file.
            expect(told.map(({ entry }) => entry.index)).toEqual(told.map((_, index) => index));
            return false;
          }
        };
        while (!(await run()));
        expect(told.map(({ entry }) => entry.index)).toEqual(lines.map((_, index) => index));
        expect(told.map(({ outcome }) => outcome.outcome === 'refused')).toEqual(
          lines.map((each) => typeof each === 'string'),
        );
        for (const [index, { outcome }] of told.entries()) {
          if (lines[index] !== 'refused') continue;
          expect(outcome).toMatchObject({
            code: 'FIELD_REQUIRED',
            field: 'patient_name',
            message: expect.stringMatching(/\(also at fault: modality\)$/),
          });
        }
        const stored = (await service.worklist.list({ limit: 200 })).items;
        const wanted = new Map(
          lines.flatMap((each) => (typeof each === 'string' ? [] : [[`E-${each.exam}`, each.words]])),
        );
        expect(new Map(stored.map((item) => [item.accession_number, item.exam_description]))).toEqual(wanted);
      }),
      { numRuns: 30 },
    );
  });
});

it('ends with the first batch in which something is refused, where that is asked for', async () => {
  const service = createService({ knowsRefused: true });
  const exams = [1, 2, 3].map((number): Line => ({ exam: number, words: 'TC' }));
  const told: EntryResult[] = [];
  const isComplete = await send([exams[0]!, 'refused', ...exams], 2, (batch) => service.ingest(batch, undefined), {
    lanes: 1,
    failFast: true,
    onSent: ({ done }) => void told.push(...done),
  });
  expect({ isComplete, told: told.length, applied: service.applied }).toEqual({
    isComplete: false,
    told: 2,
    applied: [1],
  });
});

const taken = { accession_number: 'E-1', status: 'inserted' } as const;

it.each<[string, Partial<IngestResult>]>([
  ['leaves an item out', { items: [] }],
  ['tells of more items than were sent', { items: Array.from({ length: 3 }, () => taken) }],
])('an answer that %s is none', async (_, part) => {
  const answer = { batch_id: 'b', processed: 1, inserted: 1, updated: 0, deduped: 0, errors: [], items: [], ...part };
  const sending = send([{ exam: 1, words: 'TC' }], 10, async () => answer, { lanes: 1, onSent: () => undefined });
  await expect(sending).rejects.toMatchObject({ code: 'BAD_ANSWER' });
});

it('an interruption ends it before the next batch', async () => {
  const interrupted = new AbortController();
  const service = createService({ knowsRefused: true });
  const lines = [1, 2, 3].map((number): Line => ({ exam: number, words: 'TC' }));
  const sending = send(lines, 1, (batch) => service.ingest(batch, undefined), {
    lanes: 1,
    signal: interrupted.signal,
    onSent: () => interrupted.abort(),
  });
  await expect(sending).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(service.applied).toEqual([1]);
});
