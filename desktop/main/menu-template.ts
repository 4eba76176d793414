/** The menus, as data. Roles provide each system's behaviour; the labels are ours, in the person's language. */
import type { MenuItemConstructorOptions } from 'electron';
import type { Action } from '../bridge/keys.ts';
import type { AppSettings } from '../bridge/settings.ts';
import { toAccelerator, globalHotkey } from './hotkeys.ts';
import type { Words } from './shell-words.ts';

/** A command of a menu item to the shell. */
export type Command = { readonly action: Action } | 'lock' | 'show' | 'update' | 'quit';

export interface MenuFacts {
  readonly words: Words;
  readonly platform: NodeJS.Platform;
  readonly keys: AppSettings['keys'];
  /** Whether a person is logged in and the screen is not locked. */
  readonly isOpen: boolean;
  /** Whether a new version is ready to be installed. */
  readonly hasUpdate: boolean;
  readonly run: (command: Command) => void;
}

const line: MenuItemConstructorOptions = { type: 'separator' };

export function menuTemplate({
  words,
  platform,
  keys,
  isOpen,
  hasUpdate,
  run,
}: MenuFacts): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const act = (action: Action & keyof Words, label = words[action]): MenuItemConstructorOptions => ({
    label,
    enabled: isOpen,
    ...shownKey(keys[action]),
    click: () => run({ action }),
  });
  const lock: MenuItemConstructorOptions = { label: words.lock, enabled: isOpen, click: () => run('lock') };
  const update: MenuItemConstructorOptions[] = hasUpdate ? [{ label: words.update, click: () => run('update') }] : [];
  const own: MenuItemConstructorOptions = isMac
    ? {
        label: 'Laudio',
        submenu: [
          { role: 'about', label: words.about },
          ...update,
          line,
          lock,
          line,
          { role: 'hide', label: words.hide },
          { role: 'hideOthers', label: words.hideOthers },
          { role: 'unhide', label: words.unhide },
          line,
          { role: 'quit', label: words.quit },
        ],
      }
    : { label: words.file, submenu: [lock, ...update, line, { role: 'quit', label: words.quit }] };
  return [
    own,
    {
      label: words.edit,
      submenu: [
        { role: 'undo', label: words.undo },
        { role: 'redo', label: words.redo },
        line,
        { role: 'cut', label: words.cut },
        { role: 'copy', label: words.copy },
        { role: 'paste', label: words.paste },
        { role: 'selectAll', label: words.selectAll },
      ],
    },
    { label: words.dictation, submenu: [act('record'), act('generate'), act('sign'), line, act('search')] },
    // No "reload": it would end a running take.
    {
      label: words.view,
      submenu: [
        { role: 'zoomIn', label: words.zoomIn },
        { role: 'zoomOut', label: words.zoomOut },
        { role: 'resetZoom', label: words.resetZoom },
        line,
        { role: 'togglefullscreen', label: words.fullScreen },
      ],
    },
    {
      label: words.window,
      role: 'window',
      submenu: [
        { role: 'minimize', label: words.minimize },
        { role: 'close', label: words.close },
      ],
    },
    {
      label: words.help,
      role: 'help',
      submenu: [act('help', words.keys), ...(isMac ? [] : [{ role: 'about', label: words.about } as const])],
    },
  ];
}

/** Shows a key only if it types no text. The page itself handles it. */
function shownKey(key: string): Pick<MenuItemConstructorOptions, 'accelerator' | 'registerAccelerator'> {
  const accelerator = globalHotkey(key) === undefined ? undefined : toAccelerator(key);
  return accelerator === undefined ? {} : { accelerator, registerAccelerator: false };
}

export interface TrayFacts {
  readonly words: Words;
  readonly recording: boolean;
  readonly run: (command: Command) => void;
}

/** The first line shows the state in words, since a small icon alone is easily misread. */
export const trayTemplate = ({ words, recording, run }: TrayFacts): MenuItemConstructorOptions[] => [
  { label: recording ? words.recording : words.ready, enabled: false },
  line,
  { label: words.show, click: () => run('show') },
  { label: words.quit, click: () => run('quit') },
];
