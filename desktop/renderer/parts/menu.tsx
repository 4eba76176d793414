/** A menu: a button with a native popover, which Escape and a click outside close. */
import { useId, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly keyHint?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly run: () => void;
}

/** `items`: `'line'` is a separator between groups. `head` is shown above the items. */
export function Menu({
  label,
  button,
  framed = false,
  items,
  head,
}: {
  label: string;
  button: ComponentChildren;
  framed?: boolean;
  items: readonly (MenuItem | 'line')[];
  head?: ComponentChildren;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const anchor = { '--anchor': `--menu-${id}` };

  /** Arrow keys wrap around; Home and End go to the ends. */
  const move = (event: KeyboardEvent): void => {
    const entries = [...(list.current?.querySelectorAll<HTMLButtonElement>('[role=menuitem]:not(:disabled)') ?? [])];
    const at = entries.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (to === undefined || entries.length === 0) return;
    event.preventDefault();
    entries[(to + entries.length) % entries.length]?.focus();
  };

  return (
    <>
      <button
        type="button"
        class={framed ? 'icon-button icon-button-framed menu-button' : 'icon-button menu-button'}
        style={anchor}
        aria-label={label}
        aria-haspopup="menu"
        title={label}
        popovertarget={id}
      >
        {button}
      </button>
      <div
        id={id}
        ref={list}
        class="menu"
        style={anchor}
        popover="auto"
        onKeyDown={move}
        onToggle={(event) => {
          if (event.newState === 'open') list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
        }}
      >
        {head !== undefined && <div class="menu-head">{head}</div>}
        <div role="menu" aria-label={label}>
          {items.map((item, at) =>
            item === 'line' ? (
              <hr key={at} role="separator" />
            ) : (
              <button
                key={item.label}
                type="button"
                role="menuitem"
                tabIndex={-1}
                class={item.danger === true ? 'menu-item menu-item-danger' : 'menu-item'}
                disabled={item.disabled}
                onClick={() => {
                  list.current?.hidePopover();
                  item.run();
                }}
              >
                {item.icon !== undefined && <Icon name={item.icon} />}
                <span>{item.label}</span>
                {item.keyHint !== undefined && <kbd aria-hidden="true">{item.keyHint}</kbd>}
              </button>
            ),
          )}
        </div>
      </div>
    </>
  );
}
