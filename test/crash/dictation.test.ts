/** The app is killed while it records and while it sends, at chance moments and at each point of its way. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { records } from '../../src/contract/record.ts';
import { hastyClock, openDesk, startService } from '../desktop/app/dictations/open-dictations.ts';
import { wavHeader } from '../support/audio.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chance, moment, rounds, seed } from './chance.ts';
import type { Orders } from './dictation-app.ts';

const app = fileURLToPath(new URL('dictation-app.ts', import.meta.url));
const service = await startService({}, afterAll);
/** Rounds of each test by chance. */
const count = rounds(3);

/** What it said until it ended. `kill` decides at each line whether to kill it, and what is waited for before. */
async function runApp(
  orders: Orders,
  kill: (line: string) => Promise<void> | undefined = () => undefined,
): Promise<string[]> {
  const child = spawn(process.execPath, [app, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const end = once(child, 'close') as Promise<[number | null, string | null]>;
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    void kill(line)?.then(() => child.kill('SIGKILL'));
  }
  const [code, signal] = await end;
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`the app ended with ${code}`);
  return lines;
}

describe('an app that is killed while it records', () => {
  it('has every block that it said was saved, and at most one more', { timeout: 180_000 + count * 3000 }, async () => {
    const [blocks, samples] = [200, 800];
    let losses = 0;
    for (let round = 0; round < count; round++) {
      const directory = await temporaryDirectory();
      const last = `block ${Math.floor(chance(seed, round, 'block') * (blocks - 100))}`;
      const lines = await runApp({ directory, blocks, samples }, (line) =>
        line === last ? moment(20, round) : undefined,
      );
      const saved = lines.filter((line) => line.startsWith('block')).length;
      const desk = await openDesk({ directory, clock: hastyClock });
      const [dictation, ...others] = (await desk.call['dictation.list']({})).items;
      expect(others).toEqual([]);
      expect(dictation).toMatchObject({ state: 'paused' });
      // Between the last block and the word that it was paused it may be either.
      if (lines.includes('paused')) expect(dictation!.recovered).toBe(false);
      else if (saved < blocks) expect(dictation!.recovered).toBe(true);
      const heard = await desk.heard(dictation!.id);
      expect(heard.length).toBeGreaterThanOrEqual(saved * samples);
      expect(heard.length).toBeLessThanOrEqual((saved + 1) * samples);
      expect(heard.findIndex((value, index) => value !== Math.floor(index / samples))).toBe(-1);
      losses += heard.length - saved * samples;
      await desk.close();
    }
    expect(losses).toBeLessThanOrEqual(count * samples);
  });

  it('offers a dictation as soon as it said that it began', async () => {
    const directory = await temporaryDirectory();
    await runApp({ directory, blocks: 1, samples: 800, dieAt: 'started' });
    const desk = await openDesk({ directory, clock: hastyClock });
    expect((await desk.call['dictation.list']({})).items).toMatchObject([{ state: 'paused', seconds: 0 }]);
  });
});

describe('an app that is killed while it sends', () => {
  const blocks = 5;
  const samples = 8000;

  /** Kills it, opens it again and lets it finish. */
  async function livesOn(
    orders: Pick<Orders, 'dieAt'>,
    kill?: (line: string) => Promise<void> | undefined,
  ): Promise<string[]> {
    const directory = await temporaryDirectory();
    const item = await service.exam();
    const recordsNow = async () =>
      (await service.call(records.endpoints.list, { query: { worklist_item_id: item } })).data.items;
    const target = { url: service.server.url, token: service.token, item };
    const lines = await runApp({ directory, blocks, samples, service: target, ...orders }, kill);
    const whole = 44 + blocks * samples * 2;
    // As long as the service was not heard to have it, it is here.
    const sounds = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('sound.pcm'));
    if (!lines.includes('told done')) {
      expect(sounds).toHaveLength(1);
      expect((await stat(join(directory, sounds[0]!))).size).toBeGreaterThan(whole - 44);
    } else expect(await recordsNow()).toHaveLength(1);

    const desk = await openDesk({ directory, clock: hastyClock, client: service.client });
    const [left] = (await desk.call['dictation.list']({})).items;
    if (left) {
      if (left.state === 'paused') await desk.send(left.id);
      await desk.until(({ state }) => state === 'done');
    }
    await desk.close();
    const expected = createHash('sha256').update(wavOf(blocks, samples)).digest('hex');
    expect((await recordsNow()).map(({ source }) => source.sha256)).toEqual([expected]);
    expect((await readdir(directory, { recursive: true })).filter((name) => name.includes('sound'))).toEqual([]);
    return lines;
  }

  it.each([
    'paused',
    'told queued',
    'told sending',
    'asks POST generate',
    'answered POST generate',
    'told processing',
    'asks GET job',
    'answered GET job',
    'asks GET result',
    'answered GET result',
    'told done',
    'closed',
  ])('at “%s” has made exactly one document in the end, of the whole sound', async (dieAt) => {
    const lines = await livesOn({ dieAt });
    expect(lines.at(-1)).toBe(dieAt);
  });

  it('at any moment has made exactly one in the end', { timeout: 180_000 + count * 5000 }, async () => {
    for (let round = 0; round < count; round++) {
      await livesOn({}, (line) => (line === 'told queued' ? moment(60, round) : undefined));
    }
  });
});

function wavOf(blocks: number, samples: number): Buffer {
  const data = Buffer.concat(
    Array.from({ length: blocks }, (_, value) => Buffer.from(new Int16Array(samples).fill(value).buffer)),
  );
  return Buffer.concat([wavHeader(data.length), data]);
}
