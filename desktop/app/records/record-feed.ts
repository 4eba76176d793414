/** Follows the records of the service, so that the pages see other people's changes. */
import { followEvents } from '../../../src/client/events/event-feed.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { contract } from '../../../src/contract/index.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { ServiceDeps } from '../service.ts';
import type { RecordCopies, VersionNews } from './record-copies.ts';

const RecordEvent = contract.records.endpoints.events.responses[200];
type RecordEvent = TypeOf<typeof RecordEvent>;

/** Stops following; resolves once the last event is handled. */
export function followRecords(
  deps: ServiceDeps,
  copies: RecordCopies,
  emitSigning: (news: VersionNews) => void,
): () => Promise<void> {
  const { cache, fetch, announce, forget } = copies;
  const inOrder = createOrder();
  /** Handles events one by one. A record that can't be read now is read when requested. */
  const inTurn = (work: () => Promise<void>): void => {
    inOrder(work).catch((error: unknown) => {
      if (!(error instanceof AppError)) deps.log({ level: 'error', event: 'records_not_followed' });
    });
  };
  /** A decision on a finding, a revocable signature, or its withdrawal, perhaps made here: the version stays. */
  const followDecision = async (event: RecordEvent): Promise<void> => {
    if (cache.get(event.id)) await fetch(event.id);
    emitSigning(event);
  };
  /** Reads a cached record again before notifying the pages, so that they find the new version here. */
  const follow = async (event: RecordEvent): Promise<void> => {
    const { id, version } = event;
    if (event.change === 'deleted') return forget(event);
    if (event.change === 'distributed') return deps.emit('distributed', { id });
    const kept = cache.get(id)?.record;
    if (['reviewed', 'signing', 'taken_back'].includes(event.change)) return followDecision(event);
    if (kept && kept.version >= version) return;
    if (kept) await fetch(id);
    announce(event);
  };
  const lookAgain = async (id: string): Promise<void> => {
    const before = cache.get(id)?.record;
    try {
      const record = await fetch(id);
      if (before?.version !== record.version) announce(record);
    } catch (error) {
      if (!before || !(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      await forget(before);
    }
  };
  const feed = followEvents({
    clock: deps.clock,
    random: deps.random,
    open: (signal) => deps.connect().client.records.events({}, { signal }),
    schema: RecordEvent,
    onEvent: (event) => inTurn(() => follow(event)),
    onOpen() {
      for (const id of new Set(copies.recentIds())) inTurn(() => lookAgain(id));
    },
  });
  const forgetOnline = deps.onOnline(() => feed.hurry());

  return async () => {
    forgetOnline();
    await feed.close();
    await inOrder.idle();
  };
}
