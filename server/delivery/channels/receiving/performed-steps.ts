/**
 * Performed procedure steps: derives the status of an exam from all steps that modalities report for it. A step of an unknown
 * exam waits for its order, and is applied once the exam exists.
 */
import type { MessageError } from '../../../../src/contract/channel-message.ts';
import { createOrder } from '../../../../src/domain/in-order.ts';
import { describeError } from '../../../../src/domain/describe-error.ts';
import type { DeliveryDeps } from '../../deps.ts';
import { anyExam, examNames, namedKey } from '../../../storage/collections.ts';
import type { PerformedStep } from '../../../storage/collections.ts';
import { readAll } from '../../../storage/scan.ts';
import type { Reader } from '../../../storage/store.ts';
import type { ChannelConfig, IntakeOutcome, StoredMessage } from '../channel.ts';
import type { ReadMessage } from './read-message.ts';

export type StepStatus = PerformedStep['status'];

/** A step ends once, for good (PS3.4 F.7.2.2.2). */
export const isOver = (status: StepStatus): boolean => status !== 'in_progress';

/**
 * An exam is in progress while one of its steps is, and completed if any step was: a discontinued step does not remove the
 * images of another.
 */
export function deriveExamStatus(steps: readonly StepStatus[]): StepStatus {
  if (steps.includes('in_progress')) return 'in_progress';
  return steps.includes('completed') ? 'completed' : 'discontinued';
}

/** The states of a step in its messages: its end, if it has ended, before its beginning. */
export async function findSteps(reader: Reader, channel: string, instance: string): Promise<readonly PerformedStep[]> {
  const messages = await reader.find('messages', { is: { step: namedKey(channel, instance) } });
  // Two servers whose clocks differ may have stored them in the other order.
  return messages
    .flatMap(({ step }) => (step ? [step] : []))
    .toSorted((a, b) => Number(isOver(b.status)) - Number(isOver(a.status)));
}

/** Whether a message may come after those that are stored of its step: each step begins once and ends once. */
export async function canFollow(
  reader: Reader,
  { id }: Pick<ChannelConfig, 'id'>,
  { instance, status }: PerformedStep,
): Promise<boolean> {
  const [latest] = await findSteps(reader, id, instance);
  return isOver(status) ? latest !== undefined && !isOver(latest.status) : latest === undefined;
}

/** The exams of a step, each with the status derived from all of its steps; `isNew`: the step is not stored yet. */
export async function readStep(
  reader: Reader,
  { id }: Pick<ChannelConfig, 'id'>,
  step: PerformedStep,
  isNew: boolean,
): Promise<ReadMessage> {
  const exams = [];
  for (const exam of step.exams) {
    const latest = new Map<string, StepStatus>(isNew ? [[step.instance, step.status]] : []);
    for (const name of examNames(exam)) {
      for (const message of await reader.find('messages', { is: { exam: namedKey(id, name) } })) {
        const { step: other, state } = message;
        if (!other || state === 'dropped') continue;
        if (isOver(other.status) || !latest.has(other.instance)) latest.set(other.instance, other.status);
      }
    }
    const exam_status = latest.size === 0 ? step.status : deriveExamStatus([...latest.values()]);
    exams.push({ item: { ...exam, exam_status }, order: undefined });
  }
  const problems = exams.length === 0 ? [missingIdentifier] : [];
  return { format: 'json', exams, patients: [], problems, warnings: [], isAddition: true };
}

const missingIdentifier: MessageError = {
  code: 'FIELD_REQUIRED',
  message: 'A modality began an exam without an accession number or a study UID.',
  hint: 'Was this exam not ordered? Have the modality take its exams from the worklist.',
};

/** An exam that lacks required fields has no order yet. */
export const awaitsOrder = (outcome: IntakeOutcome, { exams }: PerformedStep): boolean =>
  outcome.state === 'refused' && outcome.error.code === 'FIELD_REQUIRED' && exams.length > 0;

export const orderPending: MessageError = {
  code: 'UNKNOWN_EXAM',
  message: 'No order for this exam has arrived yet.',
  hint: 'Nothing is lost: the step is applied once the exam exists. Drop it if no order will come.',
};

export interface StepMatcherDeps extends Pick<DeliveryDeps, 'store' | 'log'> {
  /** Retries the message. */
  readonly retry: (message: StoredMessage) => Promise<unknown>;
}

/** Applies waiting steps once their exam exists. The returned function stops this, after the step in progress. */
export function matchWaitingSteps({ store, log, retry }: StepMatcherDeps): () => Promise<void> {
  const inTurn = createOrder();
  let isEnding = false;
  const match = (find: () => Promise<readonly StoredMessage[]>): void => {
    inTurn(async () => {
      if (isEnding) return;
      // Oldest first: a step begins before it ends.
      for (const message of (await find()).toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        if (!isEnding) await retry(message);
      }
    }).catch((error: unknown) => log({ level: 'error', event: 'steps_not_matched', ...describeError(error) }));
  };
  /** Exams that no look has begun for. The commits of a group are announced together, and one look serves all of them. */
  let changed: string[] = [];
  const unwatch = store.watch('items', (ids) => {
    const isFirst = changed.length === 0;
    for (const id of ids) changed.push(id);
    if (!isFirst) return;
    match(() => {
      const all = changed;
      changed = [];
      return findWaitingMessages(store, all);
    });
  });
  // The server may have stopped between an exam and its steps.
  match(() => readAll(store, 'messages', { is: { awaited: anyExam } }));
  return async () => {
    isEnding = true;
    unwatch();
    await inTurn.idle();
  };
}

/** The messages that wait for one of these exams. */
async function findWaitingMessages(reader: Reader, ids: readonly string[]): Promise<readonly StoredMessage[]> {
  const find = (awaited: string, more: { limit?: number } = {}) =>
    reader.find('messages', { is: { awaited }, ...more });
  if ((await find(anyExam, { limit: 1 })).length === 0) return [];
  const found = new Map<string, StoredMessage>();
  for (const id of ids) {
    const item = await reader.get('items', id);
    if (!item) continue;
    for (const name of examNames(item)) {
      for (const message of await find(namedKey(item.space, name))) found.set(message.id, message);
    }
  }
  return [...found.values()];
}
