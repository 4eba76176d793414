/** The frame of every state of a report: whose it is, the way through it by keyboard, and the place where somebody was. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { keepPlace, takePlace } from '../../state/report/place.ts';
import type { ReportPlace } from '../../state/report/place.ts';
import { items } from '../../state/worklist/worklist.ts';
import { ExamLine } from './exam-line.tsx';
import { fieldId, followWalk, showIn } from './report-walk.ts';

/** `isReady`: the words are there, so the place where somebody was can be found. */
export function ReportPane({
  itemId,
  isReady,
  children,
}: {
  itemId: string;
  isReady: boolean;
  children: ComponentChildren;
}) {
  const pane = useRef<HTMLDivElement>(null);
  const [hasLeft, setHasLeft] = useState(false);
  const item = items.value?.get(itemId);
  useLayoutEffect(() => followWalk(pane.current!, setHasLeft), []);
  useLayoutEffect(() => {
    const keep = (): void => keepPlace(placeIn(pane.current!, itemId));
    addEventListener('pagehide', keep);
    return () => removeEventListener('pagehide', keep);
  }, [itemId]);
  useLayoutEffect(() => {
    const place = isReady ? takePlace(itemId) : null;
    if (place) goTo(pane.current!, place);
  }, [isReady]);
  return (
    <div class="report-pane" ref={pane}>
      {item && <ExamLine item={item} />}
      {children}
      <p class="sr-only" role="status">
        {hasLeft && t('document.walk_left')}
      </p>
    </div>
  );
}

const pageOf = (pane: HTMLElement): HTMLElement | null => pane.querySelector('.document-page');

function placeIn(pane: HTMLElement, itemId: string): ReportPlace {
  const field = document.activeElement;
  const section = field instanceof HTMLTextAreaElement && pane.contains(field) && field.closest('[data-section]');
  return {
    itemId,
    top: pageOf(pane)?.scrollTop ?? 0,
    caret: section
      ? { section: section.getAttribute('data-section')!, start: field.selectionStart, end: field.selectionEnd }
      : null,
  };
}

function goTo(pane: HTMLElement, { top, caret }: ReportPlace): void {
  const field = caret && pane.querySelector(`#${CSS.escape(fieldId(caret.section))}`);
  if (field instanceof HTMLTextAreaElement) showIn(field, caret!.start, caret!.end);
  pageOf(pane)?.scrollTo({ top });
}
