/** On paper: the report, whose it is and who signed it, whatever of the app is on the screen. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openReport, report, signReport, startApp, useBrowser } from '../support/app.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const browser = useBrowser();

/** What the printer gets, and where on the paper it begins. */
async function printed(page: Page): Promise<{ text: string; top: number; colours: string[] }> {
  await page.emulateMedia({ media: 'print' });
  const seen = await page.evaluate(() => {
    const sheet = document.querySelector('.print-sheet')!;
    const colours = [getComputedStyle(sheet).color, getComputedStyle(document.body).backgroundColor];
    return { text: document.body.innerText, top: sheet.getBoundingClientRect().top, colours };
  });
  await page.emulateMedia({ media: 'screen' });
  return seen;
}

/** How far the text of a printed line is from the right edge of the line, in pixels. */
async function gapAtRight(page: Page, text: string): Promise<number> {
  await page.emulateMedia({ media: 'print' });
  const gap = await page.locator('.print-sheet p', { hasText: text }).evaluate((line) => {
    const words = document.createRange();
    words.selectNodeContents(line);
    return line.getBoundingClientRect().right - words.getBoundingClientRect().right;
  });
  await page.emulateMedia({ media: 'screen' });
  return gap;
}

async function countPages(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: 'A4' });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

/** As two hospitals of the samples are called. */
const letterheads = ['Hospital São Lucas', 'Clínica Boa Vista'].map((name) => [
  name,
  'Rua A, 10',
  '+55 51 3333-0000',
  'مستشفى القديس لوقا',
]);

test('letterhead, patient, exam, accession, signer and dates, black on white, at every size', async () => {
  const page = await openReport(browser(), (await startApp({ letterheads })).url, { colorScheme: 'dark' });
  const [accession] = (await page.locator('.exam-facts').first().innerText()).match(/[A-Z]{2,}-[\d-]+/) ?? [];
  expect(accession).toBeDefined();
  const draft = await printed(page);
  expect(draft.text).toContain('Draft: not signed yet');
  expect(await gapAtRight(page, 'مستشفى القديس لوقا')).toBeCloseTo(0);
  expect(await gapAtRight(page, 'Rua A, 10')).toBeGreaterThan(100);

  await signReport(page);
  await report(page).getByText('Signed, version 2').waitFor();
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1024, height: 700 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport);
    const find = async () => (await printed(page)).text;
    await expect.poll(find).toContain('Signed by');
    const { text, top, colours } = await printed(page);
    expect(text).toMatch(/^(Hospital São Lucas|Clínica Boa Vista)\s+Rua A, 10\s+\+55 51 3333-0000\s/);
    expect(text).toMatch(/Patient\s+Paciente Anônimo/);
    expect(text).toMatch(/Exam\s+.+\([A-Z]{2}\)/);
    expect(text).toMatch(/Exam date\s+\d\d\/\d\d\/\d{4}, \d\d:\d\d/);
    expect(text).toContain(accession);
    expect(text).toMatch(/Signed by\s+Dra\. Teste/);
    expect(text).toMatch(/Signed on\s+\d/);
    expect(text).toContain('Impression');
    expect(text).not.toMatch(/Draft|To report|Dictate|Add addendum/);
    expect([top, await countPages(page)]).toEqual([0, 1]);
    expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  }
  // A browser that prints to a file names the file after the page.
  const titles = await page.evaluate(() =>
    ['beforeprint', 'afterprint'].map((name) => {
      dispatchEvent(new Event(name));
      return document.title;
    }),
  );
  expect(titles).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d_[A-Z]{2}_[a-z-]+_[0-9A-Z]{8}$/), 'Laudio']);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await exported(page, titles[0]!)).toBe(plain((await printed(page)).text));
});

/** The words alone: without the marks by which plain text shows headings, notices and labels. */
const plain = (text: string): string =>
  text
    .replaceAll(/^(?:=+|-+)$/gm, '')
    .replaceAll(/^\[(.*)\]$/gm, '$1')
    .replaceAll(/[:\s]+/g, ' ')
    .trim();

/** What the service exports as text, saved under `name`. */
async function exported(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'More for this report' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Save as TXT' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${name}.txt`);
  const file = join(await temporaryDirectory(), name);
  await download.saveAs(file);
  return plain(await readFile(file, 'utf8'));
}
