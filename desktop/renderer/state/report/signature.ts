import { effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { Signature } from '../../../bridge/record.ts';

/**
 * Reads the signature when a signed report is shown, and again with each version until it is known. A signature never
 * changes.
 */
export function followSignature(bridge: Bridge, record: ReadonlySignal<MedicalRecord | null>) {
  const value = signal<Signature | null>(null);
  let of: string | undefined;
  const close = effect(() => {
    const { id, status } = record.value ?? {};
    if (id === undefined || status !== 'final' || id !== of) value.value = null;
    if (id === undefined || status !== 'final' || (id === of && value.peek() !== null)) return;
    of = id;
    void bridge.call('record.signature', { id }).then(
      (known) => {
        if (record.peek()?.id === id && record.peek()?.status === 'final') value.value = known.signature;
      },
      () => undefined,
    );
  });
  return { value, close };
}
