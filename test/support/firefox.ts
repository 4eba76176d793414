/** Firefox as Debian has it, driven by WebDriver BiDi, with a sound output that nobody hears: without one it hears nobody. */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import type { KeyInput, Page } from 'puppeteer-core';
import { onTestFinished } from 'vitest';
import type { DrivenBrowser } from './driven-browser.ts';
import { firefox } from './other-browsers.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A sound server of the test's own, as `PULSE_SERVER` names it; it plays into nothing. */
export async function startSoundOutput(): Promise<string> {
  const directory = await temporaryDirectory();
  const socket = join(directory, 'sound');
  const server = spawn(
    'pulseaudio',
    [
      '-n',
      '--exit-idle-time=-1',
      '--disable-shm',
      `--load=module-native-protocol-unix socket=${socket} auth-anonymous=1`,
      '--load=module-null-sink',
    ],
    { stdio: 'ignore', env: { ...process.env, XDG_RUNTIME_DIR: directory, HOME: directory } },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  return `unix:${socket}`;
}

/** `sound`: `PULSE_SERVER`; `undefined`: the computer has no sound output. `profile`: a folder that outlives the browser. */
export async function startFirefox(sound: string | undefined, profile: string): Promise<DrivenBrowser> {
  await mkdir(profile, { recursive: true });
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox,
    userDataDir: profile,
    env: { ...process.env, PULSE_SERVER: sound ?? 'unix:/nowhere', MOZ_CRASHREPORTER_DISABLE: '1' },
    // A tone for a microphone, and nobody is asked.
    extraPrefsFirefox: { 'media.navigator.permission.disabled': true, 'media.navigator.streams.fake': true },
  });
  onTestFinished(() => browser.close().catch(() => undefined));
  const errors: string[] = [];
  let page: Page | undefined;
  const present = (): Page => page!;
  return {
    async open(url, cookies) {
      for (const { name, value } of cookies) await browser.setCookie({ name, value, domain: new URL(url).hostname });
      if (!page) {
        page = await browser.newPage();
        page.on('pageerror', (error) => errors.push(String(error)));
        page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
        await page.setViewport({ width: 1440, height: 900 });
      }
      await page.goto(url);
    },
    reload: async () => void (await present().reload()),
    async press(...keys) {
      for (const key of keys) await present().keyboard.down(key as KeyInput);
      for (const key of keys.toReversed()) await present().keyboard.up(key as KeyInput);
    },
    type: (text) => present().keyboard.type(text),
    click: (selector) => present().click(selector),
    evaluate: (expression) => present().evaluate(expression) as never,
    resize: (width, height) => present().setViewport({ width, height }),
    picture: async () => Buffer.from(await present().screenshot()),
    errors: async () => errors,
    kill: async () => void browser.process()!.kill('SIGKILL'),
  };
}
