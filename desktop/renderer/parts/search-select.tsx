/**
 * A choice among many that is found by typing: a combobox with a list (ARIA 1.2). The field shows what is chosen, and
 * while somebody types the words that are searched for.
 */
import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { fold } from '../../../src/domain/fold.ts';
import type { Choice } from './field.tsx';
import { Field } from './field.tsx';
import { Icon } from './icon.tsx';

export interface SearchChoice<V extends string> extends Choice<V> {
  /** Additional words that find it. */
  readonly words?: string;
}

export function SearchSelect<V extends string>({
  label,
  value,
  choices,
  none,
  onValue,
}: {
  label: string;
  value: V;
  choices: readonly SearchChoice<V>[];
  /** Shown if the search finds nothing. */
  none: string;
  onValue: (value: V) => void;
}) {
  /** The words that are searched for; `null`: the list is closed. */
  const query = useSignal<string | null>(null);
  const active = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const listId = useId();
  const anchor = { '--anchor': `--search-${listId}` };
  const terms = fold(query.value ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const found = choices.filter(({ label: name, words = '' }) => {
    const text = fold(`${name} ${words}`);
    return terms.every((term) => text.includes(term));
  });
  const isOpen = query.value !== null;
  const chosen = choices.find((choice) => choice.value === value)?.label ?? '';
  useLayoutEffect(() => {
    if (isOpen) list.current?.showPopover();
    else list.current?.hidePopover();
  }, [isOpen]);
  useLayoutEffect(() => {
    if (isOpen) list.current?.children[active.value]?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active.value]);

  const open = (words: string): void => {
    query.value = words;
    active.value =
      words === ''
        ? Math.max(
            choices.findIndex((choice) => choice.value === value),
            0,
          )
        : 0;
  };
  const choose = (choice: SearchChoice<V> | undefined): void => {
    query.value = null;
    if (choice && choice.value !== value) onValue(choice.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = found.length - 1;
    const to = {
      ArrowDown: active.peek() + 1,
      ArrowUp: active.peek() - 1,
      PageDown: active.peek() + 8,
      PageUp: active.peek() - 8,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      if (isOpen) active.value = Math.min(Math.max(to, 0), Math.max(last, 0));
      else open('');
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      if (found.length > 0) choose(found[active.peek()]);
    } else if (event.key === 'Escape' && isOpen) {
      // Not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      query.value = null;
    }
  };
  return (
    <Field label={label}>
      {({ id }) => (
        <span class="select search-select" style={anchor}>
          <input
            id={id}
            class="input"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && found.length > 0 ? `${listId}-${active.value}` : undefined}
            autocomplete="off"
            spellcheck={false}
            value={query.value ?? chosen}
            placeholder={chosen}
            onFocus={(event) => event.currentTarget.select()}
            onClick={() => !isOpen && open('')}
            onInput={(event) => open(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={() => (query.value = null)}
          />
          <Icon name="down" size={16} />
          <ul id={listId} ref={list} class="menu search-list" role="listbox" aria-label={label} popover="manual">
            {isOpen &&
              found.map((choice, at) => (
                <li
                  key={choice.value}
                  id={`${listId}-${at}`}
                  role="option"
                  class="menu-item"
                  aria-selected={choice.value === value}
                  data-active={at === active.value}
                  // The field keeps the focus, and its blur would close the list before the click.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(choice)}
                >
                  <span>{choice.label}</span>
                  {choice.value === value && <Icon name="check" size={16} />}
                </li>
              ))}
            {isOpen && found.length === 0 && <li class="menu-head">{none}</li>}
          </ul>
        </span>
      )}
    </Field>
  );
}
