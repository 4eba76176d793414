/** The critical results of which nobody was told yet, over all reports: for the bar, the list and the rows. */
import { signal } from '@preact/signals';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { bridge } from './bridge.ts';
import { createLastAsked } from './time/last-asked.ts';

/** Reports with open results, newest first. */
export const criticalRecords = signal<readonly MedicalRecord[]>([]);

/** Whether a report of the exam has an open result. */
export const isCritical = (itemId: string): boolean =>
  criticalRecords.value.some(({ worklist_item_id: item }) => item === itemId);

/** How long news are gathered, in ms, before the list is read once for all of them. */
const gatherMs = 500;

/** Follows them until the signal ends, and forgets them then; what cannot be had now is had with the next news. */
export function followCritical(ended: AbortSignal): void {
  const lastAsked = createLastAsked();
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
    // Whoever logs in next must not see them.
    criticalRecords.value = [];
  });
  look();
}
