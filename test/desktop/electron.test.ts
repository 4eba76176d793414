/** The shell itself, in Electron. Its binary is a download of its own: without it this file says so, loudly. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright-core';
import type { ElectronApplication, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { root } from '../support/modules.ts';
import { npm } from '../support/process.ts';
import { copyProject } from '../support/project-copy.ts';
import { eventually } from '../support/eventually.ts';

/** Where the package `electron` puts its binary. Asking the package itself would start a download. */
function electronPath(): string | undefined {
  const directory = join(root, 'node_modules', 'electron');
  const note = join(directory, 'path.txt');
  const path = existsSync(note) ? join(directory, 'dist', readFileSync(note, 'utf8')) : undefined;
  return path !== undefined && existsSync(path) ? path : undefined;
}

const executablePath = electronPath();

if (executablePath === undefined) {
  const reason =
    "Electron's binary is not on this machine: the desktop shell is NOT tested here. To get it: npx --no install-electron";
  process.stderr.write(`\n${'!'.repeat(reason.length)}\n${reason}\n${'!'.repeat(reason.length)}\n\n`);
  test('the shell in Electron: NOT TESTED, its binary is missing', (context) => {
    if (process.env['LAUDIO_TEST_ELECTRON'] === 'required') throw new Error(reason);
    context.skip(reason);
  });
} else {
  describe('the shell in Electron', async () => {
    const project = await copyProject();
    const directory = await mkdtemp(join(tmpdir(), 'laudio-electron-'));
    await npm(['run', 'build'], { cwd: project.directory });
    if (!existsSync(join(project.directory, 'dist', 'renderer')))
      await npm(['run', 'build:app'], { cwd: project.directory });
    afterAll(async () => {
      await project[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    });
    const started: ElectronApplication[] = [];
    afterEach(async () => {
      for (const app of started.splice(0)) await app.close().catch(() => undefined);
    });

    const env = {
      ...process.env,
      LAUDIO_CONFIG_DIR: join(directory, 'config'),
      LAUDIO_DATA_DIR: join(directory, 'data'),
      LAUDIO_STATE_DIR: join(directory, 'state'),
      LAUDIO_CREDENTIAL_STORE: 'file',
    };
    // As root Chromium has no sandbox to start in; elsewhere it must have one.
    const options = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const fakeMicrophone = ['--use-fake-device-for-media-stream'];
    const start = async (...args: string[]): Promise<{ app: ElectronApplication; page: Page }> => {
      const app = await _electron.launch({
        executablePath,
        args: [...options, ...fakeMicrophone, join(project.directory, 'dist', 'desktop', 'main', 'main.js'), ...args],
        env,
      });
      started.push(app);
      const page = await app.firstWindow();
      await page.waitForLoadState();
      return { app, page };
    };
    /** As the page itself calls the app. */
    const call = (page: Page, name: string, input: unknown): Promise<unknown> =>
      page.evaluate(
        ([called, given]) =>
          (globalThis as unknown as { laudio: { call(...all: unknown[]): Promise<unknown> } }).laudio.call(
            called,
            given,
          ),
        [name, input] as const,
      );

    test('shows its own page, locked up', async () => {
      const { app, page } = await start();
      expect(page.url()).toMatch(/^laudio:\/\/app\/(#\/)?$/);
      expect(await page.title()).toBe('Laudio');
      expect(await page.evaluate('isSecureContext')).toBe(true);

      // No way to Node, no notification of the page's own, no other window, no foreign page, no inline script.
      expect(await page.evaluate('typeof require + typeof process + typeof module')).toBe('undefined'.repeat(3));
      expect(await page.evaluate("'Notification' in window")).toBe(false);
      expect(await page.evaluate("window.open('http://example.com/')")).toBeNull();
      expect(await page.evaluate("window.open('https://example.com/')")).toBeNull();
      await page.evaluate("location.href = 'http://example.com/'");
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
      expect(new URL(page.url()).protocol).toBe('laudio:');
      expect(app.windows()).toHaveLength(1);
      expect((await page.request.get('laudio://app/../../etc/passwd').catch(() => undefined))?.ok() ?? false).toBe(
        false,
      );
      expect(await page.evaluate("fetch('laudio://app/package.json').then((answer) => answer.status)")).toBe(404);
    });

    test('gives the page the microphone, and no camera', async () => {
      const { page } = await start();
      const ask = (wanted: string) =>
        page.evaluate(
          `navigator.mediaDevices.getUserMedia(${wanted}).then((stream) => stream.getTracks().map((track) => track.kind), (error) => error.name)`,
        );
      expect(await ask('{ audio: true }')).toEqual(['audio']);
      expect(await ask('{ video: true }')).toBe('NotAllowedError');
    });

    test('shows the list of the person who logs in, and the person’s name', async () => {
      const { page } = await start();
      expect(await call(page, 'session.start', { place: 'test' })).toEqual({ output: { go_to: null } });
      expect(await call(page, 'session.state', {})).toMatchObject({ output: { phase: 'ready', test_mode: true } });
      expect(await call(page, 'worklist.list', {})).toMatchObject({ output: { items: [] } });
      expect(await call(page, 'worklist.everything', {})).toMatchObject({ error: { code: 'NOT_FOUND' } });
      await page.reload();
      await page.locator('main').waitFor();
      expect(await call(page, 'session.state', {})).toMatchObject({ output: { phase: 'ready' } });
    });

    test('opens the exam of a link without reloading the page', async () => {
      const { app, page } = await start('laudio://exam/itm_one');
      expect(page.url()).toBe('laudio://app/#/exam/itm_one');
      await page.evaluate("globalThis.stillHere = 'yes'");
      await app.evaluate(({ app: electron }) =>
        electron.emit('second-instance', {}, ['laudio', 'laudio://exam/itm_two'], ''),
      );
      await eventually(() => expect(page.url()).toBe('laudio://app/#/exam/itm_two'));
      expect(await page.evaluate('globalThis.stillHere')).toBe('yes');
    });

    test('runs once for a person, frees the data directory when it ends, and remembers its window', async () => {
      const { app } = await start();
      await expect(start()).rejects.toThrow();
      expect(app.windows()).toHaveLength(1);
      const placed = await app.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        window?.setBounds({ width: 1024, height: 700 });
        return window?.getNormalBounds();
      });
      await app.close();
      expect(JSON.parse(await readFile(join(directory, 'state', 'desktop', 'window.json'), 'utf8'))).toMatchObject({
        bounds: { width: placed?.width, height: placed?.height },
      });

      const again = await start();
      expect(
        await again.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds()),
      ).toMatchObject({
        width: placed?.width,
        height: placed?.height,
      });
    });
  });
}
