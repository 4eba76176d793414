/**
 * Dictation into other programs: a small window records, and its text reaches the program that has the focus by the
 * clipboard. Independent of Electron.
 */
import { createOrder } from '../../src/domain/in-order.ts';
import type { InsertionWay } from '../bridge/anywhere.ts';
import type { Insertion } from '../app/device/visit.ts';

/** The window that shows level, words and state. It never takes the focus from the other program. */
export interface SmallWindow {
  /** Passes the key on to the page: it records, or ends the recording. */
  press(): void;
  close(): void;
}

export interface ClipboardPort<Content> {
  read(): Promise<Content>;
  text(): Promise<string>;
  write(text: string): Promise<void>;
  restore(content: Content): Promise<void>;
}

export interface AnywherePorts<Content> {
  /** Opens the window, whose page records as soon as it is there. `closed` is called once it is gone, however. */
  open(closed: () => void): SmallWindow;
  readonly clipboard: ClipboardPort<Content>;
  /** Presses the paste key of the system. `false`: the system or its settings don't allow that. */
  paste(): Promise<boolean>;
}

export interface Anywhere extends Insertion {
  readonly isOpen: boolean;
  /** The key was pressed. */
  press(): void;
  /** Resolves when the clipboard has its previous content, unless something else was copied. */
  settled(): Promise<void>;
}

export function createAnywhere<Content>({ open, clipboard, paste }: AnywherePorts<Content>): Anywhere {
  let window: SmallWindow | undefined;
  /** The inserted text, and the content that the clipboard gets back. */
  let lent: { readonly text: string; readonly before: Content } | undefined;
  const inOrder = createOrder();
  const isOurs = async (): Promise<boolean> => lent !== undefined && (await clipboard.text()) === lent.text;
  const restore = async (): Promise<void> => {
    // Something that was copied meanwhile is newer than both.
    if (lent && (await isOurs())) await clipboard.restore(lent.before);
    lent = undefined;
  };
  return {
    get isOpen() {
      return window !== undefined;
    },
    press() {
      if (window) return window.press();
      window = open(() => {
        window = undefined;
        void inOrder(restore).catch(() => undefined);
      });
    },
    insert: (text) =>
      inOrder(async (): Promise<InsertionWay> => {
        lent = { text, before: lent && (await isOurs()) ? lent.before : await clipboard.read() };
        await clipboard.write(text);
        return (await paste()) ? 'inserted' : 'copied';
      }),
    close: () => window?.close(),
    settled: inOrder.idle,
  };
}

/** A program of the system that presses the paste key. The text itself is in no argument: it is in the clipboard. */
export interface PasteProgram {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * `undefined`: there is none. Wayland lets no program press keys in another; macOS asks the person for a permission, and
 * X11 needs xdotool: without them the program fails.
 */
export function choosePasteProgram(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): PasteProgram | undefined {
  if (platform === 'win32') {
    const keys = "(New-Object -ComObject WScript.Shell).SendKeys('^v')";
    const file = `${env['SystemRoot'] ?? String.raw`C:\Windows`}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
    return { file, args: ['-NoProfile', '-NonInteractive', '-WindowStyle', 'Hidden', '-Command', keys] };
  }
  if (platform === 'darwin') {
    const script = 'tell application "System Events" to keystroke "v" using command down';
    return { file: '/usr/bin/osascript', args: ['-e', script] };
  }
  const isX11 = env['DISPLAY'] !== undefined && env['WAYLAND_DISPLAY'] === undefined;
  return isX11 ? { file: 'xdotool', args: ['key', '--clearmodifiers', 'ctrl+v'] } : undefined;
}
