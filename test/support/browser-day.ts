/** A day at the page in a browser other than Chromium: dictating, writing and signing, over a crash and at each width. */
import { expect } from 'vitest';
import { openingSamples } from './app.ts';
import type { RunningApp } from './app.ts';
import { outsider } from './app-host.ts';
import { eventually } from './eventually.ts';
import { untilSeen, untilTrue } from './driven-browser.ts';
import type { DrivenBrowser } from './driven-browser.ts';

const findings = 'textarea[aria-label="Text of Findings"]';
const valueOf = (selector: string): string => `document.querySelector('${selector}').value`;

/** So many seconds of speech or more, up to a minute: on a busy machine a page may skip some. `seconds`: below 10. */
const atLeast = (seconds: number): string => `0:(0[${seconds}-9]|[1-5]\\d)`;
const recordingFrom = (seconds: number): RegExp => new RegExp(`^Recording[^]*${atLeast(seconds)}`);

async function openList(browser: DrivenBrowser, url: string): Promise<void> {
  await browser.open(url, await openingSamples(url));
  await untilTrue(browser, `document.querySelector('.row') !== null`);
}

async function openExam(browser: DrivenBrowser, at: number): Promise<void> {
  const id = await browser.evaluate<string>(`document.querySelectorAll('.row')[${at - 1}].id.replace('row-', '')`);
  // A banner that comes may move the list under the mouse.
  await eventually(async () => {
    await browser.click(`#row-${id}`);
    expect(await browser.evaluate<string>('location.hash')).toContain(id);
  });
  await untilTrue(browser, `document.querySelector('.recorder') !== null`);
}

/** Clicks on the button with these words. */
async function clickButton(browser: DrivenBrowser, words: string): Promise<void> {
  await untilTrue(
    browser,
    `(() => {
      const isMeant = (each) => each.innerText.trim() === ${JSON.stringify(words)} && each.checkVisibility();
      const button = [...document.querySelectorAll('button')].find(isMeant);
      button?.setAttribute('data-meant', ${JSON.stringify(words)});
      return button !== undefined;
    })()`,
  );
  await browser.click(`button[data-meant="${words}"]`);
}

/** Signs by key, over what is asked. */
async function sign(browser: DrivenBrowser): Promise<void> {
  await browser.press('Control', 'Shift', 'Enter');
  await untilSeen(browser, 'body', /can be undone|Sign over|Sign this report/);
  if (await browser.evaluate(`document.querySelector('dialog[open]') !== null`)) await browser.press('Enter');
  await untilSeen(browser, '.document', /can be undone/);
}

/** `restart`: another browser after the first, with the same profile if the browser has one. */
export async function playShortDay(
  restart: () => Promise<DrivenBrowser>,
  { url, service }: RunningApp,
): Promise<DrivenBrowser> {
  const { macros } = await outsider({ transport: service });
  const text = 'Cyst in the [side: right|left] kidney, [__ mm].';
  await macros.create({ body: { name: 'renal cyst', text, language: 'en-US' } });
  let browser = await restart();
  await openList(browser, url);

  // Speaks, pauses, goes on, and has the report made.
  await openExam(browser, 1);
  await browser.press(' ');
  await untilSeen(browser, '.recorder', recordingFrom(1));
  await browser.press(' ');
  await untilSeen(browser, '.recorder', /^Paused/);
  await browser.press(' ');
  await untilSeen(browser, '.recorder', recordingFrom(2));
  await browser.press('Control', 'Enter');
  await untilSeen(browser, '.document', /Draft, version 1/);

  // Types, takes that back and brings it back, signs, and takes the signature back.
  const typed = ' Nódulo à direita: 5 µm.';
  await browser.click(findings);
  await browser.press('Control', 'End');
  await browser.type(typed);
  for (const [keys, isThere] of [
    [['Control', 'z'], false],
    [['Control', 'Shift', 'z'], true],
  ] as const) {
    await browser.press(...keys);
    expect((await browser.evaluate<string>(valueOf(findings))).includes(typed)).toBe(isThere);
  }
  await untilSeen(browser, '.document', /Saved/);
  await sign(browser);
  await clickButton(browser, 'Undo signature');
  await untilSeen(browser, '.document', /Draft, version/);
  expect(await browser.evaluate<string>(valueOf(findings))).toContain(typed);

  // The page is loaded again while somebody speaks, and the browser dies: what was said is there.
  await openExam(browser, 2);
  await browser.press(' ');
  await untilSeen(browser, '.recorder', recordingFrom(1));
  await browser.reload();
  await untilSeen(browser, '.recorder', new RegExp(atLeast(1)));
  await openExam(browser, 3);
  await browser.press(' ');
  await untilSeen(browser, '.recorder', recordingFrom(2));
  expect(await browser.errors()).toEqual([]);
  await browser.kill();
  browser = await restart();
  await openList(browser, url);
  await openExam(browser, 3);
  await untilSeen(browser, '.recorder', new RegExp(`(Paused|Recovered|Saving)[^]*${atLeast(1)}`));

  await expectWidths(browser, [1024, 600, 1440]);
  return browser;
}

/** At each width nothing lies beside the page, and no text of a report is cut. */
async function expectWidths(browser: DrivenBrowser, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await browser.resize(width, 900);
    await untilTrue(browser, `innerWidth === ${width} && document.documentElement.scrollWidth === ${width}`);
    await untilTrue(
      browser,
      `[...document.querySelectorAll('.document-section textarea')].every(
        (field) => !field.checkVisibility() || field.clientHeight >= field.scrollHeight - 2,
      )`,
    );
  }
}

/** The rest of the day, in a browser that has had the short one. */
export async function playRestOfDay(browser: DrivenBrowser, { network }: RunningApp): Promise<void> {
  // A report that is written: lines, an autotext with its fields, an instruction.
  await openExam(browser, 4);
  await browser.press('F2');
  await untilTrue(browser, `document.activeElement.matches('${findings}')`);
  await browser.type('The liver is normal.\nCyst in the left kidney.');
  await browser.press('Control', 'Enter');
  await untilSeen(browser, '.document', /Draft, version 1/);
  await browser.press('F2');
  await browser.type('\n/ren');
  await untilSeen(browser, '.offers', /renal cyst/);
  await browser.press('Enter');
  await untilTrue(
    browser,
    `${valueOf(findings)}.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd) === '[side: right|left]'`,
  );
  await browser.type('l');
  await browser.press('Tab');
  await browser.type('12');
  await untilTrue(browser, `${valueOf(findings)}.endsWith('Cyst in the left kidney, 12 mm.')`);
  await untilSeen(browser, '.document', / Saved$|^Saved/m);
  await browser.press('F8');
  await untilTrue(browser, `document.activeElement.matches('dialog[open] input')`);
  await browser.type('Replace liver with spleen.');
  await browser.press('Enter');
  await untilSeen(browser, '.document', /Understood/);
  await clickButton(browser, 'Keep');
  await untilTrue(browser, `${valueOf(findings)}.startsWith('The spleen is normal.')`);
  await browser.press('F9');
  await untilSeen(browser, 'dialog[open]', /Version 1/);
  await browser.press('Escape');
  await untilTrue(browser, `document.querySelector('dialog[open]') === null`);
  // A mark under words is drawn: engines differ in which they know.
  expect(
    await browser.evaluate(`(() => {
      const mark = document.querySelector('.document-page').appendChild(document.createElement('mark'));
      const drawn = ['mark-warned', 'mark-misspelt', 'mark-doubted'].map((name) => {
        mark.className = name;
        return getComputedStyle(mark).textDecorationLine;
      });
      mark.remove();
      return drawn;
    })()`),
  ).toEqual(['underline', 'underline', 'underline']);

  // The service goes away and comes back, with words typed meanwhile.
  network.isUp = false;
  await browser.press('F2');
  await browser.type(' Typed without it.');
  await untilSeen(browser, '.document', /Saved here; sent when the connection is back/);
  await browser.reload();
  await untilTrue(browser, `document.querySelector('${findings}')?.value.endsWith(' Typed without it.')`);
  network.isUp = true;
  await untilSeen(browser, '.document', /Saved/);

  // Signed for good, and added to.
  await browser.press('F2');
  await sign(browser);
  await browser.reload();
  await untilSeen(browser, '.document', /can be undone/);
  await browser.press('?');
  await untilSeen(browser, 'dialog[open]', /Keyboard shortcuts/);
  await browser.press('Escape');
  await untilTrue(browser, `document.querySelector('dialog[open]') === null`);

  // The list: searched, and the next exam by key.
  await browser.press('/');
  await untilTrue(browser, `document.activeElement.matches('input[type=search]')`);
  await browser.type('nobody has this name');
  await untilTrue(browser, `document.querySelector('.row') === null`);
  await browser.press('Escape');
  await untilTrue(browser, `document.querySelector('.row') !== null`);
  const before = await browser.evaluate<string>('location.hash');
  await browser.press('Alt', 'ArrowDown');
  await untilTrue(browser, `location.hash !== ${JSON.stringify(before)}`);

  // The report of the day at every width, a menu open or not.
  await openExam(browser, 4);
  await expectWidths(browser, [1100, 1024, 820, 720, 600, 447, 1440]);
  await browser.click('.document-head .menu-button');
  await untilTrue(browser, `document.querySelector('.menu:popover-open') !== null`);
  await browser.press('Escape');
  expect(await browser.errors()).toEqual([]);
}
