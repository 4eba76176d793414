/** The critical results of which nobody was told yet, over all reports: for the bar, the list and the rows. */
import { signal } from '@preact/signals';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { bridge } from './bridge.ts';

/** Reports with open results, newest first. */
export const criticalRecords = signal<readonly MedicalRecord[]>([]);

/** Whether a report of the exam has an open result. */
export const isCritical = (itemId: string): boolean =>
  criticalRecords.value.some(({ worklist_item_id: item }) => item === itemId);

/** Follows them until the signal ends; what cannot be had now is had with the next news. */
export function followCritical(ended: AbortSignal): void {
  let asked = 0;
  const ask = async (): Promise<void> => {
    const mine = ++asked;
    const { items } = await bridge().call('critical.open', {});
    if (mine === asked && !ended.aborted) criticalRecords.value = items;
  };
  const look = (): void => void ask().catch(() => undefined);
  const ends = [bridge().on('record', look), bridge().onGap(look)];
  ended.addEventListener('abort', () => {
    for (const end of ends) end();
  });
  look();
}
