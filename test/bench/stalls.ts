/** How long one request keeps all others waiting: the longest turn of the event loop until it has its answer. */
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { audioTypeNames } from '../../src/contract/document.ts';
import type { AudioType } from '../../src/contract/document.ts';
import { contract } from '../../src/contract/index.ts';
import { maxBatchItems } from '../../src/contract/worklist.ts';
import { beginnings } from '../support/audio.ts';
import type { Call } from './caller.ts';
import { exam } from './ingest.ts';
import { median } from './rounds.ts';

const { generate, update, list, export: exported } = contract.records.endpoints;
const { ingest } = contract.worklists.endpoints;

/** Of one document, in characters. */
const longest = 990_000;
const rounds = 3;

const dictation = (unit: string, length = longest): string =>
  JSON.stringify({ text: `Test Patient. Findings: ${unit.repeat(length / unit.length)}`, language: 'en-US' });

function form(type: AudioType): FormData {
  const body = new FormData();
  body.set(
    'audio',
    new Blob([new Uint8Array(beginnings[type]), new Uint8Array(5_000_000).fill(0xff)], { type }),
    'audio',
  );
  return body;
}

/** The longest turn that ended after that instant; `turns` is the file that loop-watch.ts writes. In ms of the processor. */
export async function longestSince(turns: string, since: number): Promise<number> {
  // The turn that gave an answer is written down after it has ended.
  await setTimeout(50);
  const lines = (await readFile(turns, 'utf8').catch(() => '')).trim().split('\n');
  const known = lines.map((line) => line.split(' ').map(Number) as [number, number]);
  return known.reduce((longest, [at, ms]) => (at >= since && ms > longest ? ms : longest), 0);
}

/** `turns` is the file that loop-watch.ts writes. In ms of the processor: medians; `ordinary` is a batch of exams. */
export async function measureStalls(call: Call, turns: string) {
  const stored = async (body: string): Promise<string> => (await call<{ id: string }>(generate, { body })).id;
  const run = await stored(dictation('a', 200_000));
  for (let count = 0; count < 30; count++) await stored(dictation('lungs are clear '));

  let batches = 0;
  const batch = (): string =>
    JSON.stringify(Array.from({ length: maxBatchItems }, (_, nth) => exam(`${batches}-${nth}`, ++batches)));
  const escapes = `{"text":"Test Patient. ${'\\u0061'.repeat(longest)}"}`;
  const asked: Readonly<Record<string, readonly (() => Promise<unknown>)[]>> = {
    'PDF, FHIR and HL7 of an unbroken run of 200 kB': ['pdf', 'fhir', 'hl7'].map(
      (format) => () => call(exported, { params: { id: run }, query: `?format=${format}` }),
    ),
    'the head of any audio and 5 MB of 0xFF': audioTypeNames.map((type) => () => call(generate, { body: form(type) })),
    'a page of 30 MB': [() => call(list, { query: '?limit=200' })],
    'a text of a million escapes': [() => call(generate, { body: escapes })],
    'a text of a million accents, and a search': [
      () => stored(dictation('é ')),
      () => call(list, { query: '?q=nothing&limit=1' }),
    ],
    '10 MB of brackets': [
      () => call(ingest, { body: '['.repeat(10_000_000), status: 413 }),
      () =>
        call(update, { params: { id: run }, body: `{"metadata":{"a":[${'[],'.repeat(1_900_000)}[]]}}`, status: 413 }),
    ],
  };

  /** Of all that is asked, one after the other. */
  const longestOf = async (asks: readonly (() => Promise<unknown>)[]): Promise<number> => {
    const since = Date.now();
    for (const ask of asks) await ask();
    return longestSince(turns, since);
  };
  const medianOf = async (asks: readonly (() => Promise<unknown>)[]): Promise<number> => {
    const values: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const value = await longestOf(asks);
      // The first turn warms up.
      if (round >= 0) values.push(value);
    }
    return median(values);
  };
  const ordinary = await medianOf([() => call(ingest, { body: batch() })]);
  const stalls: Record<string, number> = {};
  for (const [what, asks] of Object.entries(asked)) stalls[what] = await medianOf(asks);
  return { ordinary, stalls };
}
