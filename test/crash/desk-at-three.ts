/** A physician at a server of three processes: each is killed in turn while words and sound arrive, and nothing told as kept is lost. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { BridgeError } from '../../desktop/bridge/bridge.ts';
import { contract } from '../../src/contract/index.ts';
import { quick, startPostgres } from '../support/postgres.ts';
import { startServerProcesses } from '../support/server-processes.ts';
import { webBrowser } from '../support/web-browser.ts';

const rate = 16_000;
const blocks = 45;
const samples = 1600;

export async function playDesk(): Promise<void> {
  await using postgres = await startPostgres(quick);
  await using server = await startServerProcesses(3, postgres);
  const exam = {
    accession_number: 'DESK-1',
    patient_id: 'P-1',
    patient_name: 'TESTE^PACIENTE',
    modality: 'CT',
    exam_datetime: '2026-03-02T08:30:00-03:00',
    exam_description: 'TC de tórax sem contraste',
  };
  await server.ask(contract.worklists.endpoints.ingest.path, { method: 'POST', key: 'desk', body: [exam] });
  let turn = 0;
  /** The next process each time, as a balancer does; one that is not there is passed over. */
  const send = (async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const { url } = server.processes[turn++ % server.processes.length]!;
    const headers = init?.method === 'POST' ? { ...init.headers, origin: url } : init?.headers;
    return fetch(`${url}${pathname}${search}`, { ...init, ...(headers && { headers }) });
  }) as typeof fetch;
  const browser = webBrowser(server.processes[0]!.url, send);
  onTestFinished(() => browser.close());
  const { bridge } = browser;
  /** As the page does: until a process answers. */
  const persist = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!['SERVER_BUSY', 'NETWORK', 'STORAGE_UNAVAILABLE'].includes((error as BridgeError).code)) throw error;
        await wait(100);
      }
    }
  };
  await persist(() => bridge.call('session.start', { place: 'test' }));
  const { items } = await persist(() => bridge.call('worklist.list', {}));
  const subject = items[0]!.id;
  const language = 'pt-BR';
  const { id } = await persist(() =>
    bridge.call('dictation.start', { item_id: subject, sample_rate: rate, language, template_id: null }),
  );
  const take = randomUUID();
  const begin = () => bridge.call('dictation.take', { id, take, mode: 'append', at: null });
  await persist(begin);
  let restarting: Promise<void> | undefined;
  for (let nth = 0; nth < blocks; nth++) {
    if (nth % 15 === 5) {
      await restarting;
      restarting = server.processes[Math.floor(nth / 15)]!.restart();
    }
    const from = nth * samples;
    const text = `Palavra ${nth}`;
    await persist(() => bridge.call('typed.keep', { kind: 'text', subject, text }));
    const kept = await persist(async () => {
      const { stored } = await begin();
      if (stored > from) return { stored };
      return bridge.call('dictation.block', { id, take, from }, new ArrayBuffer(samples * 2));
    });
    expect(kept.stored).toBe(from + samples);
    expect((await persist(() => bridge.call('typed.list', {}))).items).toMatchObject([{ subject, text }]);
  }
  await restarting;
  const { items: dictations } = await persist(() => bridge.call('dictation.list', {}));
  expect(dictations).toMatchObject([{ id, seconds: (blocks * samples) / rate }]);
}
