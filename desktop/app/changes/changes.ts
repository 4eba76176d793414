/**
 * Changes that people make. A change is sent at once if the service can be reached and no older change waits; otherwise
 * the outbox keeps it and sends changes in order. Each kind defines how it is sent, such that sending it twice does no
 * harm.
 */
import { join } from 'node:path';
import { isTransient } from '../../../src/client/transient.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { createChangeOutbox } from './change-outbox.ts';
import type { Change, Refusal } from './change-outbox.ts';
import type { RefusedChange } from '../../bridge/changes.ts';
import type { Service, ServiceDeps } from '../service.ts';

type Kind = RefusedChange['kind'];

/** What the sending of a change needs and no disk may have, such as a PIN. */
export type Unkept = Readonly<Record<string, unknown>>;

/** Sends a change; rejects with what the service says. */
export type Send = (
  change: Change,
  more: { readonly signal?: AbortSignal; readonly unkept?: Unkept },
) => Promise<unknown>;

export interface Changes extends Service<'changes'> {
  /** The changes that wait, oldest first; with `subject` only those of that subject. */
  waiting(subject?: string): readonly Change[];
  /** Defines how a kind is sent. Each service calls this before it makes a change. */
  define(kind: Kind, send: Send): void;
  /**
   * Sends the change now and resolves to the answer, or keeps it and resolves to `undefined`. Rejects if the service
   * refuses the change. `payload` gets the id of an earlier change of the same subject that is still on its way. With
   * `unkept` the change is sent now or not at all: NETWORK where the service cannot be reached.
   */
  make(
    kind: Kind,
    subject: string,
    payload: (after: string | undefined) => unknown,
    unkept?: Unkept,
  ): Promise<{ readonly sent: unknown } | undefined>;
  /** Forgets the changes of that kind and subject that wait and are not on their way; the service may have them all the same. */
  cancel(kind: Kind, subject: string): Promise<void>;
  /** Begins to send the changes that wait; comes once every kind is defined. */
  start(): void;
  /** Tries now; resolves when nothing waits any more or the service cannot be reached. */
  flush(): Promise<void>;
}

export async function createChanges(deps: ServiceDeps, onChange: () => void): Promise<Changes> {
  const senders = new Map<string, Send>();
  const started = Promise.withResolvers<void>();
  const send: Send = async (change, more) => {
    const sender = senders.get(change.kind);
    if (!sender) throw new AppError('CONFIGURATION', { message: 'This version does not know that kind of change.' });
    return sender(change, more);
  };
  const outbox = await createChangeOutbox({
    directory: join(deps.directory, 'outbox'),
    clock: deps.clock,
    random: deps.random,
    log: deps.log,
    sealing: deps.sealing,
    onChange,
    onRefused: (change, error) => deps.tell('refused', shown({ change, error, at: isoNow(deps.clock) })),
    async send(change, signal) {
      await started.promise;
      if (signal.aborted) throw new AppError('INTERRUPTED');
      await send(change, { signal });
    },
  });
  /** The last change of each subject that is on its way, so that a later change never overtakes it. */
  const making = new Map<string, { readonly id: string; readonly over: Promise<unknown> }>();
  const makeInTurn = async (change: Change, unkept?: Unkept): Promise<{ readonly sent: unknown } | undefined> => {
    if (unkept) {
      if (outbox.waiting().length > 0) await outbox.flush();
      if (outbox.waiting().length > 0) throw notSent();
      return { sent: await send(change, { unkept }) };
    }
    if (outbox.waiting().length === 0) {
      try {
        return { sent: await send(change, {}) };
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
      'changes.refused': async () => ({ items: outbox.refused().map(shown) }),
      async 'changes.dismiss'({ id }) {
        await outbox.dismiss(id);
        return {};
      },
    },
    waiting: (subject) => outbox.waiting().filter((change) => subject === undefined || change.subject === subject),
    define: (kind, sender) => void senders.set(kind, sender),
    make(kind, subject, payload, unkept) {
      const former = making.get(subject);
      const after = former?.id ?? outbox.waiting().findLast((change) => change.subject === subject)?.id;
      const change = { id: deps.uuid(), kind, subject, payload: payload(after), created_at: isoNow(deps.clock) };
      const mine = Promise.resolve(former?.over)
        .catch(() => undefined)
        .then(() => makeInTurn(change, unkept));
      making.set(subject, { id: change.id, over: mine });
      const end = (): void => {
        if (making.get(subject)?.over === mine) making.delete(subject);
      };
      mine.then(end, end);
      return mine;
    },
    async cancel(kind, subject) {
      for (const change of outbox.waiting()) {
        if (change.kind === kind && change.subject === subject) await outbox.cancel(change.id);
      }
    },
    start: () => started.resolve(),
    flush: () => outbox.flush(),
    async close() {
      forgetOnline();
      started.resolve();
      await outbox.close();
    },
  };
}

/** Only the service can do it, and has to have every change first. */
export const notSent = (): AppError =>
  new AppError('NETWORK', { message: 'Your changes are not sent yet, and only the service can do this.' });

function shown({
  change,
  error,
  at,
}: Pick<Refusal, 'change' | 'at'> & { error: { code: string; message: string } }): RefusedChange {
  type Words = Partial<NonNullable<RefusedChange['mine']>>;
  // A document has a title, an autotext a name, a word of the vocabulary what is written, and for what.
  interface Owned {
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
  } = Object(change.payload) as Words & Owned;
  const mine = {
    ...(title !== undefined && { title }),
    ...(sections && { sections }),
    ...(text !== undefined && { text }),
  };
  return {
    id: change.id,
    kind: change.kind as Kind,
    subject: change.subject,
    code: error.code,
    message: error.message,
    at,
    mine: Object.keys(mine).length > 0 ? mine : null,
  };
}
