/**
 * Makes changes. A change is sent at once if the service is reachable and no older change of the same object waits;
 * otherwise the outbox stores it and sends it after those. Each kind defines how to send it so that repeating is
 * harmless.
 */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { join } from 'node:path';
import { isTransient } from '../../../src/client/transient.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { createChangeOutbox, isHeld } from './change-outbox.ts';
import type { Change, Refusal } from './change-outbox.ts';
import type { RefusedChange } from '../../bridge/changes.ts';
import type { Service, ServiceDeps } from '../service.ts';

type Kind = RefusedChange['kind'];

/** Data needed to send a change that must not be stored, such as a PIN. */
export type Unkept = Readonly<Record<string, unknown>>;

/** Sends a change. Rejects with the error of the service. */
export type Send = (
  change: Change,
  more: { readonly signal?: AbortSignal; readonly unkept?: Unkept },
) => Promise<unknown>;

export interface Changes extends Service<'changes'> {
  /** The waiting changes, oldest first; with `subject` only those of that subject. */
  waiting(subject?: string): readonly Change[];
  /** Defines how a kind is sent, and the exam of a change. Each service calls this before it makes a change. */
  define(kind: Kind, send: Send, examOf?: (change: Change) => string | null): void;
  /**
   * Sends the change now and resolves to the answer, or stores it and resolves to `undefined`. Rejects if the service
   * refuses the change. `payload` receives the id of an earlier change of the same subject that is still being sent.
   */
  make(
    kind: Kind,
    subject: string,
    payload: (after: string | undefined) => unknown,
    more?: MakeOptions,
  ): Promise<{ readonly sent: unknown } | undefined>;
  /** The waiting changes that are to be sent now: all but those that their author may still withdraw. */
  due(): readonly Change[];
  /**
   * Removes the waiting changes of that kind and subject that are not being sent; the service may have them
   * nevertheless.
   */
  cancel(kind: Kind, subject: string): Promise<void>;
  /** The last change of that kind and subject that is still held back. */
  findHeld(kind: Kind, subject: string): Change | undefined;
  /** Removes the held change; `false`: it is being sent. */
  withdraw(held: Change): Promise<boolean>;
  /** Starts sending the waiting changes. Call it once every kind is defined. */
  start(): void;
  /** Sends the waiting changes of the object now. Throws NETWORK if some could not be sent. */
  flush(subject: string): Promise<void>;
}

export interface MakeOptions {
  /** With it the change is sent now or never. Throws NETWORK if the service is unreachable. */
  readonly unkept?: Unkept | undefined;
  /** Ids of other objects that the change affects. */
  readonly touches?: readonly string[];
  /** When it is sent at the earliest, ISO 8601; absent: now. */
  readonly notBefore?: string | undefined;
}

export async function createChanges(deps: ServiceDeps, onChange: () => void): Promise<Changes> {
  const kinds = new Map<string, { readonly send: Send; readonly examOf: (change: Change) => string | null }>();
  const started = Promise.withResolvers<void>();
  const send: Send = async (change, more) => {
    const kind = kinds.get(change.kind);
    if (!kind) throw new AppError('CONFIGURATION', { message: appMessage('unknown_change') });
    return kind.send(change, more);
  };
  const outbox = await createChangeOutbox({
    directory: join(deps.directory, 'outbox'),
    clock: deps.clock,
    random: deps.random,
    log: deps.log,
    sealing: deps.sealing,
    onChange,
    onRefused: (change, error) => deps.emit('refused', refusalShown({ change, error, at: isoNow(deps.clock) })),
    async send(change, signal) {
      await started.promise;
      if (signal.aborted) throw new AppError('INTERRUPTED');
      await send(change, { signal });
    },
  });
  const refusalShown = (refusal: RefusalSummary): RefusedChange =>
    shown(refusal, kinds.get(refusal.change.kind)?.examOf(refusal.change) ?? null);
  const sendAll = async (objects: readonly string[]): Promise<void> => {
    await outbox.flush(objects);
    if (outbox.holds(objects)) throw notSent();
  };
  /** The last change of each object that is being sent, so that a later change never overtakes it. */
  const making = new Map<string, { readonly id: string; readonly over: Promise<unknown> }>();
  const makeInTurn = async (
    change: Change,
    objects: readonly string[],
    unkept: Unkept | undefined,
  ): Promise<{ readonly sent: unknown } | undefined> => {
    if (unkept) {
      if (outbox.holds(objects)) await sendAll(objects);
      return { sent: await send(change, { unkept }) };
    }
    if (change.not_before === undefined && !outbox.holds(objects)) {
      try {
        const sent = await send(change, {});
        outbox.noteTaken();
        return { sent };
      } catch (error) {
        if (!isTransient(error)) throw error;
      }
    }
    await outbox.enqueue(change);
    return undefined;
  };
  const forgetOnline = deps.onOnline(() => void outbox.flush());

  return {
    handlers: {
      'changes.refused': async () => ({ items: outbox.refused().map(refusalShown) }),
      async 'changes.dismiss'({ id }) {
        await outbox.dismiss(id);
        return {};
      },
      async 'changes.retry'({ id }) {
        await outbox.retry(id);
        return {};
      },
    },
    waiting: (subject) => outbox.waiting().filter((change) => subject === undefined || change.subject === subject),
    define: (kind, sender, examOf = () => null) => void kinds.set(kind, { send: sender, examOf }),
    make(kind, subject, payload, { unkept, touches = [], notBefore } = {}) {
      const objects = [subject, ...touches];
      const previous = making.get(subject);
      const after = previous?.id ?? outbox.waiting().findLast((change) => change.subject === subject)?.id;
      const change: Change = {
        id: deps.uuid(),
        kind,
        subject,
        ...(touches.length > 0 && { touches }),
        ...(notBefore !== undefined && { not_before: notBefore }),
        payload: payload(after),
        created_at: isoNow(deps.clock),
      };
      const earlier = objects.map((object) => making.get(object)?.over);
      const mine = Promise.allSettled(earlier).then(() => makeInTurn(change, objects, unkept));
      const entry = { id: change.id, over: mine };
      for (const object of objects) making.set(object, entry);
      const end = (): void => {
        for (const object of objects) if (making.get(object) === entry) making.delete(object);
      };
      mine.then(end, end);
      return mine;
    },
    async cancel(kind, subject) {
      for (const change of outbox.waiting()) {
        if (change.kind === kind && change.subject === subject) await outbox.cancel(change.id);
      }
    },
    due: () => outbox.waiting().filter((change) => !isHeld(change, deps.clock.now())),
    findHeld: (kind, subject) =>
      outbox
        .waiting()
        .findLast((change) => change.kind === kind && change.subject === subject && isHeld(change, deps.clock.now())),
    withdraw: ({ id }) => outbox.cancel(id),
    start: () => started.resolve(),
    flush: (subject) => sendAll([subject]),
    async close() {
      forgetOnline();
      started.resolve();
      await outbox.close();
    },
  };
}

/** Only the service can do it, and needs every change first. */
export const notSent = (): AppError => new AppError('NETWORK', { message: appMessage('offline_correct') });

type RefusalSummary = Pick<Refusal, 'change' | 'at'> & { error: Pick<Refusal['error'], 'code' | 'message'> };

function shown({ change, error, at }: RefusalSummary, item_id: string | null): RefusedChange {
  type Words = Partial<NonNullable<RefusedChange['mine']>>;
  // The title of a record, the name of an autotext, or the forms of a vocabulary entry.
  interface EntryNames {
    readonly name?: string;
    readonly write?: string;
    readonly for?: readonly string[];
  }
  const {
    write,
    name = write,
    title = name,
    sections,
    for: forms,
    text = forms?.join('\n'),
  } = Object(change.payload) as Words & EntryNames;
  const mine = {
    ...(title !== undefined && { title }),
    ...(sections && { sections }),
    ...(text !== undefined && { text }),
  };
  return {
    id: change.id,
    kind: change.kind as Kind,
    subject: change.subject,
    item_id,
    code: error.code,
    message: error.message,
    failed: isTransient(new AppError(error.code)),
    at,
    mine: Object.keys(mine).length > 0 ? mine : null,
  };
}
