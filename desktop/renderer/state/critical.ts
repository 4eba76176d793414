/** The critical results that have not been communicated, across all reports: for the top bar, the list and the rows. */
import { signal } from '@preact/signals';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { bridge } from './bridge.ts';
import { createLatestRequest } from './time/latest-request.ts';

/** Reports with open critical results, newest first. */
export const criticalRecords = signal<readonly MedicalRecord[]>([]);

/** Whether a report of the exam has an open result. */
export const isCritical = (itemId: string): boolean =>
  criticalRecords.value.some(({ worklist_item_id: item }) => item === itemId);

/** How long events are collected before one read serves all of them, in ms. */
const gatherMs = 500;

/**
 * Follows the critical results until the signal ends, then forgets them. A read that fails is repeated at the next
 * event.
 */
export function followCritical(ended: AbortSignal): void {
  const lastAsked = createLatestRequest();
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const ask = async (): Promise<void> => {
    gathering = undefined;
    const answer = await lastAsked(bridge().call('critical.open', {}));
    if (answer && !ended.aborted) criticalRecords.value = answer.items;
  };
  const look = (): void => void ask().catch(() => undefined);
  const lookSoon = (): void => void (gathering ??= setTimeout(look, gatherMs));
  const ends = [bridge().on('record', lookSoon), bridge().onGap(lookSoon)];
  ended.addEventListener('abort', () => {
    for (const end of ends) end();
    clearTimeout(gathering);
    // The next person to log in must not see them.
    criticalRecords.value = [];
  });
  look();
}
