/**
 * The journal of a replay, next to the worklist file, so that an interrupted replay can resume. The first entry names
 * the file and its plan; each further entry records an answered batch. The replay sends an unrecorded batch again with
 * the same Idempotency-Key, which has no second effect. No entry contains patient data.
 */
import { textOf } from '../../src/contract/messages/message.ts';
import { createHash, randomUUID } from 'node:crypto';
import { realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { conforms } from '../../src/client/conforms.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { DetailCode } from '../../src/contract/errors.ts';
import type { IngestWarning } from '../../src/contract/worklist.ts';
import { array, boolean, freeForm, integer, nullable, object, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { OpenFile } from '../../src/node/files/durable-file.ts';
import { holdLock, lockPatience } from '../../src/node/files/file-lock.ts';
import { openLineLog } from '../../src/node/files/line-log.ts';
import type { LineLog, OpenedLog } from '../../src/node/files/line-log.ts';
import type { Batch } from '../../src/sending/batches.ts';
import type { StatusOutcome } from '../../src/sending/follow-orders.ts';
import { isRefused, successStatuses } from '../../src/sending/outcomes.ts';
import type { Outcome } from '../../src/sending/outcomes.ts';
import type { Memory } from '../../src/sending/send.ts';

const form = 1;

const Start = object({
  journal: integer({ description: 'Version of this form.' }),
  run: string({ description: 'The beginning of every Idempotency-Key.' }),
  server: string({ description: 'Where the batches went.' }),
  at: string(),
  files: array(object({ name: string(), size: integer() })),
  plan: freeForm({ description: 'Every option by which the batches were made.' }),
});
type Start = TypeOf<typeof Start>;

const AnsweredBatch = object(
  {
    batch: integer(),
    hash: string(),
    outcomes: string({ description: 'i, u, d or r for each item.' }),
    refused: array(object({ code: string(), field: string(), message: string() })),
    statuses: array(
      object({ index: integer(), outcome: string(), message: nullable(string()) }, { reinstates: boolean() }),
    ),
  },
  {
    warned: array(
      object({ at: integer({ description: 'Of the item in its batch.' }), code: string(), message: string() }),
    ),
  },
);
type AnsweredBatch = TypeOf<typeof AnsweredBatch>;

/** The plan that determines the content of the batches. */
export type Plan = Readonly<Record<string, unknown>>;

/** `recall` throws CONFIGURATION if the file was changed since; `record` resolves when the entry is on disk. */
export interface Journal extends Memory {
  readonly run: string;
  /** Whether this run resumes an earlier run. */
  readonly isResumed: boolean;
  /** Removes the journal, because every batch is done. */
  remove(): Promise<void>;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly files: readonly string[];
  readonly clock: Clock;
  /** Directory of the journal's lock. */
  readonly stateDirectory: string;
  readonly server: string;
  readonly resume: boolean;
  /** Chooses this run's plan, given the earlier run's, if any. Throws if the options contradict the earlier plan. */
  readonly plan: (earlier: Plan | undefined) => Plan;
  /** Receives notices for the person. */
  readonly onNotice: (words: string) => void;
  /** Opens the journal's file; an argument, so that tests can replace it. */
  readonly open?: OpenFile;
}

export const journalPath = (file: string): string => join(dirname(file), `${basename(file)}.laudio-replay`);

/** Opens the journal or creates one. REQUEST_IN_PROGRESS while another process replays the file. */
export async function openJournal(options: JournalOptions): Promise<{ journal: Journal; plan: Plan }> {
  const [first = ''] = options.files;
  const path = journalPath(await realpath(first));
  const unlock = await lock(path, first, options);
  let log: LineLog | undefined;
  try {
    if (!options.resume && (await exists(path))) {
      options.onNotice('An earlier replay was not finished; this one starts again (--resume would continue it).');
      await rm(path);
    }
    const opened = await openLog(path, first, options.open);
    ({ log } = opened);
    const begun = opened.entries.length > 0 ? await resumed(opened, options) : await begin(log, options);
    return { journal: createJournal({ path, log, unlock, first, ...begun }), plan: begun.start.plan };
  } catch (error) {
    await log?.close();
    await unlock();
    throw error;
  }
}

interface JournalContent {
  readonly start: Start;
  readonly answered: readonly AnsweredBatch[];
}

async function begin(
  log: LineLog,
  { files, server, clock, plan, resume, onNotice }: JournalOptions,
): Promise<JournalContent> {
  if (resume) onNotice('There is nothing to resume: starting from the beginning.');
  const start: Start = {
    journal: form,
    run: randomUUID(),
    server,
    at: isoNow(clock),
    files: await Promise.all(files.map(identityOf)),
    plan: plan(undefined),
  };
  await log.append(start);
  return { start, answered: [] };
}

async function resumed({ entries, damaged }: OpenedLog, options: JournalOptions): Promise<JournalContent> {
  const [start, ...answered] = entries;
  const [first = ''] = options.files;
  if (
    damaged ||
    !conforms(Start, start) ||
    (start as Start).journal !== form ||
    !answered.every((entry) => conforms(AnsweredBatch, entry))
  ) {
    throw unreadable(first);
  }
  const earlier = start as Start;
  if (earlier.server !== options.server) {
    throw refused(
      `The earlier replay of ${first} went to ${earlier.server}, and this one would go to ${options.server}.`,
    );
  }
  const files = await Promise.all(options.files.map(identityOf));
  const names = (list: typeof files): string => list.map(({ name }) => name).join(', ');
  if (names(files) !== names(earlier.files)) {
    throw refused(`The earlier replay was of other files: ${names(earlier.files)}.`);
  }
  const changed = files.find(({ size }, at) => size !== earlier.files[at]?.size);
  if (changed) throw refused(`${changed.name} was changed since the earlier replay.`);
  return { start: { ...earlier, plan: options.plan(earlier.plan) }, answered: answered as AnsweredBatch[] };
}

const refused = (message: string): AppError =>
  new AppError('CONFIGURATION', {
    message,
    hint: 'Start again without --resume: accepted entries are recognised.',
  });

const unreadable = (first: string): AppError => refused(`The journal of ${first} cannot be read.`);

const identityOf = async (file: string): Promise<{ name: string; size: number }> => ({
  name: basename(file),
  size: (await stat(file)).size,
});

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );

async function lock(
  path: string,
  first: string,
  { stateDirectory, clock }: JournalOptions,
): Promise<() => Promise<void>> {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 32);
  try {
    return await holdLock(join(stateDirectory, 'locks', `replay-${name}.lock`), { clock, timeout: lockPatience });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('REQUEST_IN_PROGRESS', {
      message: `${first} is being replayed by another process.`,
      cause: error,
    });
  }
}

async function openLog(path: string, first: string, open: OpenFile | undefined): Promise<OpenedLog> {
  try {
    return await openLineLog(path, open && { open });
  } catch (error) {
    const { code } = Object((error as Error).cause) as { code?: string };
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error;
    throw new AppError('CONFIGURATION', {
      message: `No journal can be written next to ${first} (${code}).`,
      hint: 'Copy the file to a directory of yours, or send it without a journal: laudio worklist ingest.',
    });
  }
}

/** Fingerprint that distinguishes a batch from that of a modified file. */
const hashOf = (batch: Batch): string => createHash('sha256').update(batch.body).digest('base64url').slice(0, 22);

const letterOf = (outcome: Outcome): string => outcome.outcome.charAt(0);
const takenByLetter = new Map(successStatuses.map((outcome) => [outcome.charAt(0), outcome]));

interface OpenJournal extends JournalContent {
  readonly path: string;
  readonly log: LineLog;
  readonly unlock: () => Promise<void>;
  readonly first: string;
}

function createJournal({ path, log, unlock, first, start, answered }: OpenJournal): Journal {
  const known = new Map(answered.map((entry) => [entry.batch, entry]));
  const close = async (): Promise<void> => {
    await log.close();
    await unlock();
  };
  return {
    run: start.run,
    isResumed: answered.length > 0,
    recall(batch) {
      const entry = known.get(batch.number);
      if (!entry) return undefined;
      if (entry.hash !== hashOf(batch)) throw refused(`${first} was changed since the earlier replay.`);
      const refusals = entry.refused.values();
      const warned = Map.groupBy(entry.warned ?? [], ({ at }) => at);
      const outcomes = Array.from(entry.outcomes, (letter, at): Outcome => {
        const outcome = takenByLetter.get(letter);
        const warnings = warned.get(at)?.map(({ code, message }) => ({ code: code as IngestWarning, message }));
        if (outcome) return { outcome, ...(warnings && { warnings }) };
        const { value: refusal } = refusals.next();
        if (!refusal) throw unreadable(first);
        const { code, field, message } = refusal;
        return { outcome: 'refused', code: code as DetailCode, field, message };
      });
      return { outcomes, statuses: entry.statuses as StatusOutcome[] };
    },
    record(batch, done, statuses) {
      const ofItems = done.filter(({ entry }) => entry.kind === 'item');
      const warned = ofItems.flatMap(({ outcome }, at) =>
        outcome.outcome === 'refused' ? [] : (outcome.warnings ?? []).map((warning) => ({ at, ...warning })),
      );
      const entry: AnsweredBatch = {
        batch: batch.number,
        hash: hashOf(batch),
        outcomes: ofItems.map(({ outcome }) => letterOf(outcome)).join(''),
        refused: ofItems
          .filter(isRefused)
          .map(({ outcome: { code = '', field = '', message } }) => ({ code, field, message: textOf(message) })),
        statuses: statuses.map(({ message, ...status }) => ({
          ...status,
          message: message === null ? null : textOf(message),
        })),
        ...(warned.length > 0 && { warned }),
      };
      return log.append(entry);
    },
    async remove() {
      await close();
      await rm(path, { force: true });
    },
    close,
  };
}
