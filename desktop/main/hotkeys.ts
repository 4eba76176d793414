/** Converts keys of the settings to Electron's accelerators: system-wide, or shown in a menu. */

/** Key names that Electron spells differently. */
const names: Readonly<Record<string, string>> = {
  Mod: 'CommandOrControl',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
};
const modifiers = new Set(['Mod', 'Alt', 'Shift']);
const named =
  /^(?:F([1-9]|1\d|2[0-4])|Space|Enter|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Arrow(Left|Right|Up|Down)|Media\w+)$/;

/** `Mod+Shift+Enter` → `CommandOrControl+Shift+Enter`; `undefined` if Electron has no such key. */
export function toAccelerator(key: string): string | undefined {
  const { held, last } = parse(key);
  if (!held.every((part) => modifiers.has(part))) return undefined;
  // Electron accepts ASCII names only; `+` is called Plus.
  const name =
    last === '+'
      ? 'Plus'
      : named.test(last)
        ? (names[last] ?? last)
        : /^[!-~]$/.test(last)
          ? last.toUpperCase()
          : undefined;
  return name && [...held.map((part) => names[part] ?? part), name].join('+');
}

/**
 * The accelerator of a key that works while other programs have the focus: a function key, or a key with Ctrl (⌘) or
 * Alt. Any other key would be lost to typing in those programs.
 */
export function globalHotkey(key: string): string | undefined {
  const { held, last } = parse(key);
  const isFree = /^(?:F\d+|Media\w+)$/.test(last) || held.includes('Mod') || held.includes('Alt');
  return isFree ? toAccelerator(key) : undefined;
}

/** `Mod++` means Mod and the + key. */
function parse(key: string): { held: string[]; last: string } {
  const parts =
    key.endsWith('+') && key !== '+' ? [...key.slice(0, -2).split('+'), '+'] : key === '+' ? ['+'] : key.split('+');
  const last = parts.at(-1) ?? '';
  return { held: parts.slice(0, -1), last };
}
