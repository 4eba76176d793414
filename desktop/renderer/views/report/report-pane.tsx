/** The frame of every state of a report: its exam, keyboard navigation, and the restored position. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { keepPlace, leavePlace, takePlace } from '../../state/report/place.ts';
import type { ReportPlace } from '../../state/report/place.ts';
import type { Choices } from '../../state/recorder/report-choices.ts';
import { items } from '../../state/worklist/worklist.ts';
import { ExamLine } from './exam-line.tsx';
import { followMeasurements } from './insert-measurement.ts';
import { OfferList } from './offer-list.tsx';
import { fieldId, followNavigation, showIn } from './keyboard-navigation.ts';
import { useBasis } from './use-basis.ts';
import { mounted } from '../../parts/mounted.ts';

export function ReportPane({
  itemId,
  choices,
  children,
}: {
  itemId: string;
  /** Language and template of the report that is shown, or will be. */
  choices: Choices;
  children: ComponentChildren;
}) {
  const basis = useBasis(itemId, choices);
  const pane = useRef<HTMLDivElement>(null);
  const [hasLeft, setHasLeft] = useState(false);
  const item = items.value?.get(itemId);
  useLayoutEffect(() => followNavigation(mounted(pane), setHasLeft), []);
  useLayoutEffect(() => {
    const keep = (): void => keepPlace(placeIn(mounted(pane), itemId));
    addEventListener('pagehide', keep);
    const shown = mounted(pane);
    return () => {
      removeEventListener('pagehide', keep);
      leavePlace(placeIn(shown, itemId));
    };
  }, [itemId]);
  useLayoutEffect(() => goBack(mounted(pane), takePlace(itemId)), []);
  const { language } = choices;
  useLayoutEffect(() => followMeasurements(mounted(pane), { itemId, language }), [itemId, language]);
  return (
    <div class="report-pane" ref={pane}>
      {item && <ExamLine item={item} />}
      {children}
      <OfferList pane={pane} macros={basis?.macros ?? []} />
      <p class="sr-only" role="status">
        {hasLeft && t('document.walk_left')}
      </p>
    </div>
  );
}

const pageOf = (pane: HTMLElement): HTMLElement | null => pane.querySelector('.document-page');

function placeIn(pane: HTMLElement, itemId: string): ReportPlace {
  const field = document.activeElement;
  const isText = field instanceof HTMLTextAreaElement && pane.contains(field);
  const section = isText && field.closest<HTMLElement>('[data-section]')?.dataset['section'];
  return {
    itemId,
    top: pageOf(pane)?.scrollTop ?? 0,
    caret: section ? { section, start: field.selectionStart, end: field.selectionEnd } : null,
  };
}

/** Restores the position once its text exists, unless the person moves first. */
function goBack(pane: HTMLElement, place: ReportPlace | null): (() => void) | undefined {
  if (place === null) return undefined;
  const { top, caret } = place;
  const look = (): void => {
    const page = pageOf(pane);
    if (!page) return;
    if (caret) {
      const field = pane.querySelector(`#${CSS.escape(fieldId(caret.section))}`);
      if (!(field instanceof HTMLTextAreaElement) || field.value.length < caret.end) return;
      showIn(field, caret.start, caret.end);
    }
    end();
    page.scrollTo({ top });
  };
  const observer = new MutationObserver(look);
  const end = (): void => {
    observer.disconnect();
    for (const name of acts) removeEventListener(name, end, { capture: true });
  };
  for (const name of acts) addEventListener(name, end, { capture: true });
  observer.observe(pane, { childList: true, subtree: true });
  look();
  return end;
}
const acts = ['keydown', 'pointerdown'] as const;
