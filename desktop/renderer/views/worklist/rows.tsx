/** The rows, of which only visible ones are rendered. A listbox: one Tab stop, with arrow keys inside. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { clockTime, dayOf, shortDate, today, wallTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { hour } from '../../state/time/now.ts';
import { isOpen, readPriority } from '../../../../src/domain/worklist-order.ts';
import { Icon } from '../../parts/icon.tsx';
import { isCritical } from '../../state/critical.ts';
import { openItem, openItemId } from '../../state/route.ts';
import { cursorId, isWhole, listView, moveCursor, openAtCursor } from '../../state/worklist/worklist.ts';
import type { Heading } from '../../../../src/domain/worklist-order.ts';
import { isStarred } from '../../state/worklist/saved-lists.ts';
import { DueChip } from './due-chip.tsx';
import { RowWordText, rowWords } from './row-word.tsx';
import { computeHeights, scrollTo, visibleRows } from '../../state/worklist/windowing.ts';

/** In px; style/worklist.css has the same height. */
const heights = { heading: 34, item: 54 } as const;
/** Extra height beyond the edges in px, so that fast scrolling shows no gap. */
const spare = 320;

export function Rows({ element }: { element: RefObject<HTMLDivElement | null> }) {
  const { rows, items } = listView.value;
  const tops = useMemo(() => computeHeights(rows, (row) => heights[row.kind]), [rows]);
  const [box, setBox] = useState({ scroll: 0, height: 800 });
  const cursor = cursorId.value;

  useLayoutEffect(() => {
    const list = element.current;
    if (list === null) return undefined;
    const measure = () => setBox({ scroll: list.scrollTop, height: list.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    list.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      list.removeEventListener('scroll', measure);
    };
  }, [element]);

  // Scrolls only when the cursor moves: a list that updates must not jump while it is being read.
  const latest = useRef({ rows, tops });
  latest.current = { rows, tops };
  useEffect(() => {
    const list = element.current;
    const row = latest.current.rows.findIndex((each) => each.kind === 'item' && each.item.id === cursor);
    const to =
      list === null || row < 0 ? undefined : scrollTo(latest.current.tops, row, list.scrollTop, list.clientHeight);
    if (to !== undefined) list?.scrollTo({ top: to });
  }, [cursor, element]);

  const position = useMemo(() => new Map(items.map((item, at) => [item.id, at + 1])), [items]);
  const { first, end } = visibleRows(tops, box.scroll, box.height, spare);
  const shown = rows.slice(first, end);
  const isShown = shown.some((row) => row.kind === 'item' && row.item.id === cursor);
  return (
    <div
      ref={element}
      class="rows"
      role="listbox"
      tabIndex={0}
      aria-label={t('worklist.list')}
      aria-activedescendant={isShown && cursor !== null ? rowId(cursor) : undefined}
      onKeyDown={onListKey}
      onFocus={onListFocus}
    >
      <div role="presentation" style={{ height: `${tops.tops.at(-1) ?? 0}px` }}>
        <div role="presentation" style={{ transform: `translateY(${tops.tops[first] ?? 0}px)` }}>
          {shown.map((row) =>
            row.kind === 'heading' ? (
              <div key={headingKey(row.heading)} class="row-heading" role="presentation">
                <span>{headingText(row.heading)}</span>
                <span>{isWhole.value && row.count}</span>
              </div>
            ) : (
              <ItemRow key={row.item.id} item={row.item} at={position.get(row.item.id) ?? 1} of={items.length} />
            ),
          )}
        </div>
      </div>
    </div>
  );
}

const rowId = (id: string): string => `row-${id}`;
const pageRows = 8;
const moves: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: pageRows,
  PageUp: -pageRows,
  Home: -Infinity,
  End: Infinity,
};

/** A keyboard user starts on a row; under a mouse that is about to click, nothing may scroll. */
function onListFocus(event: FocusEvent & { readonly currentTarget: HTMLElement }): void {
  if (cursorId.peek() === null && event.currentTarget.matches(':focus-visible')) moveCursor(1);
}

function onListKey(event: KeyboardEvent): void {
  const by = moves[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (by !== undefined) moveCursor(by);
  else if (event.key === 'Enter') openAtCursor();
  else return;
  event.preventDefault();
}

const headingKey = (heading: Heading): string =>
  typeof heading === 'string' ? heading : `in ${heading.hospital ?? ''}`;
const headingText = (heading: Heading): string =>
  typeof heading === 'string' ? t(`worklist.${heading}`) : (heading.hospital ?? t('worklist.no_hospital'));

function ItemRow({ item, at, of }: { item: WorklistItem; at: number; of: number }) {
  const wall = wallTime(item.exam_datetime);
  const isToday = dayOf(wall) === today(hour.value);
  const isWaiting = isOpen(item);
  const where = readPriority(item) < 2 && isWaiting ? (item.location ?? item.hospital_name) : null;
  const words = rowWords(item);
  const classes = ['row', !isWaiting && 'row-done', item.status === 'cancelled' && 'row-cancelled'];
  if (cursorId.value === item.id) classes.push('row-cursor');
  return (
    <div
      id={rowId(item.id)}
      class={classes.filter(Boolean).join(' ')}
      role="option"
      aria-selected={openItemId.value === item.id}
      aria-setsize={of}
      aria-posinset={at}
      onClick={() => {
        cursorId.value = item.id;
        openItem(item.id);
      }}
    >
      <span class="row-time">
        {clockTime(wall)}
        {!isToday && <small>{shortDate(wall, hour.value)}</small>}
      </span>
      <span class="row-name">
        {isStarred(item.id) && <Icon name="star" size={12} />}
        {isStarred(item.id) && <span class="sr-only">{t('worklist.starred')}, </span>}
        {isCritical(item.id) && (
          <span class="row-critical" title={t('worklist.critical')}>
            <Icon name="warn" size={14} />
            <span class="sr-only">{t('worklist.critical')}</span>
          </span>
        )}
        {item.display_name}
      </span>
      <span class="row-what">
        {isWaiting && <DueChip item={item} isShort={words !== null} />}
        <span class="modality">{item.modality}</span>
        <span class="row-exam">{where == null ? item.exam_description : `${item.exam_description}, ${where}`}</span>
      </span>
      {words && <RowWordText {...words} />}
    </div>
  );
}
