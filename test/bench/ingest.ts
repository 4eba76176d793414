/** How many ingest requests a second the server takes, against others that take the same bodies. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Load, Outcome } from 'autocannon';
import { maxBatchItems, worklists } from '../../src/contract/worklist.ts';
import { testPatientNames } from '../../src/domain/test-data.ts';
import { median, takeTurns } from './rounds.ts';

/** Somebody who takes POSTs of JSON. */
export interface Taker {
  readonly url: string;
  readonly token?: string;
  /** What goes on while it is measured, until the function given is called. */
  readonly beside?: () => () => Promise<void>;
}

export interface Turns {
  readonly rounds: number;
  /** Of each turn, in seconds. */
  readonly duration: number;
  /** Default: 32. */
  readonly connections?: number;
}

const modalities = [
  ['CT', 'TC de tórax sem contraste'],
  ['MR', 'RM de joelho esquerdo'],
  ['US', 'US de abdome total'],
  ['DX', 'RX de tórax PA e perfil'],
  ['MG', 'Mamografia digital bilateral'],
] as const;

const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** What one hospital sends of its nth exam, about as different from the one before as exams are. */
export function exam(accessionNumber: string, nth = 0) {
  const [modality, exam_description] = modalities[nth % modalities.length]!;
  return {
    accession_number: accessionNumber,
    patient_id: String(45871 + nth).padStart(7, '0'),
    patient_name: testPatientNames[nth % testPatientNames.length]!,
    modality,
    exam_datetime: `2026-03-02T${twoDigits(7 + (nth % 12))}:${twoDigits((nth * 5) % 60)}:00-03:00`,
    exam_description,
    patient_sex: nth % 2 === 0 ? 'F' : 'M',
    patient_birth_date: `${1940 + (nth % 70)}-07-${twoDigits(1 + (nth % 28))}`,
    hospital_name: 'Hospital São Lucas',
  };
}

/** `[<id>]` is another one in each request, so that every exam is new, or has changed. `SL-1` is of the patient that `seed` gives it. */
export const bodies = {
  new: exam('[<id>]'),
  known: exam('SL-1', 1),
  changed: { ...exam('SL-1', 1), exam_room: '[<id>]' },
  'batch of 100': { items: Array.from({ length: 100 }, (_, index) => exam(`${index}-[<id>]`, index)) },
} as const;

/** The endpoint of a server, as somebody who takes what the others take. */
export const ingestOf = (url: string, token: string): Taker => ({
  url: new URL(worklists.endpoints.ingest.path, url).href,
  token,
});

/** Requests a second, and the milliseconds within which all but one in a hundred were answered: medians of the turns. */
export async function measureIngest<Name extends string>(
  body: object,
  takers: Readonly<Record<Name, Taker>>,
  { rounds, ...wish }: Turns,
): Promise<Record<Name, { readonly rate: number; readonly p99: number }>> {
  const names = Object.keys(takers) as Name[];
  const latencies = new Map(names.map((name) => [name, [] as number[]]));
  const measureOf = (name: Name) => async (): Promise<number> => {
    const end = takers[name].beside?.();
    const outcome = await loadOn(takers[name], body, wish);
    await end?.();
    latencies.get(name)!.push(outcome.latency.p99);
    return outcome['2xx'] / outcome.duration;
  };
  const measures = Object.fromEntries(names.map((name) => [name, measureOf(name)]));
  const rates = await takeTurns(measures, rounds);
  // The turn that warms up does not count here either.
  const resultOf = (name: Name) => ({ rate: rates[name]!, p99: median(latencies.get(name)!.slice(1)) });
  return Object.fromEntries(names.map((name) => [name, resultOf(name)])) as Awaited<
    ReturnType<typeof measureIngest<Name>>
  >;
}

/** Stores so many exams, in batches as large as they may be. */
export async function seed({ url, token }: Taker, count: number): Promise<void> {
  for (let from = 0; from < count; from += maxBatchItems) {
    const items = Array.from({ length: Math.min(maxBatchItems, count - from) }, (_, index) =>
      exam(`SL-${from + index}`, from + index),
    );
    const answer = await fetch(url, { method: 'POST', headers: headersOf(token), body: JSON.stringify({ items }) });
    if (!answer.ok) throw new Error(`a batch was answered with ${answer.status}`);
    await answer.arrayBuffer();
  }
}

const headersOf = (token: string | undefined): Record<string, string> => ({
  'content-type': 'application/json',
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
});

/** Puts the load on the taker from a process of its own. Rejects where a request fails. */
export async function loadOn(
  { url, token }: Taker,
  body: object,
  { duration, connections = 32 }: Omit<Turns, 'rounds'>,
): Promise<Outcome> {
  const load: Load = {
    url,
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify(body),
    idReplacement: true,
    connections,
    duration,
  };
  const child = spawn(process.execPath, [fileURLToPath(new URL('load.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(load));
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const outcome = JSON.parse(output) as Outcome;
  const refused = outcome.non2xx + outcome.errors + outcome.timeouts;
  if (outcome['2xx'] === 0 || refused > 0)
    throw new Error(`${refused} of the requests failed, ${outcome['2xx']} did not`);
  return outcome;
}
