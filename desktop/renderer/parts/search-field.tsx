/** Searches a list during typing. */
import type { ComponentChildren, RefObject } from 'preact';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

export function SearchField({
  label,
  placeholder,
  value,
  onValue,
  clear,
  onKeyDown,
  input = null,
  children,
}: {
  label: string;
  placeholder: string;
  value: string;
  onValue: (value: string) => void;
  /** Label of the button that clears the search. */
  clear: string;
  onKeyDown?: (event: KeyboardEvent) => void;
  input?: RefObject<HTMLInputElement | null> | null;
  /** Shown at the end while nothing is searched for. */
  children?: ComponentChildren;
}) {
  return (
    <div class="search" role="search">
      <Icon name="search" size={16} />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onValue(event.currentTarget.value)}
        {...(onKeyDown && { onKeyDown })}
      />
      {value === '' ? children : <IconButton icon="close" label={clear} onClick={() => onValue('')} />}
    </div>
  );
}
