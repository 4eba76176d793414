/** The first page, and how people come in: this computer's first user, the login again, test data, lock and unlock. */
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  bruno,
  dropSamples,
  enterTestMode,
  fillLogin,
  logIn,
  openAs,
  openExam,
  openItem,
  openPage,
  rows,
  startApp,
  useBrowser,
} from '../support/app.ts';
import { setupCode } from '../support/app-host.ts';

const browser = useBrowser();

test('three choices; who sets up this computer types name and password once and is in, and the second time logs in without consent', async () => {
  const app = await startApp();
  const page = await openPage(browser(), app.url);
  await page.getByRole('heading', { name: 'Where do you want to work?' }).waitFor();
  await expect.poll(() => page.getByRole('listitem').getByRole('button').count()).toBe(3);

  await page.getByRole('button', { name: /On this computer/ }).click();
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect.poll(() => page.getByText('Fill this in').count()).toBe(1);
  await page.getByLabel('Your name').fill(anna.display_name);
  await page.getByText('You will log in as anna.lima').waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('anna.lima');
  await page.getByLabel('Username').fill(anna.username);
  await page.getByLabel('Password').fill(anna.password);
  const code = page.getByLabel('Setup code');
  await code.fill('no code at all');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'That is not the setup code' }).waitFor();
  await code.fill(setupCode.toLowerCase());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No exams yet' }).waitFor();
  expect(new URL(page.url()).search).toBe('');

  // Without a RIS the first exam is entered.
  await page.getByRole('button', { name: 'New exam…' }).click();
  const form = page.getByRole('dialog', { name: 'New exam' });
  await form.getByLabel('Patient’s name').fill('Maria Lima');
  await form.getByLabel('Patient ID').fill('77');
  await form.getByLabel('Exam', { exact: true }).fill('CT of the chest');
  await form.getByRole('button', { name: 'Add the exam' }).click();
  await form.getByText('Fill this in.').waitFor();
  await form.getByLabel('Accession number').fill('HAND-1');
  await form.getByRole('button', { name: 'Add the exam' }).click();
  await page.getByRole('heading', { name: 'CT of the chest' }).waitFor();

  await page.getByRole('button', { name: /Account and settings/ }).click();
  await expect.poll(() => page.getByText(`Logged in as ${anna.display_name}`).isVisible()).toBe(true);
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Where do you want to work?' }).waitFor();
  // Nobody is asked again who works here: the login follows at once.
  await logIn(page, anna);
});

test('at the address of a hospital nothing is said to be on this computer', async () => {
  const app = await startApp();
  const page = await browser().newPage();
  const address = 'https://laudio.hospital.example';
  await page.route(`${address}/**`, async (route) => {
    const request = route.request();
    if ((await request.headerValue('accept'))?.includes('event-stream')) return route.abort();
    const headers = { ...request.headers(), origin: app.url };
    return route.fulfill({ response: await route.fetch({ url: request.url().replace(address, app.url), headers }) });
  });
  await page.goto(address);
  await page.getByRole('button', { name: /^On laudio\.hospital\.example/ }).waitFor();
  expect(await page.locator('body').textContent()).not.toMatch(/this computer|stays here/i);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
});

test('the page cannot read its own session, and another page cannot use it', async () => {
  const app = await startApp();
  const page = await openPage(browser(), app.url);
  await enterTestMode(page);
  await expect.poll(() => page.evaluate(() => document.cookie)).toBe('');
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(Object.keys(JSON.parse(kept) as object)).toEqual(['laudio.look']);
  const cookies = await page.context().cookies();
  expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
    { httpOnly: true, sameSite: 'Strict' },
  ]);
});

test('the language chosen at the first start is that of the login pages and of the app, also for a person who had another', async () => {
  const app = await startApp();
  await addPerson(app, anna);
  const page = await openAs(browser(), app.url, anna);
  const lang = () => page.locator('html').getAttribute('lang');
  expect(await lang()).toBe('en-US');
  await page.getByRole('button', { name: /Account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByLabel('Language of the app', { exact: true }).selectOption('pt-BR');
  await page.getByRole('button', { name: /Neste computador/ }).click();
  await page.getByRole('heading', { name: 'Entrar' }).waitFor();
  await page.getByLabel('Usuário').fill(anna.username);
  await page.getByLabel('Senha').fill(anna.password);
  // The page is left before the app has heard of it.
  const told = Promise.withResolvers<void>();
  await page.route(/settings\.set$/, () => told.resolve(), { times: 1 });
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('heading', { name: 'Exames', exact: true, level: 1 }).waitFor();
  await told.promise;
  const heard = page.waitForResponse(/settings\.set$/);
  await page.reload();
  await page.getByRole('heading', { name: 'Exames', exact: true, level: 1 }).waitFor();
  await heard;
  const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('laudio.look') ?? '{}') as object);
  await expect.poll(kept).toEqual({ theme: 'system', locale: 'pt-BR' });
  expect(await lang()).toBe('pt-BR');
});

test('a login that is cancelled comes back with a word about it', async () => {
  const app = await startApp();
  await addPerson(app, anna);
  const page = await openPage(browser(), app.url);
  await page.getByRole('button', { name: /On this computer/ }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alert').filter({ hasText: 'The login was not accepted' }).waitFor();
});

test('locked: nothing of a patient is left on the page; the same person goes on, another one cannot', async () => {
  const app = await startApp();
  await Promise.all([addPerson(app, anna), addPerson(app, bruno)]);
  const page = await openAs(browser(), app.url, anna);
  await dropSamples(page);
  await openExam(page);
  const place = new URL(page.url()).hash;
  const lock = async () => {
    await page.getByRole('button', { name: /Account and settings/ }).click();
    await page.getByRole('menuitem', { name: 'Lock' }).click();
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
  };
  await lock();
  await expect.poll(() => page.content()).not.toMatch(/Paciente|Patient/);
  await expect.poll(() => page.title()).toBe('Laudio · Lock');
  await page.reload();
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await page.getByRole('button', { name: 'Log in and go on' }).click();
  await fillLogin(page, bruno);
  await page.getByRole('alert').filter({ hasText: 'The login was not accepted' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('button', { name: 'Log in and go on' }).click();
  await fillLogin(page, anna);
  await rows(page).first().waitFor();
  // At the exam that was open.
  expect([new URL(page.url()).hash, await page.evaluate(() => sessionStorage.length)]).toEqual([place, 0]);
  // A link of the PACS waits for the login, too.
  await page.getByRole('button', { name: /Account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Where do you want to work?' }).waitFor();
  await page.evaluate(() => void (location.hash = '#/exam?accession=SL-2026-004420'));
  await page.getByRole('button', { name: /On this computer/ }).click();
  await fillLogin(page, anna);
  await page.getByText('SL-2026-004420').first().waitFor();
  expect([openItem(page) !== '', await page.evaluate(() => sessionStorage.length)]).toEqual([true, 0]);
});

test('a new service is asked nothing before its operator agrees', async () => {
  const app = await startApp();
  const page = await openPage(browser(), app.url);
  await page.getByRole('button', { name: /On my institution’s server/ }).click();
  await page.getByLabel('Address').fill('laudio.example.org');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').filter({ hasText: 'setup code shown in their terminal' }).waitFor();
  await page.getByLabel('Setup code').fill(setupCode);
  await page.getByRole('button', { name: 'Log in' }).click();
  // Now it goes on, to what the service needs besides.
  await page.getByRole('alert').filter({ hasText: 'client id' }).waitFor();
});
