/** The shell put together, with a stand-in for Electron: everything else is real. Electron itself: electron.test.ts. */
import { textOf } from '../../../src/contract/messages/message.ts';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultKeys } from '../../../desktop/bridge/keys.ts';
import { ipc } from '../../../desktop/bridge/carriers.ts';
import type { AppSettings } from '../../../desktop/bridge/settings.ts';
import type { IpcAnswer } from '../../../desktop/bridge/carriers.ts';
import type { Shell } from '../../../desktop/main/shell.ts';
import type { Updater } from '../../../desktop/main/updates.ts';
import { examFields } from '../../support/api.ts';
import { emptyPage, fileOf } from '../../support/app-host.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { eventually } from '../../support/eventually.ts';

type Handler = (event: unknown, ...call: unknown[]) => Promise<IpcAnswer>;

const electron = await vi.hoisted(async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  class Contents extends Emitter {
    readonly mainFrame = { origin: 'laudio://app', parent: null };
    readonly sent: unknown[][] = [];
    readonly loaded: string[] = [];
    gone = false;
    isDestroyed = () => this.gone;
    send = (...message: unknown[]) => void this.sent.push(message);
    getURL = () => this.loaded.at(-1) ?? '';
    mayOpen: (details: { url: string }) => { action: string; overrideBrowserWindowOptions?: object } = () => ({
      action: 'deny',
    });
    setWindowOpenHandler = (handler: typeof this.mayOpen) => void (this.mayOpen = handler);
  }
  class Window extends Emitter {
    readonly webContents = new Contents();
    readonly options: Record<string, unknown>;
    state = 'hidden';
    constructor(options: Record<string, unknown>) {
      super();
      this.options = options;
      world.windows.push(this);
      world.app.emit('web-contents-created', {}, this.webContents);
    }
    loadURL = async (address: string) => void this.webContents.loaded.push(address);
    getNormalBounds = () => ({ x: 10, y: 20, width: 1100, height: 750 });
    isMaximized = () => false;
    isMinimized = () => false;
    isFocused = () => false;
    maximize = () => undefined;
    restore = () => undefined;
    focus = () => undefined;
    show = () => (this.state = 'shown');
    showInactive = () => (this.state = 'shown');
    hide = () => (this.state = 'hidden');
    destroy = () => {
      this.state = 'destroyed';
      this.webContents.gone = true;
      this.webContents.emit('destroyed');
      this.emit('closed');
    };
  }
  class App extends Emitter {
    ended = 0;
    getLocale = () => 'pt-PT';
    quit = () => {
      let prevented = false;
      this.emit('before-quit', { preventDefault: () => (prevented = true) });
      if (!prevented) {
        this.ended += 1;
        this.emit('ended');
      }
    };
  }
  /** The keychain's process. */
  class Utility extends Emitter {
    constructor() {
      super();
      queueMicrotask(() => this.emit('message', 'ready'));
    }
    postMessage = (request: string) => {
      const { action, account, secret } = JSON.parse(request) as Record<string, string>;
      if (action === 'set') world.keychain.set(account!, secret!);
      const kept = action === 'get' ? world.keychain.get(account!) : undefined;
      const answer = world.keychainWorks ? { secret: kept ?? null } : { error: 'none here' };
      queueMicrotask(() => this.emit('message', JSON.stringify(answer)));
    };
    kill = () => true;
  }
  const world = {
    app: new App(),
    windows: [] as Window[],
    handlers: new Map<string, Handler>(),
    hotkeys: new Map<string, () => void>(),
    awake: new Set<number>(),
    menus: [] as { label?: string; enabled?: boolean; submenu?: unknown }[][],
    trays: [] as { tip: string }[],
    opened: [] as string[],
    answers: [] as number[],
    asked: [] as string[],
    idleSeconds: 0,
    copied: 'before',
    notified: [] as string[],
    keychain: new Map<string, string>(),
    keychainWorks: true,
    serve: undefined as ((request: Request) => Promise<Response>) | undefined,
  };
  const module = {
    app: world.app,
    BrowserWindow: Window,
    ipcMain: {
      handle: (channel: string, handler: Handler) => void world.handlers.set(channel, handler),
      removeHandler: (channel: string) => void world.handlers.delete(channel),
    },
    protocol: { handle: (_scheme: string, answer: typeof world.serve) => (world.serve = answer) },
    screen: {
      getPrimaryDisplay: () => ({ id: 1 }),
      getCursorScreenPoint: () => ({ x: 0, y: 0 }),
      getDisplayNearestPoint: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }),
      getAllDisplays: () => [{ id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
    },
    session: {
      defaultSession: Object.assign(new Emitter(), {
        setPermissionCheckHandler: () => undefined,
        setPermissionRequestHandler: () => undefined,
        setDevicePermissionHandler: () => undefined,
      }),
    },
    shell: { openExternal: async (address: string) => void world.opened.push(address) },
    dialog: {
      showMessageBox: async (_window: unknown, { message }: { message: string }) => {
        world.asked.push(message);
        return { response: world.answers.shift() ?? 1 };
      },
    },
    ClipboardItem: class {
      readonly types = ['text/plain'];
      readonly text: string;
      constructor(items: Record<string, string>) {
        this.text = items['text/plain'] ?? '';
      }
      getType = async () => this.text;
    },
    clipboard: {
      read: async () => [new module.ClipboardItem({ 'text/plain': world.copied })],
      readText: async () => world.copied,
      writeText: async (text: string) => void (world.copied = text),
      write: async (items: { text: string }[]) => void (world.copied = items[0]?.text ?? ''),
    },
    globalShortcut: {
      register: (key: string, task: () => void) => Boolean(world.hotkeys.set(key, task)),
      unregister: (key: string) => void world.hotkeys.delete(key),
    },
    powerSaveBlocker: {
      start: () => {
        world.awake.add(1);
        return 1;
      },
      stop: (id: number) => void world.awake.delete(id),
    },
    powerMonitor: Object.assign(new Emitter(), { getSystemIdleTime: () => world.idleSeconds }),
    Menu: {
      buildFromTemplate: (template: (typeof world.menus)[number]) => template,
      setApplicationMenu: (menu: (typeof world.menus)[number]) => void world.menus.push(menu),
    },
    Tray: class extends Emitter {
      tip = '';
      constructor() {
        super();
        world.trays.push(this);
      }
      setToolTip = (tip: string) => (this.tip = tip);
      setImage = () => undefined;
      setContextMenu = () => undefined;
    },
    nativeImage: { createFromPath: () => ({ setTemplateImage: () => undefined }) },
    Notification: class extends Emitter {
      static isSupported = () => true;
      readonly options: { title: string };
      constructor(options: { title: string }) {
        super();
        this.options = options;
      }
      show = () => void world.notified.push(this.options.title);
    },
    utilityProcess: { fork: () => new Utility() },
  };
  return { world, module };
});
vi.mock('electron', () => electron.module);
const { world } = electron;

const { openShell } = await import('../../../desktop/main/shell.ts');
const { words } = await import('../../../desktop/main/shell-words.ts');

let directory: string;
/** What the window showed when the library for newer versions was loaded. */
const loadedWith: string[] = [];
const installed: string[] = [];
const updater: Updater = {
  check: async () => '0.2.0',
  download: async () => undefined,
  installAtQuit: () => undefined,
  installNow() {
    installed.push('0.2.0');
    world.app.quit();
  },
};
let shell: Shell;
const open = async ({ hasKeychain }: { hasKeychain: boolean }): Promise<Shell> =>
  openShell({
    platform: 'linux',
    version: '0.0.0-test',
    dataDirectory: join(directory, 'data'),
    stateDirectory: join(directory, 'state'),
    hasKeychain,
    passphrase: undefined,
    parts: {},
    page: await emptyPage(),
    place: undefined,
    updater: async () => {
      loadedWith.push(...window().webContents.loaded);
      return updater;
    },
  });
beforeEach(async () => {
  directory = await temporaryDirectory();
  const { session, powerMonitor } = electron.module;
  for (const each of [world.app, session.defaultSession, powerMonitor]) each.removeAllListeners();
  world.app.ended = 0;
  for (const list of [...Object.values(world), loadedWith, installed]) if (Array.isArray(list)) list.length = 0;
  shell = await open({ hasKeychain: true });
});
afterEach(async () => {
  if (world.app.ended > 0) return;
  world.answers.push(0);
  await quit();
});

async function quit(): Promise<void> {
  const ended = once(world.app, 'ended');
  world.app.quit();
  await ended;
}

const window = () => world.windows[0]!;
/** As the preload script asks, for a frame. */
async function ask<T>(
  name: string,
  input: unknown,
  bytes?: ArrayBuffer,
  frame: unknown = window().webContents.mainFrame,
): Promise<T> {
  const answer = await world.handlers.get(ipc.call)!(
    { sender: window().webContents, senderFrame: frame },
    name,
    input,
    bytes,
  );
  if ('error' in answer) throw Object.assign(new Error(textOf(answer.error.message)), answer.error);
  return answer.output as T;
}
const told = (name: string) =>
  window()
    .webContents.sent.filter(([, event]) => event === name)
    .map(([, , data]) => data);

async function beginRecording(): Promise<string> {
  const { items } = await ask<{ items: { id: string }[] }>('worklist.list', { refresh: true });
  const { id } = await ask<{ id: string }>('dictation.start', {
    item_id: items[0]!.id,
    sample_rate: 16_000,
    language: 'pt-BR',
    template_id: null,
  });
  await ask('dictation.take', { id, take: 'one', mode: 'append', at: null });
  await ask('dictation.block', { id, take: 'one', from: 0 }, new Int16Array(1600).buffer);
  return id;
}

/** Somebody is logged in, in test mode, and there is an exam. */
async function logIn(): Promise<void> {
  await ask('session.start', { place: 'test' });
  await ask('worklist.import', {}, fileOf(JSON.stringify(examFields())));
}

describe('the shell', () => {
  test('opens one locked-up window on the page', async () => {
    expect(world.windows).toHaveLength(1);
    expect(window().webContents.loaded).toEqual(['laudio://app/']);
    expect(window().options).toMatchObject({
      width: 1440,
      height: 900,
      show: false,
      webPreferences: { sandbox: true, contextIsolation: true },
    });
    expect(await (await world.serve!(new Request('laudio://app/'))).text()).toContain('<title>Laudio</title>');
    expect(world.menus.at(-1)?.map(({ label }) => label)).toEqual([
      'Arquivo',
      'Editar',
      'Ditado',
      'Exibir',
      'Janela',
      'Ajuda',
    ]);
    expect(world.trays.at(-1)?.tip).toBe('Laudio: Pronto');
  });

  test('answers its own page only', async () => {
    expect(await ask('session.state', {})).toMatchObject({ phase: 'logged-out' });
    await expect(ask('session.state', {}, undefined, { origin: 'laudio://app', parent: {} })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(
      ask('session.state', {}, undefined, { origin: 'https://example.com', parent: null }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(ask('session.state', {}, undefined, null)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const foreign = await world.handlers.get(ipc.call)!(
      { sender: new EventEmitter(), senderFrame: window().webContents.mainFrame },
      'session.state',
      {},
    );
    expect(foreign).toMatchObject({ error: { code: 'FORBIDDEN' } });
  });

  test('opens one other window, for the report, which asks as the first one does and comes back where it was', async () => {
    const { webContents: page } = window();
    expect(page.mayOpen({ url: 'laudio://app/#/exam/one' })).toEqual({ action: 'deny' });
    expect(page.mayOpen({ url: 'https://example.com/#/report/pair' })).toEqual({ action: 'deny' });
    const opening = page.mayOpen({ url: 'laudio://app/#/report/pair/one' });
    expect(opening.action).toBe('allow');
    const report = new electron.module.BrowserWindow({ ...opening.overrideBrowserWindowOptions });
    expect(report.options).toMatchObject({ webPreferences: window().options['webPreferences'] });
    page.emit('did-create-window', report);
    const asked = { sender: report.webContents, senderFrame: report.webContents.mainFrame };
    expect(await world.handlers.get(ipc.call)!(asked, 'session.state', {})).toHaveProperty('output');
    await logIn();
    expect(report.webContents.sent.length).toBeGreaterThan(0);
    report.emit('move');
    report.destroy();
    await quit();
    shell = await open({ hasKeychain: true });
    const again = world.windows.at(-1)!.webContents.mayOpen({ url: 'laudio://app/#/report/pair' });
    expect(again).toMatchObject({ overrideBrowserWindowOptions: { x: 10, y: 20, width: 1100, height: 750 } });
    world.app.ended = 0;
    world.windows.splice(0, world.windows.length - 1);
  });

  test('takes the browser to a login', async () => {
    await ask('session.first_user', { username: 'ana', display_name: 'Dra. Ana', password: 'correct horse battery' });
    expect(await ask('session.start', { place: 'this-computer' })).toEqual({ go_to: null });
    expect(world.opened).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/.*[?&]state=/)]);
  });

  test('listens to the system-wide key while a person is logged in, and passes it on', async () => {
    await logIn();
    const settings = await ask<AppSettings>('settings.get', {});
    expect([...world.hotkeys.keys()]).toEqual([]);
    await ask('settings.set', { ...settings, locale: 'en-US', keys: { ...defaultKeys, record: 'Mod+F9' } });
    expect([...world.hotkeys.keys()]).toEqual(['CommandOrControl+F9']);
    world.hotkeys.get('CommandOrControl+F9')?.();
    expect(told('action')).toEqual([{ action: 'record' }]);
    expect(world.menus.at(-1)?.[0]?.label).toBe('File');
    await ask('session.lock', {});
    expect([...world.hotkeys.keys()]).toEqual([]);
  });

  test('dictates into other programs from a small window, and gives the clipboard back', async () => {
    await logIn();
    const settings = await ask<AppSettings>('settings.get', {});
    await ask('settings.set', { ...settings, anywhere: 'en-US' });
    expect([...world.hotkeys.keys()]).toEqual(['CommandOrControl+F9']);
    world.hotkeys.get('CommandOrControl+F9')?.();
    const [, small] = world.windows;
    expect(small).toMatchObject({
      options: { focusable: false, alwaysOnTop: true, webPreferences: { sandbox: true } },
    });
    expect(small?.webContents.loaded).toEqual(['laudio://app/#/anywhere']);
    world.hotkeys.get('CommandOrControl+F9')?.();
    expect(small?.webContents.sent).toEqual([['laudio:event', 'action', { action: 'anywhere' }]]);
    const call = async (name: string, input: unknown) =>
      world.handlers.get(ipc.call)!(
        { sender: small?.webContents, senderFrame: small?.webContents.mainFrame },
        name,
        input,
      );
    expect(await call('anywhere.insert', { text: 'The lungs are clear.' })).toEqual({ output: { way: 'copied' } });
    expect(world.copied).toBe('The lungs are clear.');
    await ask('session.lock', {});
    expect([small?.state, [...world.hotkeys.keys()]]).toEqual(['destroyed', []]);
    await eventually(() => expect(world.copied).toBe('before'));
  });

  test('goes to a linked exam in the page that is there', () => {
    shell.show('/exam/itm_1');
    shell.show('/exam/itm_1');
    expect(window().webContents.loaded).toEqual(['laudio://app/', 'laudio://app/#/exam/itm_1']);
    expect(window().state).toBe('shown');
  });

  test('encrypts stored data, and says once if it cannot', async () => {
    const { by } = JSON.parse(await readFile(join(directory, 'data', 'encryption.json'), 'utf8')) as { by: string };
    expect(by).toBe('keychain');
    await quit();
    expect(world.asked).toEqual([]);
    directory = await temporaryDirectory();
    world.keychainWorks = false;
    for (const hasKeychain of [true, true, false]) {
      world.windows.length = 0;
      world.app.removeAllListeners();
      world.app.ended = 0;
      shell = await open({ hasKeychain });
      await quit();
    }
    world.keychainWorks = true;
    expect(world.asked).toEqual([words['pt-BR'].unencrypted]);
  });

  test('remembers where its window was', async () => {
    await quit();
    expect(window().state).toBe('destroyed');
    expect(JSON.parse(await readFile(join(directory, 'state', 'desktop', 'window.json'), 'utf8'))).toEqual({
      bounds: { x: 10, y: 20, width: 1100, height: 750 },
      maximized: false,
      locale: 'pt-BR',
    });
    expect(world.handlers.size).toBe(0);
  });

  test('while recording: the machine stays awake, the tray says so, and quitting asks, pauses and keeps', async () => {
    await logIn();
    const id = await beginRecording();
    expect(world.awake.size).toBe(1);
    expect(world.trays.at(-1)?.tip).toBe('Laudio: Gravando');

    world.answers.push(1);
    window().emit('close', { preventDefault: () => undefined });
    await eventually(() => expect(world.asked).toEqual(['Há um ditado em gravação.']));
    await new Promise(setImmediate);
    expect([window().state, world.app.ended]).toEqual(['shown', 0]);
    expect(told('action')).toEqual([]);

    // The page pauses by itself when it is told to.
    world.answers.push(0);
    const send = window().webContents.send;
    window().webContents.send = (...message) => {
      send(...message);
      if (message[1] === 'action') void ask('dictation.pause', { id });
    };
    await quit();
    expect(told('action')).toEqual([{ action: 'record' }]);
    expect(world.awake.size).toBe(0);
    expect(world.app.ended).toBe(1);
  });

  test('a newer version is looked for once the window shows, and installed when nothing is open any more', async () => {
    await eventually(() => expect(told('updates').at(-1)).toMatchObject({ phase: 'ready', version: '0.2.0' }));
    expect(loadedWith).toEqual(['laudio://app/']);
    await logIn();
    const id = await beginRecording();
    expect(await ask('updates.restart', {})).toEqual({ phase: 'restarting', channel: 'stable', version: '0.2.0' });
    await ask('dictation.pause', { id });
    await new Promise(setImmediate);
    expect([world.app.ended, window().state]).toEqual([0, 'hidden']);

    const ended = once(world.app, 'ended');
    await ask('dictation.discard', { id });
    await ended;
    expect(installed).toEqual(['0.2.0']);
    expect(world.asked).toEqual([]);
    expect(window().state).toBe('destroyed');
  });

  test('keeps the channel that was chosen, for everybody at this computer', async () => {
    expect(await ask('updates.choose', { channel: 'off' })).toMatchObject({ channel: 'off' });
    expect(JSON.parse(await readFile(join(directory, 'state', 'desktop', 'updates.json'), 'utf8'))).toEqual({
      channel: 'off',
    });
    await expect(ask('updates.choose', { channel: 'nightly' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
