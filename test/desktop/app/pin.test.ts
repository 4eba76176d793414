/** Signing by a PIN: asked for, sent at once or not at all, and kept nowhere. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import { testUser } from '../../../server/auth/accounts.ts';
import type { Client } from '../../../src/client/client.ts';
import { bridgeTo, outsider, setupCode, startWebServer, startWorkplace } from '../../support/app-host.ts';
import type { Workplace } from '../../support/app-host.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { webBrowser } from '../../support/web-browser.ts';

const pin = '73519284';
const { password } = testUser;
const hasPin = { has_pin: true, locked: false };
const because = (reason: string) => ({ code: 'FORBIDDEN', details: { reason } });

async function begin(): Promise<{ place: Workplace; bridge: Bridge; ris: Client }> {
  const place = await startWorkplace();
  const bridge = bridgeTo(place.visit());
  await bridge.call('session.start', { place: 'test' });
  return { place, bridge, ris: await outsider(place.server) };
}

async function draft({ bridge, ris }: { bridge: Bridge; ris: Client }) {
  const text = 'Test Patient. Findings: lungs are clear. Impression: normal.';
  const { id } = (await ris.records.generate({ body: { text } })).data;
  const { version } = await bridge.call('record.get', { id });
  return { id, version };
}

test('a person with a PIN gives it with each signature; a wrong one is reported, five in a row lock it, and the password sets another', async () => {
  const scene = await begin();
  const { bridge } = scene;
  const state = async () => (await bridge.call('session.state', {})).pin;
  expect(await state()).toEqual({ has_pin: false, locked: false });
  await expect(bridge.call('pin.set', { password: 'not mine', pin })).rejects.toMatchObject(because('password_wrong'));
  await expect(bridge.call('pin.set', { password, pin: '12' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(await bridge.call('pin.set', { password, pin })).toEqual(hasPin);
  expect(await state()).toEqual(hasPin);

  const report = await draft(scene);
  await expect(bridge.call('record.sign', report)).rejects.toMatchObject(because('pin_missing'));
  for (const _ of [1, 2, 3, 4])
    await expect(bridge.call('record.sign', { ...report, pin: '0000' })).rejects.toMatchObject(because('pin_wrong'));
  await expect(bridge.call('record.sign', { ...report, pin: '0000' })).rejects.toMatchObject(because('pin_locked'));
  await eventually(async () => expect(await state()).toEqual({ has_pin: true, locked: true }));
  await bridge.call('pin.set', { password, pin });
  expect(await bridge.call('record.sign', { ...report, pin })).toMatchObject({
    outcome: 'saved',
    record: { signing: { by: testUser.display_name } },
  });
  await bridge.call('pin.set', { password, pin: null });
  expect(await bridge.call('record.sign', await draft(scene))).toMatchObject({ outcome: 'saved' });
});

test('a PIN that was set elsewhere is heard of by the refusal; one that the operator took away is asked for no more', async () => {
  const scene = await begin();
  const { bridge, ris } = scene;
  const report = await draft(scene);
  await ris.signatures.setPin({ body: { password, pin } });
  await expect(bridge.call('record.sign', report)).rejects.toMatchObject(because('pin_missing'));
  await eventually(async () => expect((await bridge.call('session.state', {})).pin).toEqual(hasPin));
  await ris.signatures.setPin({ body: { password, pin: null } });
  expect(await bridge.call('record.sign', { ...report, pin })).toMatchObject({ outcome: 'saved' });
});

test('offline a signature with a PIN does not wait: the draft stays, with typed text, also after a restart', async () => {
  const scene = await begin();
  const { place, bridge, ris } = scene;
  await bridge.call('pin.set', { password, pin });
  const report = await draft(scene);
  place.network.isUp = false;
  const saved = await bridge.call('record.save', { ...report, title: 'Typed offline' });
  expect(saved).toMatchObject({ outcome: 'queued' });
  await expect(bridge.call('record.sign', { ...report, pin })).rejects.toMatchObject({ code: 'NETWORK' });
  expect(await bridge.call('session.state', {})).toMatchObject({ waiting: 1, pin: hasPin });
  expect(await bridge.call('record.get', { id: report.id })).toMatchObject({ status: 'draft', title: 'Typed offline' });

  const again = bridgeTo((await place.restart()).visit());
  expect(await again.call('session.state', {})).toMatchObject({ pin: hasPin });
  await expect(again.call('record.sign', report)).rejects.toMatchObject(because('pin_missing'));
  place.network.isUp = true;
  // What waits is sent first, so that the signature is over the words on the screen.
  const { record } = await again.call('record.sign', { ...report, pin });
  expect(record).toMatchObject({ title: 'Typed offline', signing: { by: testUser.display_name } });
  expect((await ris.records.get({ params: { id: report.id } })).data).toMatchObject({ title: 'Typed offline' });
});

test('neither the PIN nor the password is in any file or log, here or at the service', async () => {
  const dataDir = await temporaryDirectory();
  const web = await startWebServer({ dataDir, directory: join(dataDir, 'app') });
  const browser = webBrowser(web.server.url);
  onTestFinished(() => browser.close());
  const { bridge } = browser;
  const person = { username: 'ana', display_name: 'Dra. Ana', password: 'canary horse battery' };
  await bridge.call('session.first_user', { ...person, code: setupCode });
  await bridge.call('pin.set', { password: person.password, pin });
  await bridge.call('session.start', { place: 'test' });
  await bridge.call('pin.set', { password, pin });
  const report = await draft({ bridge, ris: await outsider(web.server) });
  await expect(bridge.call('record.sign', { ...report, pin: pin.replace('7', '8') })).rejects.toMatchObject(
    because('pin_wrong'),
  );
  expect(await bridge.call('record.sign', { ...report, pin })).toMatchObject({ outcome: 'saved' });
  await web.close();
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  const all = [...files, ...contents, JSON.stringify(web.logged)].join('\n');
  expect(all).toContain('Test Patient');
  for (const canary of [pin, pin.replace('7', '8'), person.password]) expect(all).not.toContain(canary);
});
