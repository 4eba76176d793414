/** Keys of the settings as Electron takes them: for the whole system, or shown beside a line of a menu. */

/** Names that differ from Electron's. */
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

/** `Mod+Shift+Enter` → `CommandOrControl+Shift+Enter`; `undefined` where Electron has no such key. */
export function acceleratorOf(key: string): string | undefined {
  const { held, last } = parse(key);
  if (!held.every((part) => modifiers.has(part))) return undefined;
  // Electron's names are of ASCII; `+` is called Plus.
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
 * The accelerator of a key that may work while other programs have the keyboard: a function key, or one with Ctrl (⌘) or
 * Alt. Any other would be taken away from everybody's typing.
 */
export function globalHotkey(key: string): string | undefined {
  const { held, last } = parse(key);
  const isFree = /^(?:F\d+|Media\w+)$/.test(last) || held.includes('Mod') || held.includes('Alt');
  return isFree ? acceleratorOf(key) : undefined;
}

/** `Mod++` is Mod and the sign +. */
function parse(key: string): { held: string[]; last: string } {
  const parts =
    key.endsWith('+') && key !== '+' ? [...key.slice(0, -2).split('+'), '+'] : key === '+' ? ['+'] : key.split('+');
  const last = parts.at(-1) ?? '';
  return { held: parts.slice(0, -1), last };
}
