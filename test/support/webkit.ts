/**
 * WebKitGTK as Debian has it, the engine of Safari, driven by WebDriver (https://www.w3.org/TR/webdriver1/), on a screen that nobody
 * sees, with a tone for a microphone. Its profile ends with it.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import type { DrivenBrowser } from './driven-browser.ts';
import { freePort } from './free-port.ts';
import { miniBrowser } from './other-browsers.ts';

/** Keys that WebDriver names by signs of its own. */
const keySigns: Readonly<Record<string, string>> = {
  Control: '\uE009',
  Shift: '\uE008',
  Alt: '\uE00A',
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Backspace: '\uE003',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Home: '\uE011',
  End: '\uE010',
  F2: '\uE032',
  F3: '\uE033',
  F8: '\uE038',
  F9: '\uE039',
};
const signOf = (key: string): string => keySigns[key] ?? key;

/** A process with all that it starts, until the test is over. */
function startGroup(program: string, args: readonly string[], options: SpawnOptions): ChildProcess & { end(): void } {
  const child = spawn(program, args, { ...options, detached: true });
  const end = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  onTestFinished(end);
  return Object.assign(child, { end });
}

/** A screen in memory; gives its name, as `DISPLAY` has it. */
export async function startScreen(): Promise<string> {
  const screen = startGroup('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = (await once(screen.stdout!, 'data')) as [Buffer];
  return `:${number.toString().trim()}`;
}

interface Session {
  readonly sessionId: string;
}

/** Collects the errors of a page. */
const hook = `window.pageErrors ??= (() => {
  const errors = [];
  addEventListener('error', ({ message }) => errors.push(message));
  addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
  return errors;
})()`;

export async function startWebKit(display: string): Promise<DrivenBrowser> {
  const port = await freePort();
  // Containers do not allow the sandbox; the browser sees pages of this project only.
  const env = {
    ...process.env,
    DISPLAY: display,
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
  };
  const driver = startGroup('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' });
  const ask = async <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body: object = {}): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`WebDriver ${path}: ${value.error} ${value.message}`);
    return value;
  };
  await eventually(() => ask('GET', '/status'));
  const { sessionId } = await ask<Session>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        unhandledPromptBehavior: 'accept',
        'webkitgtk:browserOptions': {
          binary: miniBrowser(),
          args: ['--automation', '--enable-media-stream=true', '--enable-mock-capture-devices=true'],
        },
      },
    },
  });
  const inSession = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> =>
    ask(method, `/session/${sessionId}${path}`, body);
  const evaluate = <T>(expression: string): Promise<T> =>
    inSession('POST', '/execute/sync', { script: `return ${expression}`, args: [] });
  const act = (actions: readonly object[]): Promise<unknown> => inSession('POST', '/actions', { actions });
  const keys = (actions: readonly object[]): Promise<unknown> => act([{ type: 'key', id: 'keyboard', actions }]);
  const go = async (url: string): Promise<void> => {
    await inSession('POST', '/url', { url });
    await evaluate(`(${hook}, true)`);
  };
  const errors: string[] = [];
  const collect = async (): Promise<void> => void errors.push(...(await evaluate<string[]>('window.pageErrors ?? []')));
  const xdotool = (...args: readonly string[]): string =>
    spawnSync('xdotool', args, { env, encoding: 'utf8' }).stdout.trim();
  const sizeOf = (): Promise<[number, number]> => evaluate('[innerWidth, innerHeight]');

  const browser: DrivenBrowser = {
    async open(url, cookies) {
      await go(url);
      for (const { name, value } of cookies) await inSession('POST', '/cookie', { cookie: { name, value, path: '/' } });
      await go(url);
    },
    async reload() {
      await collect();
      await inSession('POST', '/refresh');
      await evaluate(`(${hook}, true)`);
    },
    async press(...pressed) {
      const signs = pressed.map(signOf);
      await keys([
        ...signs.map((value) => ({ type: 'keyDown', value })),
        ...signs.toReversed().map((value) => ({ type: 'keyUp', value })),
      ]);
    },
    async type(text) {
      const typed = Array.from(text, (letter) => signOf(letter === '\n' ? 'Enter' : letter));
      await keys(
        typed.flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      );
    },
    async click(selector) {
      const [x, y] = await evaluate<[number, number]>(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        element.scrollIntoView({ block: 'nearest' });
        const { x, y, width, height } = element.getBoundingClientRect();
        return [Math.round(x + width / 2), Math.round(y + height / 2)];
      })()`);
      const actions = [
        { type: 'pointerMove', x, y, duration: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
    },
    evaluate,
    // On a screen without a desktop WebDriver waits for one for ever.
    async resize(width, height) {
      const window = xdotool('search', '--onlyvisible', '--class', 'MiniBrowser').split('\n').at(-1)!;
      let [wide, high] = [width, height];
      await eventually(async () => {
        xdotool('windowsize', '--sync', window, String(wide), String(high));
        const [innerWidth, innerHeight] = await sizeOf();
        if (innerWidth === width && innerHeight === height) return;
        wide += width - innerWidth;
        high += height - innerHeight;
        throw new Error(`The page is ${innerWidth} × ${innerHeight}`);
      });
    },
    picture: async () => Buffer.from(await inSession<string>('GET', '/screenshot'), 'base64'),
    async errors() {
      await collect();
      return errors;
    },
    async kill() {
      const gone = once(driver, 'exit');
      driver.end();
      await gone;
    },
  };
  await browser.resize(1440, 900);
  return browser;
}
