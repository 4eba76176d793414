import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TypedInput } from '../../../bridge/typed.ts';
import { bridge } from '../../state/bridge.ts';
import { readTyped } from '../../state/report/shelved-words.ts';
import { createKeeper } from '../../state/report/typed.ts';
import type { Keeper } from '../../state/report/typed.ts';

export interface TypedText {
  readonly text: string;
  setText(text: string): void;
  /** Empties the field after the app made the words part of a record, and forgot them. */
  clear(): void;
}

/**
 * A text that the app stores during typing, so that the next page restores it. `isWanted`: whether it can be typed now;
 * each time it can again, the stored text is read.
 */
export function useTyped(kind: TypedInput['kind'], subject: string, isWanted = true): TypedText {
  const [text, show] = useState('');
  const keeper = useRef<Keeper | null>(null);
  // A layout effect: nothing can be typed before it will be stored.
  useLayoutEffect(() => {
    if (!isWanted) return undefined;
    const made = createKeeper(bridge(), { kind, subject });
    keeper.current = made;
    const recall = async (): Promise<void> => {
      const items = await readTyped(bridge());
      const stored = items.find((typed) => typed.kind === kind && typed.subject === subject)?.text ?? '';
      // If the person has typed since, those words stay.
      if (keeper.current === made) show((now) => (now === '' ? stored : now));
    };
    recall().catch(() => undefined);
    return () => {
      keeper.current = null;
      show('');
      made.close();
    };
  }, [kind, subject, isWanted]);
  return {
    text,
    setText(next) {
      show(next);
      keeper.current?.keep(next === '' ? null : { text: next });
    },
    clear: () => show(''),
  };
}
