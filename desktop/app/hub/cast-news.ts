/** Passes to the pages what other applications measure and select; one page acts on it. */
import { removeOldest } from '../../../src/domain/oldest.ts';
import { readMeasurements, readSelection } from '../../../src/protocols/fhircast/measurements.ts';
import type { CastEvent } from '../../../src/protocols/fhircast/messages.ts';
import type { CastNews } from '../../bridge/hub.ts';
import type { ServiceDeps } from '../service.ts';

const maxRemembered = 500;
/** How long a page that has claimed a measurement may take to put it in, in ms: it may have ended. */
const leaseMs = 20_000;

export interface MeasurementNews {
  /** Passes the measurements that the pages don't have yet, of an update or of the content of a context. */
  measured(event: Pick<CastEvent, 'context'>, itemId: string): void;
  selected(event: Pick<CastEvent, 'context'>, itemId: string): void;
  /** The measurements that no page has claimed, oldest first. */
  waiting(itemId: string): CastNews[];
  /** Whether the news wait for a page; they no longer do. A measurement waits again if its page does not settle it in time. */
  claim(id: string): boolean;
  /** Ends a claim. `isDone`: no page needs the news any more; otherwise they wait again, unless newer ones replaced them. */
  settle(id: string, isDone: boolean): void;
  close(): void;
}

interface Claim {
  readonly news: CastNews;
  readonly stopLease: () => void;
}

export function createMeasurementNews({
  clock,
  emit,
  uuid,
}: Pick<ServiceDeps, 'clock' | 'emit' | 'uuid'>): MeasurementNews {
  const unclaimed = new Map<string, CastNews>();
  const claims = new Map<string, Claim>();
  /** Values by exam and id. */
  const seen = new Map<string, string>();
  const pass = (news: Omit<CastNews, 'id'>): void => {
    const id = uuid();
    unclaimed.set(id, { ...news, id });
    if (unclaimed.size > maxRemembered) removeOldest(unclaimed);
    emit('cast', { ...news, id });
  };
  const takeClaim = (id: string): CastNews | undefined => {
    const claim = claims.get(id);
    claim?.stopLease();
    claims.delete(id);
    return claim?.news;
  };
  const settle: MeasurementNews['settle'] = (id, isDone) => {
    const news = takeClaim(id);
    if (!news || isDone) return;
    const again: CastNews = { ...news, again: true };
    unclaimed.set(id, again);
    emit('cast', again);
  };
  /** A page that opens the exam later gets only the last values. */
  const forgetPrevious = (itemId: string, measured: string): void => {
    const isPrevious = ({ item_id, measurement, deleted }: CastNews): boolean =>
      item_id === itemId && (measurement?.id ?? deleted) === measured;
    for (const [id, news] of unclaimed) if (isPrevious(news)) unclaimed.delete(id);
    for (const [id, { news }] of claims) if (isPrevious(news)) takeClaim(id);
  };
  return {
    measured(event, itemId) {
      for (const { id, measurement } of readMeasurements(event)) {
        const key = `${itemId} ${id}`;
        const values = JSON.stringify(measurement?.values ?? null);
        if (seen.get(key) === values) continue;
        seen.set(key, values);
        if (seen.size > maxRemembered) removeOldest(seen);
        forgetPrevious(itemId, id);
        pass({ kind: 'measured', item_id: itemId, ...(measurement ? { measurement } : { deleted: id }) });
      }
    },
    selected: (event, itemId) => pass({ kind: 'selected', item_id: itemId, selected: readSelection(event) }),
    waiting: (itemId) =>
      [...unclaimed.values()].filter(({ kind, item_id }) => kind === 'measured' && item_id === itemId),
    claim(id) {
      const news = unclaimed.get(id);
      if (!news) return false;
      unclaimed.delete(id);
      if (news.kind === 'measured')
        claims.set(id, { news, stopLease: clock.schedule(clock.now() + leaseMs, () => settle(id, false)) });
      return true;
    },
    settle,
    close() {
      for (const { stopLease } of claims.values()) stopLease();
    },
  };
}
