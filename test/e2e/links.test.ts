/** Another program opens an exam in the page by its numbers. */
import { expect, test } from 'vitest';
import { openSamples, pause, recorder, rows, speak, startApp, useBrowser, openItem } from '../support/app.ts';

const browser = useBrowser();

test('a link opens its exam, keeps no number in the address, and asks where somebody dictates', async () => {
  const app = await startApp();
  const page = await openSamples(browser(), app.url);
  const follow = (query: string) => page.evaluate((hash) => void (location.hash = hash), `#/exam?${query}`);
  const head = page.getByRole('heading', { name: 'TC de crânio sem contraste', level: 1 });
  await follow('accession=SL-2026-004416&patient_id=0045339');
  await recorder(page).waitFor();
  await head.waitFor();
  const id = openItem(page);
  expect(page.url()).toBe(`${app.url}/#/exam/${id}`);

  await follow('accession=SL-2026-004416&patient_id=0000001');
  await page.getByText('belongs to another patient here').waitFor();
  await follow('accession=NO-SUCH');
  await page.getByText('is not in the worklist').waitFor();
  expect(openItem(page)).toBe(id);

  await rows(page).nth(3).click();
  await page.waitForURL((url) => !url.hash.includes(id));
  const other = openItem(page);
  await speak(page, 1);
  await follow('accession=SL-2026-004416');
  await page.getByText('while you are dictating').waitFor();
  expect(openItem(page)).toBe(other);
  await pause(page);
  await page.getByRole('button', { name: 'Open it' }).click();
  await head.waitFor();
  expect(openItem(page)).toBe(id);
});

test("an exam's images open in one window of the viewer, by the numbers of the exam alone", async () => {
  const viewers = [{ hospital: null, address: 'https://pacs.example/viewer?acc={accession}' }];
  const app = await startApp({ viewers });
  const page = await openSamples(browser(), app.url);
  const asked: string[] = [];
  await page.context().route('https://pacs.example/**', async (route) => {
    asked.push(route.request().url());
    await route.fulfill({ contentType: 'text/html', body: '<title>Viewer</title>' });
  });
  const openImages = () => page.getByRole('link', { name: 'Open images' }).click();
  for (const [at, accession] of ['SL-2026-004416', 'SL-2026-004417'].entries()) {
    await rows(page).nth(at).click();
    await page.getByText(accession).first().waitFor();
    await openImages();
    await expect.poll(() => asked.at(-1)).toBe(`https://pacs.example/viewer?acc=${accession}`);
  }
});
