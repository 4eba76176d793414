/** The addendum that the person writes: its text, which the app stores with each key, and how it is added. */
import { useState } from 'preact/hooks';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { asBridgeError } from '../../state/bridge.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { amendedItem } from '../../state/report/writing.ts';
import { role } from '../../state/session.ts';
import { useTyped } from './use-typed-text.ts';

export interface Addendum {
  /** Whether the report can have one now: it is final, and the last one can no longer be taken back. */
  readonly mayAdd: boolean;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly text: string;
  readonly refused: BridgeError | null;
  open(): void;
  /** The text stays, for the next time. */
  close(): void;
  setText(text: string): void;
  add(): Promise<void>;
}

/** `itemId`: the exam on the screen, even where the report is no longer linked to it. */
export function useAddendum(document: ReadyReport, itemId: string): Addendum {
  const record = document.record.value;
  const mayAdd = record.status === 'final' && record.signing === undefined && role.value !== 'resident';
  // Read again after one was taken back: the app then has its text.
  const { text, setText, clear } = useTyped('addendum', record.id, mayAdd);
  const [refused, setRefused] = useState<BridgeError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const close = (): void => {
    if (amendedItem.peek() === itemId) amendedItem.value = null;
    setRefused(null);
  };
  return {
    mayAdd,
    isOpen: mayAdd && amendedItem.value === itemId,
    isBusy,
    text,
    refused,
    setText,
    close,
    open: () => void (amendedItem.value = itemId),
    async add() {
      if (isBusy || text.trim() === '') return;
      setRefused(null);
      setBusy(true);
      try {
        await document.addAddendum(text.trim());
        clear();
        close();
      } catch (thrown) {
        setRefused(asBridgeError(thrown));
      }
      setBusy(false);
    },
  };
}
