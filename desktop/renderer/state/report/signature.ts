import { effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { CallOutput } from '../../../bridge/calls.ts';

export type Signatures = CallOutput<'record.signature'>;
const none: Signatures = { signature: null, preliminary: null, addenda: [] };

/** Reads the signatures when a report is shown and with each version: an addendum has another signature. */
export function followSignatures(bridge: Bridge, record: ReadonlySignal<MedicalRecord | null>) {
  const value = signal<Signatures>(none);
  let of: string | undefined;
  let read: number | undefined;
  const close = effect(() => {
    const { id, status, version } = record.value ?? {};
    if (id === undefined || status === 'draft' || id !== of) value.value = none;
    if (id === undefined || status === 'draft') return;
    if (id === of && version === read && value.peek() !== none) return;
    [of, read] = [id, version];
    void bridge.call('record.signature', { id }).then(
      (known) => {
        if (record.peek()?.id === id && record.peek()?.status !== 'draft') value.value = known;
      },
      () => undefined,
    );
  });
  return { value, close };
}
