/** The app as the shell opens it: the real server, its storage, and logins that come back through a browser. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import { web } from '../../../desktop/bridge/carriers.ts';
import { openApp } from '../../../desktop/main/open-app.ts';
import type { OpenedApp } from '../../../desktop/main/open-app.ts';
import { systemClock } from '../../../src/node/clock.ts';
import type { Keychain } from '../../../src/node/login/keychain.ts';
import { findServers } from '../../../src/node/running-server.ts';
import { examFields } from '../../support/api.ts';
import { bridgeTo, fileOf } from '../../support/app-host.ts';
import { memoryKeychain } from '../../support/memory-keychain.ts';
import { logInAt } from '../../support/person-token.ts';
import { webBrowser } from '../../support/web-browser.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const person = { username: 'ana', display_name: 'Dra. Ana', password: 'correct horse battery' };

const noUpdates = { phase: 'unpublished', channel: 'stable', version: null } as const;

interface Device {
  readonly opened: OpenedApp;
  readonly bridge: Bridge;
  /** Addresses that the person's browser was taken to. */
  readonly visited: string[];
  readonly logins: () => number;
  readonly stateDirectory: string;
}

async function start(directory: string, keychain?: Keychain): Promise<Device> {
  const visited: string[] = [];
  let logins = 0;
  const stateDirectory = join(directory, 'state');
  const opened = await openApp({
    version: '0.0.0-test',
    dataDirectory: join(directory, 'data'),
    stateDirectory,
    clock: systemClock,
    log: () => undefined,
    keychain,
    passphrase: undefined,
    parts: {},
    openBrowser: async (url) => void visited.push(url),
    onLoggedIn: () => (logins += 1),
    updates: { state: noUpdates, choose: async () => undefined, restart: () => undefined },
    insertion: { insert: async () => 'copied', close: () => undefined },
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= opened.close());
  onTestFinished(close);
  return { opened: { ...opened, close }, bridge: bridgeTo(opened.app), visited, logins: () => logins, stateDirectory };
}

/** The files in which any of the traces can be found. */
async function holding(directory: string, traces: readonly Buffer[]): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const content = await readFile(join(parentPath, name));
    if (traces.some((trace) => content.includes(trace))) found.push(name);
  }
  return found;
}

describe('the app on this computer', () => {
  test.each([
    ['nothing, where there is a keychain', memoryKeychain(), true],
    ['what it keeps, where the person goes without', undefined, false],
  ])('shows on the disk %s', async (_what, keychain, isEncrypted) => {
    const directory = await temporaryDirectory();
    const { opened, bridge } = await start(directory, keychain);
    expect(opened.isEncrypted).toBe(isEncrypted);
    await bridge.call('session.start', { place: 'test' });
    const exam = examFields({ patient_id: 'id-canary' });
    await bridge.call('worklist.import', {}, fileOf(JSON.stringify(exam)));
    const { items } = await bridge.call('worklist.list', { refresh: true });
    const { id } = await bridge.call('dictation.start', {
      item_id: items[0]!.id,
      sample_rate: 16_000,
      language: 'pt-BR',
      template_id: null,
    });
    await bridge.call('dictation.take', { id, take: 'one', mode: 'append', at: null });
    const sound = new Int16Array(1600).fill(12_345);
    await bridge.call('dictation.block', { id, take: 'one', from: 0 }, sound.buffer);
    const traces = [Buffer.from('id-canary'), Buffer.from(items[0]!.id), Buffer.from(sound.buffer).subarray(0, 16)];
    await opened.close();
    const found = await holding(join(directory, 'data'), traces);
    if (isEncrypted) expect(found).toEqual([]);
    else expect(found).toEqual(expect.arrayContaining(['worklist.json', 'meta.json', 'sound.pcm']));
    const again = await start(directory, keychain);
    expect((await again.bridge.call('dictation.list', {})).items).toMatchObject([
      { id, recovered: true, seconds: 0.1 },
    ]);
  });

  test('lets its first user in at once, and keeps the tokens but never the password', async () => {
    const directory = await temporaryDirectory();
    const keychain = memoryKeychain();
    const { opened, bridge, visited } = await start(directory, keychain);
    const told: string[] = [];
    bridge.on('session', ({ phase }) => void told.push(phase));
    await bridge.call('session.first_user', person);
    expect([told, visited]).toEqual([['ready'], []]);
    expect(await bridge.call('session.state', {})).toMatchObject({ phase: 'ready', user: 'Dra. Ana' });
    expect(await bridge.call('worklist.list', {})).toMatchObject({ items: [] });
    await opened.close();
    const again = await start(directory, keychain);
    expect(await again.bridge.call('session.state', {})).toMatchObject({ phase: 'ready', user: 'Dra. Ana' });
    expect(await holding(directory, [Buffer.from(person.password)])).toEqual([]);
  });

  test('takes the person’s browser to the login, and is there when it comes back', async () => {
    const { opened, bridge, visited, logins } = await start(await temporaryDirectory());
    const told: string[] = [];
    bridge.on('session', ({ phase }) => void told.push(phase));
    await bridge.call('session.first_user', person);
    await bridge.call('session.end', {});
    expect(await bridge.call('session.start', { place: 'this-computer' })).toEqual({ go_to: null });
    expect(visited).toHaveLength(1);

    const end = await logInAt(webBrowser(opened.url), visited[0]!, person);
    expect([end.status, end.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await end.text()).toContain('You are logged in');
    expect(logins()).toBe(1);
    expect(told).toContain('ready');
    expect(await bridge.call('session.state', {})).toMatchObject({
      phase: 'ready',
      user: 'Dra. Ana',
      test_mode: false,
    });
  });

  test('admits only a person who began a login', async () => {
    const { opened, bridge, logins } = await start(await temporaryDirectory());
    for (const query of ['', '?code=x', '?code=x&state=y', '?error=access_denied&state=y']) {
      const answer = await fetch(`${opened.url}${web.callback}${query}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect(logins()).toBe(0);
    expect(await bridge.call('session.state', {})).toMatchObject({ phase: 'logged-out' });
  });

  test('has no page and no bridge over HTTP: the window is the only one', async () => {
    const { opened } = await start(await temporaryDirectory());
    for (const path of ['/', web.events, `${web.files}x`]) expect((await fetch(opened.url + path)).status).toBe(404);
    expect((await fetch(`${opened.url}${web.calls}session.state`, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test('is found by the command line while it runs, and frees its data when it ends', async () => {
    const directory = await temporaryDirectory();
    const first = await start(directory);
    await first.bridge.call('session.start', { place: 'test' });
    expect((await findServers(first.stateDirectory)).map(({ url }) => url)).toEqual([first.opened.url]);
    await expect(start(directory)).rejects.toMatchObject({ code: 'CONFIGURATION' });
    await first.opened.close();
    expect(await findServers(first.stateDirectory)).toEqual([]);

    const again = await start(directory);
    expect(await again.bridge.call('session.state', {})).toMatchObject({ phase: 'ready', user: 'Dra. Teste' });
  });
});
