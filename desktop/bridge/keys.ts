/** Actions that have a key, and the key of each until the person sets another. `Mod` is Ctrl, on a Mac ⌘. */
export const defaultKeys = {
  record: 'Space',
  generate: 'Mod+Enter',
  search: '/',
  next: 'j',
  previous: 'k',
  open: 'Enter',
  rewind: 'ArrowLeft',
  play: 'p',
  undo: 'Mod+z',
  redo: 'Mod+Shift+z',
  sign: 'Mod+Shift+Enter',
  next_exam: 'Alt+ArrowDown',
  listen: 'Alt+Enter',
  to_findings: 'F2',
  to_impression: 'F4',
  to_correction: 'F8',
  to_versions: 'F9',
  macros: 'm',
  help: '?',
} as const;
export type Action = keyof typeof defaultKeys;
