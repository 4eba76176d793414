/** A viewer at the hub, and the page as report creator: each follows the other, and never under a live microphone. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/node/clock.ts';
import { reportId } from '../../src/protocols/fhircast/exam-context.ts';
import type { Said } from '../support/viewer.ts';
import {
  ask,
  findings,
  openItem,
  openSamples,
  pause,
  report,
  rows,
  speak,
  startApp,
  useBrowser,
  writeReport,
} from '../support/app.ts';
import type { RunningApp } from '../support/app.ts';
import { measured, names, openStudy, reportOf, startViewer, study } from '../support/viewer-of-page.ts';
import type { Hub } from '../support/viewer-of-page.ts';

const browser = useBrowser();

async function openFollowing(app: RunningApp): Promise<Page> {
  const page = await openSamples(browser(), app.url);
  const { output } = await ask(page, 'settings.get', {});
  await ask(page, 'settings.set', { ...output!, follow_viewer: true });
  await page.reload();
  await rows(page).first().waitFor();
  return page;
}

const isError = (said: Said) => said.event?.['hub.event'] === 'SyncError';
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
async function originsOf(page: Page): Promise<string[]> {
  const [record] = (await ask(page, 'record.for_item', { id: openItem(page) })).output!.items;
  const { id, version } = record!;
  const { output } = await ask(page, 'record.background', { id, version });
  return output!.provenance!.words.map(({ origin }) => origin);
}

const brain = 'SL-2026-004416';
const second = 'SL-2026-004417';

test('an exam opens from the viewer, a measurement comes over to the caret, and a selected one into focus', async () => {
  const app = await startApp();
  const page = await openFollowing(app);
  const hub = await startViewer(app);
  await openStudy(hub, brain);
  await heading(page, 'TC de crânio sem contraste').waitFor();
  await page.getByText('Viewer linked').waitFor();
  const { id, version } = await reportOf(hub.viewer, brain);
  await writeReport(page, 'Findings: Nodule in the liver. Impression: Nodule.');
  await findings(page).click();
  await findings(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(6, 6));
  const update = await hub.send('DiagnosticReport-update', measured(id, 'obs-1', 12.4, 8.1), { version });
  expect(update.status).toBe(202);
  await expect.poll(() => findings(page).inputValue()).toBe('Nodule 12.4 x 8.1 mm in the liver.');
  // The viewer corrects it, and points at it.
  const current = await hub.current();
  await hub.send('DiagnosticReport-update', measured(id, 'obs-1', 12.4, 9), {
    version: String(current.json['context.versionId']),
  });
  await expect.poll(() => findings(page).inputValue()).toBe('Nodule 12.4 x 9 mm in the liver.');
  await hub.send('DiagnosticReport-select', [
    { key: 'report', reference: { reference: `DiagnosticReport/${id}` } },
    { key: 'select', reference: { reference: 'Observation/obs-1' } },
  ]);
  const selected = () =>
    findings(page).evaluate((field: HTMLTextAreaElement) =>
      field.value.slice(field.selectionStart, field.selectionEnd),
    );
  await expect.poll(selected).toBe('12.4 x 9 mm');
  await expect.poll(() => originsOf(page)).toContain('viewer');
});

/** Sends a measurement about the report that is open at the hub. */
const measure = async (hub: Hub, id: string, ...values: number[]) => {
  const version = String((await hub.current()).json['context.versionId']);
  expect((await hub.send('DiagnosticReport-update', measured(id, 'obs-1', ...values), { version })).status).toBe(202);
};

test('after a reload a correction changes its own words alone, and the caret stays with the person', async () => {
  const app = await startApp();
  const page = await openFollowing(app);
  const hub = await startViewer(app);
  await openStudy(hub, brain);
  await heading(page, 'TC de crânio sem contraste').waitFor();
  const { id } = await reportOf(hub.viewer, brain);
  await writeReport(page, 'Findings: Cyst of 15.2 mm. Nodule in the liver. Impression: Nodule.');
  await findings(page).click();
  const end = 'Cyst of 15.2 mm. Nodule'.length;
  await findings(page).evaluate((field: HTMLTextAreaElement, at) => field.setSelectionRange(at, at), end);
  await measure(hub, id, 5.2);
  await expect.poll(() => findings(page).inputValue()).toBe('Cyst of 15.2 mm. Nodule 5.2 mm in the liver.');
  await expect.poll(() => originsOf(page)).toContain('viewer');
  await page.reload();
  await expect.poll(() => findings(page).inputValue()).toBe('Cyst of 15.2 mm. Nodule 5.2 mm in the liver.');
  for (const [at, value, left] of [
    [4, 6, 4],
    [42, 17.25, 45],
  ] as const) {
    await findings(page).click();
    await findings(page).evaluate((field: HTMLTextAreaElement, caret) => field.setSelectionRange(caret, caret), at);
    await measure(hub, id, value);
    await expect.poll(() => findings(page).inputValue()).toContain(`Nodule ${value === 6 ? '6' : '17.3'} mm in`);
    expect(await findings(page).evaluate((field: HTMLTextAreaElement) => field.selectionStart)).toBe(left);
  }
  expect(await findings(page).inputValue()).toBe('Cyst of 15.2 mm. Nodule 17.3 mm in the liver.');
  const deletion = [
    { key: 'report', reference: { reference: `DiagnosticReport/${id}` } },
    {
      key: 'updates',
      resource: { resourceType: 'Bundle', entry: [{ request: { method: 'DELETE', url: 'Observation/obs-1' } }] },
    },
  ];
  await hub.send('DiagnosticReport-update', deletion, {
    version: String((await hub.current()).json['context.versionId']),
  });
  await page.getByText('The viewer deleted 17.3 mm').waitFor();
  // The words are the person's now.
  await findings(page).fill('Cyst of 15.2 mm. Nodule 117.3 mm in the liver.');
  await measure(hub, id, 18);
  await page.getByText('The viewer changed 17.3 mm to 18 mm').waitFor();
  expect(await findings(page).inputValue()).toBe('Cyst of 15.2 mm. Nodule 117.3 mm in the liver.');
});

test('a measurement waits while its report loads, over a reload too; in a signed report it waits for an addendum', async () => {
  const app = await startApp();
  const page = await openFollowing(app);
  const { output } = await ask(page, 'settings.get', {});
  await ask(page, 'settings.set', { ...output!, grace_seconds: 0 });
  const hub = await startViewer(app);
  await openStudy(hub, brain);
  await heading(page, 'TC de crânio sem contraste').waitFor();
  const { id } = await reportOf(hub.viewer, brain);
  await writeReport(page, 'Findings: Nodule. Impression: Nodule.');
  await page.route(/record\.for_item$/, (route) => route.abort());
  await page.reload();
  await heading(page, 'TC de crânio sem contraste').waitFor();
  await measure(hub, id, 5);
  await page.getByText('5 mm came from the viewer. It goes into the report once').waitFor();
  await page.unroute(/record\.for_item$/);
  await page.reload();
  await expect.poll(() => findings(page).inputValue()).toBe('Nodule. 5 mm');
  await expect.poll(() => originsOf(page)).toContain('viewer');
  const [record] = (await ask(page, 'record.for_item', { id: openItem(page) })).output!.items;
  await ask(page, 'record.sign', { id: record!.id, version: record!.version });
  await report(page)
    .getByText(/Signed, version/)
    .waitFor();
  await measure(hub, id, 6);
  await page.getByText('6 mm came from the viewer, and this report is signed.').waitFor();
  await report(page).getByRole('button', { name: 'Add addendum' }).click();
  const addendum = report(page).getByLabel('Text of the addendum');
  await expect.poll(() => addendum.inputValue()).toBe('6 mm');
  await measure(hub, id, 7);
  await expect.poll(() => addendum.inputValue()).toBe('7 mm');
});

test('each follows the other; a report that is left comes back as it was', async () => {
  const app = await startApp();
  const page = await openFollowing(app);
  const hub = await startViewer(app);
  await openStudy(hub, brain);
  await heading(page, 'TC de crânio sem contraste').waitFor();
  const first = openItem(page);
  await findings(page).fill('Half a sentence');
  await findings(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(4, 4));
  await openStudy(hub, second);
  await hub.send('ImagingStudy-close', study(brain));
  await expect.poll(() => openItem(page)).not.toBe(first);
  await hub.viewer.hears(names(second));
  // A page at the list that comes second, and one in the background, change nothing at the hub.
  const behind = await page.context().newPage();
  await behind.addInitScript(() => (document.hasFocus = () => false));
  await behind.goto(app.url);
  await rows(behind).nth(5).click();
  await expect.poll(() => openItem(behind)).not.toBe('');
  const unseen = openItem(behind);
  await behind.close();
  await openStudy(hub, brain);
  await expect.poll(() => openItem(page)).toBe(first);
  await expect.poll(() => findings(page).inputValue()).toBe('Half a sentence');
  const caret = () =>
    findings(page).evaluate((field: HTMLTextAreaElement) => [document.activeElement === field, field.selectionStart]);
  await expect.poll(caret).toEqual([true, 4]);
  // The person goes on in Laudio, and to the list.
  await rows(page).nth(3).click();
  await expect.poll(() => openItem(page)).not.toBe(first);
  const other = reportId(openItem(page));
  const isAbout = (id: string) => (said: Said) => said.event?.context[0]?.resource?.id === id;
  await hub.viewer.hears(isAbout(other));
  const isClosing = (said: Said) => said.event?.['hub.event'] === 'DiagnosticReport-close';
  expect(hub.viewer.said.some(isClosing)).toBe(false);
  await page.evaluate(() => void (location.hash = '#/'));
  await hub.viewer.hears(isClosing);
  expect(hub.viewer.said.some(isAbout(reportId(unseen)))).toBe(false);
  expect((await hub.current()).json['context.type']).toBe('');
});

test('under a live microphone nothing changes: Laudio refuses, says why on both sides, and goes when it is asked', async () => {
  const app = await startApp();
  const page = await openFollowing(app);
  const hub = await startViewer(app);
  await openStudy(hub, brain);
  await heading(page, 'TC de crânio sem contraste').waitFor();
  const dictated = openItem(page);
  await speak(page, 1);
  await hub.send('ImagingStudy-close', study(brain));
  await page.getByRole('alert').filter({ hasText: 'The viewer closed this exam' }).waitFor();
  await openStudy(hub, second);
  const error = await hub.viewer.hears(
    (said) => isError(said) && JSON.stringify(said.event!.context).includes('Somebody dictates'),
  );
  expect(JSON.stringify(error.event!.context)).toContain('Laudio');
  const apart = page.getByRole('alert').filter({ hasText: 'The viewer shows another exam' });
  await apart.waitFor();
  await page.getByText('Viewer apart').waitFor();
  expect(openItem(page)).toBe(dictated);
  // The banner leaves the button in sight on a low screen, and on a phone.
  const size = page.viewportSize()!;
  const isInSight = (node: Element): boolean => {
    const { x, width, bottom } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(x + width / 2, bottom - 2));
  };
  const button = page.getByRole('button', { name: 'Pause', exact: true });
  for (const [width, height] of [
    [1024, 700],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => button.evaluate(isInSight)).toBe(true);
  }
  await page.setViewportSize(size);
  await pause(page);
  await apart.getByRole('button', { name: 'Open the viewer’s exam' }).click();
  await expect.poll(() => openItem(page)).not.toBe(dictated);
  await apart.waitFor({ state: 'detached' });
  await hub.viewer.hears(names(second));
  // An exam that isn't here.
  await openStudy(hub, 'NO-SUCH');
  await page.getByText('not in the worklist').waitFor();
  await page.getByRole('button', { name: 'Show this exam in the viewer' }).click();
  await page.getByText('not in the worklist').waitFor({ state: 'detached' });
  // The viewer can't follow, and says so.
  await hub.send('SyncError', [
    {
      key: 'operationoutcome',
      resource: {
        resourceType: 'OperationOutcome',
        issue: [{ severity: 'warning', code: 'processing', diagnostics: 'Viewer: the study is offline.' }],
      },
    },
  ]);
  await page.getByText('the study is offline').waitFor();
  await page.evaluate(() => void (location.hash = '#/'));
  await hub.send('userLogout', []);
  await page.getByRole('button', { name: /test data/ }).waitFor();
});

test('while somebody dictates, a measurement goes where the words go, and keeps its origin in the report', async () => {
  const app = await startApp();
  const page = await openFollowing(app);
  const hub = await startViewer(app);
  await openStudy(hub, brain);
  await heading(page, 'TC de crânio sem contraste').waitFor();
  const { id, version } = await reportOf(hub.viewer, brain);
  await speak(page, 2);
  await hub.send('DiagnosticReport-update', measured(id, 'obs-1', 7), { version });
  const texts = () =>
    report(page)
      .locator('.live-text textarea')
      .evaluateAll((fields: HTMLTextAreaElement[]) => fields.map(({ value }) => value).join('|'));
  await expect.poll(texts).toContain('7 mm');
  await pause(page);
  await page.getByRole('button', { name: /Generate report/ }).click();
  await report(page).getByText('Draft, version 2').waitFor();
  expect(await originsOf(page)).toContain('viewer');
});

test('an opening that comes twice or late changes nothing', async () => {
  const app = await startApp();
  const page = await openFollowing(app);
  const hub = await startViewer(app);
  const { id } = await openStudy(hub, brain);
  await heading(page, 'TC de crânio sem contraste').waitFor();
  const first = openItem(page);
  await openStudy(hub, second);
  await expect.poll(() => openItem(page)).not.toBe(first);
  const now = openItem(page);
  const { event } = await hub.viewer.hears(names(second));
  // Taken once by its id; one with an older time is late.
  expect((await hub.send('ImagingStudy-open', study(brain), { id })).status).toBe(202);
  const timestamp = new Date(systemClock.now() - 60_000).toISOString();
  const late = { 'hub.topic': event!['hub.topic'], 'hub.event': 'ImagingStudy-open', context: study(brain) };
  const sent = await hub.ask('POST', '', JSON.stringify({ id: 'late', timestamp, event: late }), 'application/json');
  expect(sent.status).toBe(202);
  await openStudy(hub, 'NO-SUCH');
  await page.getByText('not in the worklist').waitFor();
  expect(openItem(page)).toBe(now);
});
