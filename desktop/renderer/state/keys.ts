/**
 * The keyboard: which key has which action (AppSettings.keys), and which handler runs. A view calls `onKey('record',
 * …)`; the last view to call it gets the key. Independent of the DOM: views/app/ passes the events on.
 */
import { signal } from '@preact/signals';
import { defaultKeys } from '../../bridge/keys.ts';
import type { Action } from '../../bridge/keys.ts';

/** The fields of a keyboard event that this module reads. */
export interface KeyStroke {
  readonly key: string;
  /** The physical key, named by its character on a US keyboard: `KeyC`. Absent: unknown. */
  readonly code?: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Where the key was pressed: in a text field, on a control that Enter and Space activate, or elsewhere. */
export type Place = 'text' | 'control' | 'page';

const modifiers = new Set([
  'Control',
  'Meta',
  'Alt',
  'Shift',
  'AltGraph',
  'CapsLock',
  'Dead',
  'Process',
  'Unidentified',
]);

/**
 * The character of a key without Alt: on a Mac, Alt turns letters and digits into other characters (`ç` from C) and
 * dead keys. Ctrl and Alt held together are AltGr, whose character counts.
 */
function readCharacter({ key, code = '', altKey, ctrlKey }: KeyStroke): string {
  const [, plain] = /^(?:Key|Digit)([A-Z0-9])$/.exec(code) ?? [];
  const isOther = key === 'Dead' || (key.length === 1 && !/^[a-z0-9]$/i.test(key));
  return plain !== undefined && altKey && !ctrlKey && isOther ? plain.toLowerCase() : key;
}

/** `Mod+Shift+Enter`, `Space`, `j`, `?` …; `undefined` while only modifiers are held. Mod: Ctrl, on a Mac ⌘. */
export function formatKey(stroke: KeyStroke): string | undefined {
  const key = readCharacter(stroke);
  if (modifiers.has(key)) return undefined;
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  // The character already shows Shift (`?`); a letter does not, so `Shift` is written.
  const isSign = key.length === 1 && key !== ' ' && !isLetter;
  const name = key === ' ' ? 'Space' : isLetter ? key.toLowerCase() : key;
  const held = [
    (stroke.ctrlKey || stroke.metaKey) && 'Mod',
    // On many keyboards AltGr types symbols: Ctrl and Alt held together for a symbol mean that symbol.
    stroke.altKey && !(isSign && stroke.ctrlKey) && 'Alt',
    stroke.shiftKey && !isSign && 'Shift',
  ].filter((part) => part !== false);
  if (isSign && stroke.altKey && stroke.ctrlKey) held.shift();
  return [...held, name].join('+');
}

/** Keys that cannot be chosen: those of the platform and those that navigate a page. */
export const reservedKeys: readonly string[] = [
  'Tab',
  'Shift+Tab',
  'Escape',
  'Mod+c',
  'Mod+v',
  'Mod+x',
  'Mod+a',
  'Mod+w',
  'Mod+q',
  'Mod+t',
  'Mod+n',
  'Mod+r',
];

export type Keys = Readonly<Record<Action, string>>;
export const keys = signal<Keys>(defaultKeys);

/** The action of this key, if any, other than `except`. */
export const findAction = (key: string, table: Keys = keys.value, except?: Action): Action | undefined =>
  (Object.keys(table) as Action[]).find((action) => action !== except && table[action] === key);

type Handler = () => void;
const handlers = new Map<Action, Handler[]>();

/** Handles an action until the returned function is called. If there are several handlers, the last one runs. */
export const onKey = (action: Action, handler: Handler): (() => void) =>
  answer(action, handler, (stack) => stack.push(handler));

/** Handles an action that has no other handler. */
export const onKeyOtherwise = (action: Action, handler: Handler): (() => void) =>
  answer(action, handler, (stack) => stack.unshift(handler));

function answer(action: Action, handler: Handler, add: (stack: Handler[]) => void): () => void {
  const stack = handlers.get(action) ?? [];
  handlers.set(action, stack);
  add(stack);
  return () => {
    const at = stack.lastIndexOf(handler);
    if (at >= 0) stack.splice(at, 1);
  };
}

/** Runs the action of a key. `true`: a handler ran, so the browser's default must be prevented. */
export function dispatchKey(stroke: KeyStroke, place: Place): boolean {
  const key = formatKey(stroke);
  if (key === undefined) return false;
  const withModifier = key.startsWith('Mod+') || key.startsWith('Alt+') || /^F\d/.test(key);
  if (place === 'text' && (!withModifier || isTextKey(key))) return false;
  if (place === 'control' && ['Enter', 'Space', 'ArrowLeft', 'ArrowRight'].includes(key)) return false;
  const action = findAction(key) ?? otherKeys[key];
  return action !== undefined && perform(action);
}

/** Runs an action, whatever triggered it. `true`: a handler ran, or the other window has it. */
export const perform = (action: Action): boolean => performHere(action) || passOn(action);

/** Runs an action in this window. `true`: a handler ran. */
export function performHere(action: Action): boolean {
  const handler = handlers.get(action)?.at(-1);
  handler?.();
  return handler !== undefined;
}

let passOn: (action: Action) => boolean = () => false;
/** Sets what passes an action without a handler to another window; it returns whether there is one. */
export const setPassOn = (pass: (action: Action) => boolean): void => void (passOn = pass);

/** Secondary keys that are customary for an action. A key that the person assigns to another action wins. */
const otherKeys: Readonly<Record<string, Action>> = { 'Mod+y': 'redo' };

/** In a text field, undo and redo belong to the text. */
const isTextKey = (key: string): boolean => ['Mod+z', 'Mod+Shift+z', 'Mod+y'].includes(key);

const signs: Readonly<Record<string, string>> = {
  Enter: '↵',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Backspace: '⌫',
  Delete: 'Del',
};

/** A key as keyboards label it. `words`: the names of Space and Shift. */
export function shownKey(key: string, isMac: boolean, words: { space: string }): string {
  if (key === '+') return '+';
  return key
    .split('+')
    .map((part) => {
      if (part === 'Mod') return isMac ? '⌘' : 'Ctrl';
      if (part === 'Shift') return isMac ? '⇧' : 'Shift';
      if (part === 'Alt') return isMac ? '⌥' : 'Alt';
      if (part === 'Space') return words.space;
      return signs[part] ?? (part.length === 1 ? part.toUpperCase() : part);
    })
    .join(isMac ? '' : ' ');
}
