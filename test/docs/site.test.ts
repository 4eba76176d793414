/** The site of the documentation, as somebody reads it who has only the folder: every link, every look, and the search. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { Parser } from 'htmlparser2';
import MiniSearch from 'minisearch';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChromium } from '../support/chromium.ts';
import { filesBelow } from '../support/modules.ts';
import { pagePaths } from '../../docs/site/pages.ts';
import { buildSite } from '../../docs/site/build-site.ts';
import type { BuiltSite } from '../../docs/site/build-site.ts';
import { readQuestion, searchOptions } from '../../docs/site/look/search-options.ts';
import { listedCommands } from '../../docs/site/command-pages.ts';
import { urlOfCommand, urlOfMarkdown } from '../../docs/site/site.ts';

let directory: string;
let site: BuiltSite;
let browser: Browser;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-site-'));
  site = await buildSite(directory);
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await rm(directory, { recursive: true, force: true });
});

/** What a built page refers to, and the names within it. */
function readHtml(path: string): { readonly links: readonly string[]; readonly ids: readonly string[] } {
  const links: string[] = [];
  const ids: string[] = [];
  const parser = new Parser({
    onopentag(_name, { href, src, id }) {
      for (const link of [href, src]) if (link !== undefined) links.push(link);
      if (id !== undefined) ids.push(id);
    },
  });
  parser.end(readFileSync(join(directory, path), 'utf8'));
  return { links, ids };
}

describe('the pages', () => {
  test('are those of the Markdown, of every command and of every call', async () => {
    const urls = new Set(site.pages.map(({ url }) => url));
    expect(pagePaths.filter((path) => !urls.has(urlOfMarkdown(path)))).toEqual([]);
    const commands = await listedCommands();
    expect(commands.filter(({ words }) => !urls.has(urlOfCommand(words)))).toEqual([]);
    expect(urls.size).toBe(site.pages.length);
    expect(urls.size).toBeGreaterThan(150);
  });

  test('link to existing pages, and to nothing that a reader without a network needs', () => {
    const files = new Set(filesBelow(directory, ['.'], /./));
    const read = new Map([...files].filter((path) => path.endsWith('.html')).map((path) => [path, readHtml(path)]));
    const dead: string[] = [];
    for (const [path, { links, ids }] of read) {
      expect(new Set(ids).size, `${path} has a name twice`).toBe(ids.length);
      for (const link of links) {
        if (/^(https?|mailto):/.test(link)) continue;
        const [to = '', anchor] = decodeURI(link).split('#', 2);
        const target = to === '' ? path : posix.join(posix.dirname(path), to);
        if (!files.has(target)) dead.push(`${path}: ${link}`);
        else if (anchor && target.endsWith('.html') && !read.get(target)!.ids.includes(anchor))
          dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
    const styles = readFileSync(join(directory, 'assets/site.css'), 'utf8');
    expect(styles).not.toMatch(/https?:|@import/);
  });
});

/** Opens a page of the folder, as a file. Everything that it asks of anybody else is noted. */
async function open(
  path: string,
  options: { width?: number; theme?: 'light' | 'dark' } = {},
): Promise<{ page: Page; outside: string[] }> {
  const { width = 1440, theme = 'light' } = options;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
  const page = await context.newPage();
  const outside: string[] = [];
  page.on('request', (request) => request.url().startsWith('file:') || outside.push(request.url()));
  page.on('pageerror', (error) => outside.push(error.message));
  page.on('requestfailed', (request) => outside.push(request.url()));
  await page.goto(`${pathToFileURL(directory).href}/${path}`);
  return { page, outside };
}

/** A page of each kind. */
const kinds = ['index.html', 'guide-developer.html', 'commands/worklist-ingest.html', 'api/authorization.html'];

/** The index as the search of the pages has it. */
function loadIndex(): MiniSearch {
  const script = readFileSync(join(directory, 'assets/search-index.js'), 'utf8');
  const text = JSON.parse(/^window\.laudioIndex = (.*);\n$/s.exec(script)![1]!) as string;
  return MiniSearch.loadJSON(text, searchOptions) as unknown as MiniSearch;
}

test('the search knows words of the same meaning, and typing errors', () => {
  const index = loadIndex();
  const wrong: string[] = [];
  for (const [asked, page] of [
    ['upgrade', 'guide-upgrade'],
    ['downgrade', 'guide-upgrade'],
    ['nginx', 'guide-operator'],
    ['ngnix', 'guide-operator'],
    ['GDPR', 'intended-use'],
    ['lost password', 'guide-operator'],
    ['forgot pasword', 'guide-operator'],
    ['certificate expiry', 'guide-operator'],
    ['systemd', 'guide-operator'],
    ['docker', 'guide-operator'],
    ['fail2ban', 'guide-monitoring'],
    ['prometeus', 'guide-monitoring'],
    ['restore backup', 'guide-operator'],
    ['autotext', 'guide-reports'],
  ] as const) {
    const pages = index.search(readQuestion(asked)).map(({ url }) => String(url).split(/[#/]/)[0]!);
    if (!pages.slice(0, 5).some((each) => each.startsWith(page)))
      wrong.push(`${asked}: ${pages.slice(0, 5).join(', ')}`);
  }
  expect(wrong).toEqual([]);
});

describe('in a browser, from the disk', () => {
  test.each(
    kinds.flatMap(
      (path) =>
        [
          [path, 'light', 1440],
          [path, 'dark', 390],
        ] as const,
    ),
  )('%s, %s, %i wide: axe finds nothing', async (path, theme, width) => {
    const { page, outside } = await open(path, { theme, width });
    await page.evaluate(axe.source);
    const found = await page.evaluate(async () => {
      // The styles are read where they are applied, and not fetched once more.
      const { violations } = await (window as unknown as { axe: typeof import('axe-core') }).axe.run({
        preload: false,
      });
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ html }) => html)
            .slice(0, 3)
            .join(' ')}`,
      );
    });
    expect(found).toEqual([]);
    const [content, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(content, 'nothing is wider than the window').toBeLessThanOrEqual(seen!);
    expect(outside).toEqual([]);
    await page.context().close();
  });

  test('the search opens by /, folds case and accents, shows the words in context, and goes there by the keyboard', async () => {
    const { page, outside } = await open('commands/index.html');
    await page.keyboard.press('/');
    const input = page.getByRole('searchbox', { name: 'Search' });
    await input.pressSequentially('PRONTUARIO');
    const results = page.locator('.finder li');
    await results.first().waitFor();
    expect(await results.first().textContent()).toMatch(/prontuário/i);
    expect(await results.first().locator('mark').first().textContent()).toMatch(/^prontuário$/i);

    for (const [asked, heading] of [
      ['worklist replay', 'laudio worklist replay'],
      ['VERSION_CONFLICT', 'VERSION_CONFLICT'],
      ['keep_completed', 'How long things are kept'],
    ] as const) {
      await input.fill(asked);
      await expect.poll(() => results.locator('strong').allTextContents()).toContain(heading);
    }
    await input.fill('worklist set-status');
    await expect.poll(() => results.locator('strong').first().textContent()).toBe('laudio worklist set-status');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/commands\/worklist-set-status\.html$/);

    await page.keyboard.press('/');
    await input.fill('qwxyzzy');
    await expect.poll(() => page.locator('.finder .said').textContent()).toBe('Nothing has all words of “qwxyzzy”.');
    await page.keyboard.press('Escape');
    expect(await page.locator('.finder').isVisible()).toBe(false);
    expect(outside).toEqual([]);
    await page.context().close();
  });

  test('a look is chosen and kept, code is copied, and paper gets the words alone', async () => {
    const { page } = await open('guide-developer.html');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
    await page.goto(`${pathToFileURL(directory).href}/reference.html`);
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.side').isVisible()).toBe(false);
    expect(await page.locator('article').isVisible()).toBe(true);
    await page.context().close();
  });
});
