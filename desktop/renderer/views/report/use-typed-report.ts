import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Section } from '../../../../src/contract/document.ts';
import { bridge } from '../../state/bridge.ts';
import { isBegun } from '../../state/report/typed-report.ts';
import { readTyped } from '../../state/report/shelved-words.ts';
import { createKeeper } from '../../state/report/typed.ts';
import type { Keeper } from '../../state/report/typed.ts';

export interface TypedReport {
  /** The typed sections; `null` until the app has returned those of an earlier page. */
  readonly typed: readonly Section[] | null;
  write(sections: readonly Section[]): void;
  /** Empties the sections after the app made the words part of a record, and forgot them. */
  clear(): void;
  /** Empties the sections, and has the app forget them. */
  forget(): void;
}

/** Sections typed before a record exists, stored with each key. */
export function useTypedReport(itemId: string): TypedReport {
  const [typed, show] = useState<readonly Section[] | null>(null);
  const keeper = useRef<Keeper | null>(null);
  // A layout effect: nothing can be typed before it will be stored.
  useLayoutEffect(() => {
    const made = createKeeper(bridge(), { kind: 'text', subject: itemId });
    keeper.current = made;
    const recall = async (): Promise<void> => {
      const items = await readTyped(bridge());
      const stored = items.find(({ kind, subject }) => kind === 'text' && subject === itemId);
      // An earlier version stored one text.
      const sections = stored?.sections ?? (stored?.text ? [{ key: 'findings', title: '', text: stored.text }] : []);
      if (keeper.current === made) show((now) => now ?? sections);
    };
    recall().catch(() => keeper.current === made && show((now) => now ?? []));
    return () => {
      keeper.current = null;
      show(null);
      made.close();
    };
  }, [itemId]);
  return {
    typed,
    write(sections) {
      show(sections);
      keeper.current?.keep(isBegun(sections) ? { sections: [...sections] } : null);
    },
    clear: () => show([]),
    forget() {
      show([]);
      keeper.current?.keep(null);
    },
  };
}
