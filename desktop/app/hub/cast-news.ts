/** Passes to the pages what other applications measure and select; one page acts on it. */
import { removeOldest } from '../../../src/domain/oldest.ts';
import { readMeasurements, readSelection } from '../../../src/protocols/fhircast/measurements.ts';
import type { CastEvent } from '../../../src/protocols/fhircast/messages.ts';
import type { CastNews } from '../../bridge/hub.ts';
import type { ServiceDeps } from '../service.ts';

const maxRemembered = 500;

export interface MeasurementNews {
  /** Passes the measurements that the pages don't have yet, of an update or of the content of a context. */
  measured(event: Pick<CastEvent, 'context'>, itemId: string): void;
  selected(event: Pick<CastEvent, 'context'>, itemId: string): void;
  /** The measurements that no page has claimed, oldest first. */
  waiting(itemId: string): CastNews[];
  /** Whether the news wait for a page; they no longer do. */
  claim(id: string): boolean;
  /** Has the news wait again: their page could not put them in. Whatever came about the same measurement since goes before. */
  giveBack(id: string): void;
}

export function createMeasurementNews({ emit, uuid }: Pick<ServiceDeps, 'emit' | 'uuid'>): MeasurementNews {
  const unclaimed = new Map<string, CastNews>();
  const claimed = new Map<string, CastNews>();
  /** Values by exam and id. */
  const seen = new Map<string, string>();
  const pass = (news: Omit<CastNews, 'id'>): void => {
    const id = uuid();
    unclaimed.set(id, { ...news, id });
    if (unclaimed.size > maxRemembered) removeOldest(unclaimed);
    emit('cast', { ...news, id });
  };
  /** A page that opens the exam later gets only the last values. */
  const forgetPrevious = (itemId: string, measured: string): void => {
    for (const all of [unclaimed, claimed])
      for (const { id, item_id, measurement, deleted } of all.values())
        if (item_id === itemId && (measurement?.id ?? deleted) === measured) all.delete(id);
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
      claimed.set(id, news);
      if (claimed.size > maxRemembered) removeOldest(claimed);
      return true;
    },
    giveBack(id) {
      const news = claimed.get(id);
      if (!news) return;
      claimed.delete(id);
      unclaimed.set(id, news);
      emit('cast', news);
    },
  };
}
