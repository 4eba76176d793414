import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Section } from '../../../../src/contract/document.ts';
import { bridge } from '../../state/bridge.ts';
import { isBegun } from '../../state/report/begun-report.ts';
import { readTyped } from '../../state/report/shelved-words.ts';
import { createKeeper } from '../../state/report/typed.ts';
import type { Keeper } from '../../state/report/typed.ts';

export interface BegunReport {
  /** What was typed; `null` until the app has said what an earlier page kept. */
  readonly typed: readonly Section[] | null;
  write(sections: readonly Section[]): void;
  /** Empties the sections; the app has already forgotten the words that it made part of a document. */
  clear(): void;
  /** Empties the sections, and has the app forget them. */
  forget(): void;
}

/** What somebody types into the sections of a report that is no document yet, stored with each key. */
export function useBegun(itemId: string): BegunReport {
  const [typed, show] = useState<readonly Section[] | null>(null);
  const keeper = useRef<Keeper | null>(null);
  // A layout effect: no letter is typed before there is somebody to keep it.
  useLayoutEffect(() => {
    const made = createKeeper(bridge(), { kind: 'text', subject: itemId });
    keeper.current = made;
    const recall = async (): Promise<void> => {
      const items = await readTyped(bridge());
      const stored = items.find(({ kind, subject }) => kind === 'text' && subject === itemId);
      // A page of an earlier version kept one text.
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
