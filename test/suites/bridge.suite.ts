/** What every carrier of the bridge does, whatever it is: the page must not be able to tell them apart. */
import { describe, expect, test } from 'vitest';
import type { Bridge, BridgeError } from '../../desktop/bridge/bridge.ts';
import { files } from '../../desktop/bridge/files.ts';
import { otherPerson } from '../../desktop/bridge/session.ts';
import { textOf } from '../../src/contract/messages/message.ts';
import type { Client } from '../../src/client/client.ts';
import { sendExam } from '../support/app-host.ts';
import { eventually } from '../support/eventually.ts';

/** A page in test mode that nobody has logged in with yet. */
export interface CarriedPage {
  readonly bridge: Bridge;
  /** Another application on the same server. */
  readonly ris: Client;
  /** What the page gets when it loads that address. */
  load(
    address: string,
    range?: string,
  ): Promise<{ status: number; type: string; bytes: Uint8Array; range: string | null }>;
}

/** `needsFirstUser`: whether a page makes the first user of a new server. */
export function bridgeSuite(name: string, open: () => Promise<CarriedPage>, { needsFirstUser = true } = {}): void {
  const loggedIn = async (): Promise<CarriedPage> => {
    const page = await open();
    await page.bridge.call('session.start', { place: 'test' });
    return page;
  };

  describe(`the bridge by ${name}`, () => {
    test('says that nobody is logged in, and lets nobody in', async () => {
      const { bridge } = await open();
      expect(await bridge.call('session.state', {})).toMatchObject({
        phase: 'logged-out',
        needs_first_user: needsFirstUser,
      });
      await expect(bridge.call('worklist.list', {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await expect(bridge.call('dictation.list', {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    });

    test('logs in, in test mode, without anybody being asked', async () => {
      const { bridge } = await loggedIn();
      expect(await bridge.call('session.state', {})).toMatchObject({
        phase: 'ready',
        place: 'test',
        test_mode: true,
        user: 'Dra. Teste',
        online: true,
      });
    });

    test('carries whose call it is, and the app refuses one of anybody but whoever is logged in', async () => {
      const { bridge } = await loggedIn();
      const { desk } = await bridge.call('session.state', {});
      const listAs = (whose: string) => bridge.call('worklist.list', {}, undefined, undefined, whose);
      expect(await listAs(desk!)).toMatchObject({ items: [] });
      for (const other of ['', `${desk}0`])
        await expect(listAs(other)).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: otherPerson } });
    });

    test('carries calls and what they give', async () => {
      const { bridge, ris } = await loggedIn();
      const id = await sendExam(ris);
      const { items, as_of } = await bridge.call('worklist.list', { refresh: true });
      expect(items.map((item) => item.id)).toEqual([id]);
      expect(as_of).not.toBeNull();
      const taken = await bridge.call('worklist.take', { id });
      expect(taken).toMatchObject({ outcome: 'taken', item: { status: 'in_progress', assigned_to: 'Dra. Teste' } });
    });

    test('carries text of every kind', async () => {
      const { bridge } = await loggedIn();
      const settings = await bridge.call('settings.get', {});
      const microphone = 'Mikrofon „ä“ 🎙 \n\\ "';
      expect(await bridge.call('settings.set', { ...settings, microphone })).toMatchObject({ microphone });
      expect(await bridge.call('settings.get', {})).toMatchObject({ microphone });
    });

    test('carries sound, and gives it back as a file, whole and in part', async () => {
      const { bridge, ris, load } = await loggedIn();
      const item_id = await sendExam(ris);
      const { id } = await bridge.call('dictation.start', {
        item_id,
        sample_rate: 16_000,
        language: 'pt-BR',
        template_id: null,
      });
      await bridge.call('dictation.take', { id, take: 'one', mode: 'append', at: null });
      const samples = Int16Array.from({ length: 1600 }, (_, at) => at - 800);
      const saved = await bridge.call('dictation.block', { id, take: 'one', from: 0 }, samples.buffer);
      expect(saved).toMatchObject({ stored: 1600, is_current: true });
      await bridge.call('dictation.pause', { id });

      const whole = await load(bridge.address(files.dictation(id)));
      expect(whole).toMatchObject({ status: 200, type: 'audio/wav' });
      expect(new Int16Array(whole.bytes.slice(44).buffer)).toEqual(samples);
      const part = await load(bridge.address(files.dictation(id)), 'bytes=44-47');
      expect(part).toMatchObject({ status: 206, range: `bytes 44-47/${whole.bytes.length}` });
      expect(part.bytes).toEqual(whole.bytes.slice(44, 48));
    });

    test('refuses what the table does not know', async () => {
      const { bridge } = await loggedIn();
      const call = bridge.call as (name: string, input: unknown, bytes?: ArrayBuffer) => Promise<unknown>;
      await expect(call('worklist.everything', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(call('constructor', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(call('worklist.take', {})).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      await expect(call('worklist.take', { id: '../x' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      await expect(call('worklist.take', { id: 'a', more: 1 })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      await expect(call('record.get', { id: 'rec_unknown' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('says no with code, message and next step', async () => {
      const { bridge, ris } = await loggedIn();
      await bridge.call('session.lock', {});
      await sendExam(ris);
      const refusal = await bridge.call('worklist.list', {}).catch((error: unknown) => error);
      const { code, message, hint = '' } = refusal as BridgeError;
      expect([code, textOf(message), textOf(hint)]).toEqual([
        'UNAUTHORIZED',
        'The screen is locked.',
        'Log in again to go on.',
      ]);
    });

    test('locks, and opens for the same person', async () => {
      const { bridge, load } = await loggedIn();
      await bridge.call('session.lock', {});
      expect(await bridge.call('session.state', {})).toMatchObject({ phase: 'locked', user: 'Dra. Teste' });
      await expect(bridge.call('settings.get', {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      expect((await load(bridge.address(files.audio('rec_1')))).status).toBe(401);
      await bridge.call('session.start', { place: 'test' });
      expect(await bridge.call('session.state', {})).toMatchObject({ phase: 'ready' });
      await bridge.call('settings.get', {});
    });

    test('sends events from elsewhere, until it is stopped', async () => {
      const { bridge, ris } = await loggedIn();
      const told: unknown[] = [];
      const stop = bridge.on('item', (data) => void told.push(data));
      const known: unknown[] = [];
      bridge.on('session', (data) => void known.push(data));
      // Whoever listens hears of an exam only once the carrier and the feed are connected.
      await eventually(async () => {
        await sendExam(ris);
        expect(told.length).toBeGreaterThan(0);
      });
      const id = await sendExam(ris);
      await eventually(() =>
        expect(told).toContainEqual(expect.objectContaining({ id, change: 'inserted', status: 'new' })),
      );
      expect(await bridge.call('worklist.list', { ids: [id] })).toMatchObject({ items: [{ id, status: 'new' }] });
      stop();
      const before = told.length;
      await bridge.call('worklist.take', { id });
      await bridge.call('session.lock', {});
      await eventually(() => expect(known).toContainEqual(expect.objectContaining({ phase: 'locked' })));
      expect(told.length).toBe(before);
    });

    test('sends a locked page nothing else', async () => {
      const { bridge, ris } = await loggedIn();
      const told: string[] = [];
      bridge.on('item', () => void told.push('item'));
      bridge.on('session', ({ phase }) => void told.push(phase));
      await eventually(async () => {
        await sendExam(ris);
        expect(told).toContain('item');
      });
      await bridge.call('session.lock', {});
      await eventually(() => expect(told).toContain('locked'));
      const locked = told.length;
      // While the later ones are sent, the first has long been told to whoever may hear of it.
      for (let sent = 0; sent < 5; sent++) await sendExam(ris);
      expect(told.slice(locked).filter((name) => name === 'item')).toEqual([]);
      await bridge.call('session.start', { place: 'test' });
      const { items } = await bridge.call('worklist.list', { refresh: true });
      expect(items.length).toBeGreaterThan(5);
    });

    test('ends', async () => {
      const { bridge } = await loggedIn();
      await bridge.call('session.end', {});
      expect(await bridge.call('session.state', {})).toMatchObject({ phase: 'logged-out', user: null });
      await expect(bridge.call('settings.get', {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    });
  });
}
