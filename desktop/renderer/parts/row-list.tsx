/** A list of rows, one of which is open beside it: arrow keys go from row to row, and of many rows not all are drawn. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ComponentChildren, RefObject } from 'preact';
import { Button } from './button.tsx';

/** Rows that are drawn at once: whoever has more of them searches. */
const mostRows = 150;

const rowsOf = (list: HTMLUListElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('.owned-row') ?? []),
];

/** Puts the keyboard on the first row. */
export const enterRows = (list: HTMLUListElement | null): void => rowsOf(list)[0]?.focus();

export function RowList<Item extends { readonly id: string }>({
  list,
  items,
  search,
  open,
  more,
  before,
  row,
}: {
  list: RefObject<HTMLUListElement | null>;
  items: readonly Item[];
  /** What the items were searched by: with another search the list begins anew. */
  search: unknown;
  /** Id of the open one. */
  open: string | null;
  /** Words of the button that draws the rest. */
  more: (rest: number) => string;
  /** Rows above the items. */
  before?: ComponentChildren;
  /** `tab`: the `tabIndex` of the row. */
  row: (item: Item, tab: number) => ComponentChildren;
}) {
  const drawn = useSignal({ search, most: mostRows });
  const openAt = items.findIndex(({ id }) => id === open);
  // The open one is among those that are drawn.
  const most = Math.max(openAt + 1, drawn.value.search === search ? drawn.value.most : mostRows);
  const first = (items[openAt] ?? items[0])?.id;
  const move = (event: KeyboardEvent): void => {
    const all = rowsOf(list.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[Math.min(Math.max(to, 0), all.length - 1)]?.focus();
  };
  useEffect(() => {
    list.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' });
  }, [open, items]);
  return (
    <ul ref={list} class="owned-rows" onKeyDown={move}>
      {before}
      {items.slice(0, most).map((item) => (
        <li key={item.id}>{row(item, item.id === first ? 0 : -1)}</li>
      ))}
      {items.length > most && (
        <li>
          <Button kind="bare" wide onClick={() => (drawn.value = { search, most: items.length })}>
            {more(items.length - most)}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** A row: its name, what is to know of it (`children`), and a line of its text. */
export function ListRow({
  name,
  line,
  isOpen,
  tab,
  onOpen,
  children,
}: {
  name: string;
  line: string;
  isOpen: boolean;
  tab: number;
  onOpen: () => void;
  children: ComponentChildren;
}) {
  return (
    <button type="button" class="owned-row" tabIndex={tab} aria-current={isOpen} onClick={onOpen}>
      <strong>{name}</strong>
      <span class="owned-facts">{children}</span>
      <span class="owned-line">{line}</span>
    </button>
  );
}
