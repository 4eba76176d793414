/** A short day in Firefox: recording, writing and signing, over a crash and at each width. */
import { join } from 'node:path';
import type { KeyInput, Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { openingSamples, startApp } from '../support/app.ts';
import { explored } from '../support/explored.ts';
import { hasFirefox } from '../support/firefox-program.ts';
import { startFirefox, startSoundOutput } from '../support/firefox.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const findings = '::-p-xpath(//textarea[@aria-label="Text of Findings"])';
const press = async (page: Page, ...keys: readonly KeyInput[]): Promise<void> => {
  for (const key of keys) await page.keyboard.down(key);
  for (const key of keys.toReversed()) await page.keyboard.up(key);
};
const textOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate((chosen) => document.querySelector<HTMLElement>(chosen)?.innerText ?? '', selector);
const recorded = (page: Page): Promise<string> => textOf(page, '.recorder');
/** Waits until the text of a place fits. */
const seen = (page: Page, selector: string, pattern: RegExp): Promise<unknown> =>
  page.waitForFunction(
    (chosen, source) => new RegExp(source).test(document.querySelector<HTMLElement>(chosen)?.innerText ?? ''),
    { polling: 50 },
    selector,
    pattern.source,
  );

/** So many seconds of speech or more, up to a minute: on a busy machine a page may skip some. `seconds`: below 10. */
const atLeast = (seconds: number): RegExp => new RegExp(`0:(0[${seconds}-9]|[1-5]\\d)`);
const recordingFrom = (seconds: number): RegExp => new RegExp(`^Recording[^]*${atLeast(seconds).source}`);

async function openDay(browser: Awaited<ReturnType<typeof startFirefox>>, url: string): Promise<Page> {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  for (const { name, value } of await openingSamples(url))
    await browser.setCookie({ name, value, domain: '127.0.0.1' });
  await page.goto(url);
  await page.waitForSelector('.row');
  return page;
}

describe.skipIf(!hasFirefox())('in Firefox', () => {
  test('a short day', async () => {
    const { url } = await startApp();
    const [sound, profile] = [await startSoundOutput(), join(await temporaryDirectory(), 'profile')];
    let browser = await startFirefox(sound, profile);
    let page = await openDay(browser, url);
    const openExam = async (at: number): Promise<void> => {
      await (await page.$$('.row'))[at]!.click();
      await page.waitForSelector('.recorder');
    };
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));

    // Speaks, pauses, goes on, and has the report made.
    await openExam(0);
    await page.keyboard.press(' ');
    await seen(page, '.recorder', recordingFrom(1));
    await page.keyboard.press(' ');
    await seen(page, '.recorder', /^Paused/);
    await page.keyboard.press(' ');
    await seen(page, '.recorder', recordingFrom(2));
    await press(page, 'Control', 'Enter');
    await seen(page, '.document', /Draft, version 1/);

    // Types, signs, and takes it back.
    await page.locator(findings).click();
    await page.keyboard.type(' Nódulo à direita: 5 µm.');
    await seen(page, '.document', /Saved/);
    await press(page, 'Control', 'Shift', 'Enter');
    await seen(page, 'body', /can be taken back|Sign over/);
    if (await page.$('dialog[open]')) await page.keyboard.press('Enter');
    await seen(page, 'body', /can be taken back/);
    await page.locator('::-p-xpath(//button[starts-with(normalize-space(.), "Take")])').click();
    await seen(page, '.document', /Draft, version/);
    expect(await page.$eval(findings, (field) => (field as HTMLTextAreaElement).value)).toContain(
      'Nódulo à direita: 5 µm.',
    );

    // The page is loaded again while somebody speaks, and the browser dies: what was said is there.
    await openExam(1);
    await page.keyboard.press(' ');
    await seen(page, '.recorder', recordingFrom(1));
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await seen(page, '.recorder', atLeast(1));
    await openExam(2);
    await page.keyboard.press(' ');
    await seen(page, '.recorder', recordingFrom(2));
    expect(errors).toEqual([]);
    browser.process()!.kill('SIGKILL');
    browser = await startFirefox(sound, profile);
    page = await openDay(browser, url);
    await openExam(2);
    await seen(page, '.recorder', new RegExp(`(Paused|Recovered|Saving the rest)[^]*${atLeast(1).source}`));

    // At each width nothing lies beside the page.
    for (const width of [1024, 600, 1440]) {
      await page.setViewport({ width, height: 900 });
      expect(await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])).toEqual([width, width]);
    }
  });

  // Its waits take as long as the whole day.
  const withoutOutput = async (): Promise<void> => {
    const { url } = await startApp();
    const browser = await startFirefox(undefined, join(await temporaryDirectory(), 'profile'));
    const page = await openDay(browser, url);
    await page.evaluate(() => {
      const said = new Set<string>();
      const note = (): unknown => said.add(`${document.title} ${document.querySelector('.recorder h2')?.textContent}`);
      new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
      Object.assign(globalThis, { said });
    });
    await page.click('.row');
    await page.waitForSelector('.recorder');
    await page.keyboard.press(' ');
    await seen(page, '.recorder', /The browser passes on no sound/);
    const said = await page.evaluate(() => [...(globalThis as unknown as { said: Set<string> }).said].join(' | '));
    expect(said).toMatch(/One moment/);
    expect(said).not.toMatch(/Recording/);
    expect(await recorded(page)).toMatch(/0:00/);
  };
  if (explored.isOn) test('without a sound output says so, and never that it records', withoutOutput);
});
