/** How many ingest requests a second the server takes, against an echo of the same bodies. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Load, Outcome } from 'autocannon';
import { worklists } from '../../src/contract/worklist.ts';
import type { Measure } from './rounds.ts';
import { takeTurns } from './rounds.ts';

export interface IngestOptions {
  /** Of the echo and of the server. */
  readonly echo: string;
  readonly url: string;
  readonly token: string;
  readonly rounds: number;
  /** Of each turn, in seconds. */
  readonly duration: number;
}

const connections = 32;

const exam = (accessionNumber: string) => ({
  accession_number: accessionNumber,
  patient_id: '0045871',
  patient_name: 'Test Patient',
  modality: 'CT',
  exam_datetime: '2026-03-02T08:30:00-03:00',
  exam_description: 'TC de tórax sem contraste',
  patient_sex: 'F',
  patient_birth_date: '1961-07-19',
  hospital_name: 'Hospital São Lucas',
});

/** `[<id>]` is another one in each request, so that every exam is new. */
const batch = (size: number) => ({ items: Array.from({ length: size }, (_, index) => exam(`${index}-[<id>]`)) });

export const bodies = {
  'ingest, 1 new item': exam('[<id>]'),
  'ingest, 1 known item': exam('SL-1'),
  'ingest, 100 new items': batch(100),
} as const;

/** Requests a second, medians: `[echo, server]`. */
export async function measureIngest(
  body: object,
  { echo, url, token, rounds, duration }: IngestOptions,
): Promise<[number, number]> {
  const load = (target: string): Load => ({
    url: target,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    idReplacement: true,
    connections,
    duration,
  });
  const rates = await takeTurns(
    { echo: rateOf(load(echo)), server: rateOf(load(new URL(worklists.endpoints.ingest.path, url).href)) },
    rounds,
  );
  return [rates.echo, rates.server];
}

const rateOf =
  (load: Load): Measure =>
  async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('load.ts', import.meta.url))], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify(load));
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const outcome = JSON.parse(output) as Outcome;
    const refused = outcome.non2xx + outcome.errors + outcome.timeouts;
    if (outcome['2xx'] === 0 || refused > 0)
      throw new Error(`${refused} of the requests failed, ${outcome['2xx']} did not`);
    return outcome['2xx'] / outcome.duration;
  };
