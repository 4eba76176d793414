/**
 * A list of rows with one of them open next to it: arrow keys move between rows, and long lists are rendered partially.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ComponentChildren, RefObject } from 'preact';
import { Button } from './button.tsx';

/** Number of rows rendered initially: people with more rows search. */
const initialRows = 150;

const rowsOf = (list: HTMLUListElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('.wordbook-row') ?? []),
];

/** Moves the focus to the first row. */
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
  /** The search terms: another search starts the list from the top. */
  search: unknown;
  /** Id of the open row. */
  open: string | null;
  /** Label of the button that shows the rest. */
  more: (rest: number) => string;
  /** Rows above the items. */
  before?: ComponentChildren;
  /** `tab`: the `tabIndex` of the row. */
  row: (item: Item, tab: number) => ComponentChildren;
}) {
  const drawn = useSignal({ search, count: initialRows });
  const openAt = items.findIndex(({ id }) => id === open);
  // The open row is among those rendered.
  const count = Math.max(openAt + 1, drawn.value.search === search ? drawn.value.count : initialRows);
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
    <ul ref={list} class="wordbook-rows" onKeyDown={move}>
      {before}
      {items.slice(0, count).map((item) => (
        <li key={item.id}>{row(item, item.id === first ? 0 : -1)}</li>
      ))}
      {items.length > count && (
        <li>
          <Button kind="bare" wide onClick={() => (drawn.value = { search, count: items.length })}>
            {more(items.length - count)}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** A row: its name, its properties (`children`), and a line of its text. */
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
    <button type="button" class="wordbook-row" tabIndex={tab} aria-current={isOpen} onClick={onOpen}>
      <strong>{name}</strong>
      <span class="wordbook-facts">{children}</span>
      <span class="wordbook-line">{line}</span>
    </button>
  );
}
