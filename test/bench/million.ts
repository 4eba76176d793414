/** A million exams in one server: its start, its memory, searches, and whether long work holds anybody up. */
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { contract } from '../../src/contract/index.ts';
import { backupType, exportType } from '../../src/contract/maintenance.ts';
import type { Ready } from '../support/process.ts';
import { takerOf } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { seed } from './ingest.ts';
import { longestSince } from './stalls.ts';
import { measureLoaded, memoryOf } from './start-up.ts';

const count = 1_000_000;

/** What is looked for: with hits and without, by each filter. */
const searches = {
  'a name that many have': { q: 'paciente' },
  'no hit': { q: 'zzyzx' },
  'one letter': { q: 'p' },
  'one letter, no hit': { q: 'w' },
  'several words': { q: 'torax contraste' },
  'several words, never together': { q: 'torax joelho mamografia' },
  'an accent': { q: 'tórax' },
  'an accession number': { q: `SL-${count / 2}` },
  'the beginning of an accession number': { q: 'SL-99' },
  'a patient’s id': { q: '0545871' },
  'assigned_to, no hit': { assigned_to: 'nobody' },
  'source_system, no hit': { source_system: 'none' },
  'modality, no hit': { modality: 'XA' },
  'status, no hit': { status: 'completed' },
  'words and status, no hit': { q: 'paciente', status: 'completed' },
} as const;

const what = `with ${count.toLocaleString('en')} stored`;
const mib = (bytes: number): number => bytes / 2 ** 20;

export async function millionRows({ serve, serveWatched, fresh }: Bench): Promise<Row[]> {
  const directory = fresh();
  {
    await using filling = await serve(directory);
    await seed(await takerOf(filling), count);
  }
  const { elapsed, rss } = await measureLoaded(() => serve(directory), 3);
  const atMost = { target: { atMost: 1 } } as const;
  const rows: Row[] = [
    {
      what: `laudio serve, ready ${what}`,
      against: 'a goal of 5 s',
      value: elapsed,
      base: 5000,
      unit: 'ms',
      ...atMost,
    },
    {
      what: `laudio serve, ready ${what}, memory`,
      against: 'the goal for it and its words',
      value: mib(rss),
      base: 500,
      unit: 'MiB',
    },
  ];
  const held = (of: string, value: number): Row => {
    return { what: `longest turn, ${of} ${what}`, against: 'a goal of 50 ms', value, base: 50, unit: 'ms', ...atMost };
  };

  const turns = fresh();
  await using serving = await serveWatched(turns, directory);
  const { ready } = serving;
  const begun = Date.now();
  await quiet(turns);
  rows.push(held('the gathering of words', await longestSince(turns, begun)), {
    what: `laudio serve ${what} and their words, memory`,
    against: 'a goal of 500 MiB',
    value: mib(memoryOf(ready.pid)),
    base: 500,
    unit: 'MiB',
    ...atMost,
  });

  const { token } = await takerOf(serving);
  rows.push(...(await searchRows(ready.url, token ?? '', { count, goal: 50 })));

  const file = fresh();
  for (const [of, work] of Object.entries(await longWork(ready, file))) {
    const since = Date.now();
    await work();
    rows.push(held(of, await longestSince(turns, since)));
  }
  return rows;
}

/** Each search many times, and ten at once; `goal`: ms within which all but one in a hundred are answered. */
export async function searchRows(
  url: string,
  token: string,
  {
    count: stored,
    goal,
    times: asked = 200,
  }: { readonly count: number; readonly goal: number; readonly times?: number },
): Promise<Row[]> {
  const against = `a goal of ${goal} ms`;
  const compared = { against, base: goal, unit: 'ms', target: { atMost: 1 } } as const;
  const ask = async (query: Record<string, string>): Promise<number> => {
    const place = new URL(contract.worklists.endpoints.list.path, url);
    place.search = new URLSearchParams(query).toString();
    const begun = performance.now();
    const answer = await fetch(place, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`a search was answered with ${answer.status}`);
    await answer.arrayBuffer();
    return performance.now() - begun;
  };
  const rows: Row[] = [];
  for (const [of, query] of Object.entries(searches)) {
    for (let n = 0; n < 20; n++) await ask(query);
    const times: number[] = [];
    for (let n = 0; n < asked; n++) times.push(await ask(query));
    const p99 = times.toSorted((a, b) => a - b)[Math.floor(0.99 * asked) - 1]!;
    rows.push({ what: `search among ${stored.toLocaleString('en')}, ${of}, p99`, value: p99, ...compared });
  }
  const together = await Promise.all(Array.from({ length: 10 }, () => ask(searches['no hit'])));
  rows.push({ what: 'search, no hit, the slowest of ten at once', value: Math.max(...together), ...compared });
  return rows;
}

/** What an operator does with all there is, one after the other: each needs what the one before it left. */
async function longWork({ url, data_dir }: Ready, file: string): Promise<Record<string, () => Promise<void>>> {
  const { admin_token } = JSON.parse(await readFile(join(data_dir, 'server.json'), 'utf8')) as { admin_token: string };
  const authorization = `Bearer ${admin_token}`;
  const { backup, restore, export: exporting, seed: seeding } = contract.maintenance.endpoints;
  const save = (path: string) => async (): Promise<void> => {
    const answer = await fetch(new URL(path, url), { headers: { authorization } });
    if (!answer.ok || !answer.body) throw new Error(`${path} was answered with ${answer.status}`);
    await pipeline(answer.body as unknown as AsyncIterable<Uint8Array>, createWriteStream(file));
  };
  const send = (path: string, type: string) => async (): Promise<void> => {
    const headers = { authorization, 'content-type': type };
    const body = createReadStream(file) as unknown as BodyInit;
    const sent = { method: 'POST', headers, body, duplex: 'half' };
    const answer = await fetch(new URL(path, url), sent);
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    await answer.arrayBuffer();
  };
  return {
    'a backup': save(backup.path),
    'its restore': send(restore.path, backupType),
    'an export': save(exporting.path),
    'its seed': send(seeding.path, exportType),
  };
}

/** Waits until there was no long turn for a while: then all words are gathered. */
async function quiet(turns: string): Promise<void> {
  do await pause(3000);
  while ((await longestSince(turns, Date.now() - 2500)) > 0);
}
