/**
 * Takes over what comes in by a channel: its exams, that it came, and the acknowledgement, in one durable transaction. What
 * cannot be taken over is kept as a refused message for somebody to look at. What comes again is answered as before.
 */
import { createHash } from 'node:crypto';
import type { MessageChanges, MessageError } from '../../src/contract/channel.ts';
import { AppError } from '../../src/contract/errors.ts';
import { isTestClient } from '../../src/contract/oauth.ts';
import { maxBatchItems, WorklistItemInput } from '../../src/contract/worklist.ts';
import type { IngestError } from '../../src/contract/worklist.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { FormatName } from '../../src/domain/worklist-formats.ts';
import type { Compile } from '../http/validation.ts';
import type { Services } from '../services.ts';
import { serviceActor } from '../store/actor.ts';
import { namedKey } from '../store/collections.ts';
import type { Reader, Transaction } from '../store/store.ts';
import { ingest, readBatch } from '../worklists/ingest.ts';
import type { Intake, OpenedChannel, Outcome, Sent, StoredMessage, Taken } from './channel.ts';
import { readMessage } from './reading.ts';
import type { ReadMessage } from './reading.ts';

export interface IntakeDeps extends Pick<Services, 'store' | 'clock' | 'ids'> {
  readonly compile: Compile;
}

export interface ChannelIntake extends Intake {
  /** Reads a refused message again, with the present settings and mapping, and writes what becomes of it. */
  again(message: StoredMessage): Promise<Taken>;
}

/** Bytes up to which what was taken is kept beside its message, until the retention is over. */
const mostKept = 16 * 1024;

const actor = () => serviceActor('channels.take');

export function createIntake({ store, clock, ids, compile }: IntakeDeps, channel: OpenedChannel): ChannelIntake {
  const rules = { validate: compile(WorklistItemInput), testMode: isTestClient(channel.space) };
  const arrival = () => ({
    space: channel.space,
    source_system: channel.name,
    who: channel.name,
    at: isoNow(clock),
  });

  /** What comes to more than a request may hold goes in steps: whoever begins anew after a crash changes nothing. */
  async function apply(
    { items, problems, warnings }: ReadMessage,
    finish: (tx: Transaction, done: Done) => Promise<Taken>,
  ) {
    const done: Done = {
      changes: { inserted: 0, updated: 0, deduped: 0, statuses: 0 },
      warnings: [...warnings],
      refused: [...problems],
      of: items.length + problems.length,
    };
    for (let at = maxBatchItems; at < items.length; at += maxBatchItems) {
      const step = await readBatch(items.slice(at - maxBatchItems, at), rules);
      add(done, await store.transact((tx) => ingested(tx, step), actor));
    }
    const rest = items.slice(Math.max(0, Math.ceil(items.length / maxBatchItems) - 1) * maxBatchItems);
    const last = rest.length === 0 ? undefined : await readBatch(rest, rules);
    return store.transact(async (tx) => {
      const all = copyOf(done);
      if (last) add(all, await ingested(tx, last));
      return finish(tx, all);
    }, actor);
  }

  /** Ingest refuses a batch without any valid item by an error; here each item has its own. */
  async function ingested(tx: Transaction, batch: Awaited<ReturnType<typeof readBatch>>): Promise<Step> {
    try {
      const { inserted, updated, deduped, errors, items } = await ingest(tx, ids, batch, arrival());
      const warnings = items.flatMap((item) => (item.warnings ?? []).map(({ message }) => message));
      return { changes: { inserted, updated, deduped, statuses: 0 }, warnings, refused: errors.map(errorOf) };
    } catch (error) {
      const refused = refusedIn(error);
      if (!refused) throw error;
      return {
        changes: { inserted: 0, updated: 0, deduped: 0, statuses: 0 },
        warnings: [],
        refused: refused.map(errorOf),
      };
    }
  }

  async function write(
    { raw, key = null, format, answer }: Pick<Sent, 'raw' | 'answer'> & { key?: string | null; format?: FormatName },
    former: StoredMessage | undefined,
  ): Promise<Taken> {
    const hash = createHash('sha256').update(raw).digest('hex');
    const repeatOf = async (reader: Reader): Promise<Taken | undefined> =>
      former || key === null ? undefined : repetition(reader, channel.id, key, hash);
    const before = await repeatOf(store);
    if (before) return before;
    const read = await readMessage(raw, format, channel);
    return apply(read, async (tx, done) => {
      const meanwhile = await repeatOf(tx);
      if (meanwhile) return meanwhile;
      const warnings = former || key === null ? [] : await warnOfName(tx, channel.id, key);
      const outcome = outcomeOf({ ...done, warnings: [...done.warnings, ...warnings] });
      const text = answer?.(outcome);
      const at = isoNow(clock);
      const message: StoredMessage = {
        id: former?.id ?? ids('msg'),
        space: channel.space,
        channel_id: channel.id,
        direction: 'in',
        state: outcome.state,
        at: former?.at ?? at,
        updated_at: at,
        key,
        error: outcome.state === 'refused' ? outcome.error : null,
        warnings: outcome.warnings.slice(0, mostWarnings),
        changes: outcome.changes,
        bytes: raw.length,
        format: read.format ?? format ?? 'unknown',
        hash,
        ...((outcome.state === 'refused' || raw.length <= mostKept) && {
          content: Buffer.from(raw).toString('base64'),
        }),
        ...(text !== undefined ? { answer: text } : former?.answer !== undefined && { answer: former.answer }),
      };
      tx.put('messages', message);
      return { ...outcome, id: message.id, repeated: false, ...(text !== undefined && { answer: text }) };
    });
  }

  return {
    take: (sent, signal) => {
      signal?.throwIfAborted();
      return write(sent, undefined);
    },
    again: (message) =>
      write(
        {
          raw: Buffer.from(message.content ?? '', 'base64'),
          key: message.key,
          ...(message.format !== undefined && message.format !== 'unknown' && { format: message.format as FormatName }),
        },
        message,
      ),
  };
}

const mostWarnings = 20;

interface Step {
  readonly changes: MessageChanges;
  readonly warnings: string[];
  readonly refused: MessageError[];
}
interface Done extends Step {
  /** How many exams the message was about. */
  readonly of: number;
}

const copyOf = ({ changes, warnings, refused, of }: Done): Done => ({
  changes: { ...changes },
  warnings: [...warnings],
  refused: [...refused],
  of,
});

function add(done: Done, { changes, warnings, refused }: Step): void {
  for (const name of Object.keys(changes) as (keyof MessageChanges)[]) done.changes[name] += changes[name];
  done.warnings.push(...warnings);
  done.refused.push(...refused);
}

function outcomeOf({ changes, warnings, refused, of }: Done): Outcome {
  const [first, ...others] = refused;
  if (!first) return { state: 'taken', changes, warnings };
  const message =
    others.length === 0 && of === 1 ? first.message : `${first.message} (${refused.length} of ${of} were refused)`;
  return { state: 'refused', error: { ...first, message }, changes, warnings };
}

const errorOf = ({ error, message, field }: IngestError): MessageError => ({
  code: error,
  message,
  ...(field !== '' && { place: field }),
});

function refusedIn(error: unknown): readonly IngestError[] | undefined {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') return undefined;
  return error.details?.['refused'] as readonly IngestError[] | undefined;
}

async function repetition(reader: Reader, channel: string, key: string, hash: string): Promise<Taken | undefined> {
  const [before] = await reader.find('messages', { is: { repeated: `${namedKey(channel, key)}\n${hash}` }, limit: 1 });
  if (!before) return undefined;
  const { id, error, answer, warnings } = before;
  const changes = before.changes ?? { inserted: 0, updated: 0, deduped: 0, statuses: 0 };
  const rest = { id, changes, warnings, repeated: true, ...(answer !== undefined && { answer }) };
  // What an operator dropped since was refused.
  return error ? { ...rest, state: 'refused', error } : { ...rest, state: 'taken' };
}

/** A sender that counts its messages from 1 again each day is no mistake of ours; the messages are taken, with a warning. */
async function warnOfName(reader: Reader, channel: string, key: string): Promise<string[]> {
  const [other] = await reader.find('messages', { is: { named: namedKey(channel, key) }, limit: 1 });
  return other ? ['Another message of the same id had other bytes; both were taken over.'] : [];
}
