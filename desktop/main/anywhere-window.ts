/** The small window of a dictation into another program, the system's clipboard, and its paste key. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BrowserWindow, clipboard, ClipboardItem, screen } from 'electron';
import { anywherePlace } from '../bridge/anywhere.ts';
import { choosePasteProgram } from './anywhere.ts';
import type { ClipboardPort } from './anywhere.ts';
import { pageAddress } from './deep-link.ts';
import { webPreferences } from './guards.ts';
import { builtPreload } from './window.ts';

const size = { width: 420, height: 176 } as const;
/** Pixels between the window and the bottom of the screen. */
const margin = 48;
/** Milliseconds that the system has to press a key. */
const patience = 5000;

/** Opens the window on the screen with the pointer. It never takes the focus, which belongs to the other program. */
export function openSmallWindow(closed: () => void): BrowserWindow {
  const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
  const window = new BrowserWindow({
    title: 'Laudio',
    ...size,
    x: Math.round(workArea.x + (workArea.width - size.width) / 2),
    y: workArea.y + workArea.height - size.height - margin,
    show: false,
    frame: false,
    resizable: false,
    focusable: false,
    skipTaskbar: true,
    alwaysOnTop: true,
    fullscreenable: false,
    backgroundColor: '#141717',
    webPreferences: { ...webPreferences, preload: builtPreload },
  });
  window.once('ready-to-show', () => window.showInactive());
  window.once('closed', closed);
  window.webContents.once('render-process-gone', () => window.destroy());
  void window.loadURL(pageAddress(anywherePlace)).catch(() => window.destroy());
  return window;
}

/** The system's clipboard, with all formats that can be read. */
export const systemClipboard: ClipboardPort<readonly ClipboardItem[]> = {
  async read() {
    // The text is inserted even if the clipboard can't be read.
    const items = await clipboard.read().catch(() => []);
    const copies = await Promise.all(items.map(copyItem));
    return copies.filter(({ types }) => types.length > 0);
  },
  // Windows may give back other line breaks.
  text: async () => (await clipboard.readText()).replaceAll('\r\n', '\n'),
  write: (text) => clipboard.writeText(text),
  async restore(items) {
    if (items.length === 0) clipboard.clear();
    else await clipboard.write([...items]);
  },
};

/** An item is read when it is asked for: a copy has its data before the clipboard gets another content. */
async function copyItem(item: ClipboardItem): Promise<ClipboardItem> {
  const data = await Promise.all(
    item.types.map(async (type) => [type, await item.getType<string>(type).catch(() => undefined)] as const),
  );
  return new ClipboardItem(
    Object.fromEntries(data.flatMap(([type, content]) => (content === undefined ? [] : [[type, content]]))),
  );
}

const run = promisify(execFile);

export async function pressPaste(platform: NodeJS.Platform): Promise<boolean> {
  const program = choosePasteProgram(platform, process.env);
  if (!program) return false;
  return run(program.file, program.args, { timeout: patience, windowsHide: true }).then(
    () => true,
    () => false,
  );
}
