/** Worklist files of invented exams, and a server that takes them as it is told to. */
import type { IngestResult } from '../../src/contract/worklist.ts';
import { startHttpServer, succeeded } from './http-server.ts';
import type { Asked, Reply, TestServer } from './http-server.ts';
import { exam } from './worklist.ts';

/** Exam number `at`; what is given replaces or adds fields. */
export const examAt = (at: number, fields: Record<string, unknown> = {}): Record<string, unknown> =>
  exam({ accession_number: `WF-${at}`, ...fields });

/** NDJSON of so many exams. */
export const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => `${JSON.stringify(examAt(at))}\n`).join('');

export interface IngestServer extends TestServer {
  /** The environment of a command that is logged in there. */
  readonly env: NodeJS.ProcessEnv;
  /** The items of each request, in the order in which they came. */
  batches(): Record<string, unknown>[][];
  keys(): string[];
}

/** Inserts whatever it is sent, unless `before` answers otherwise. */
export async function startIngestServer(
  before: (asked: Asked, count: number) => Reply | undefined | Promise<Reply | undefined> = () => undefined,
): Promise<IngestServer> {
  const server = await startHttpServer(async (asked, count) => (await before(asked, count)) ?? inserted(asked));
  return {
    ...server,
    env: { LAUDIO_TOKEN: 'canary', LAUDIO_SERVER: server.url },
    batches: () => server.asked.map(({ body }) => JSON.parse(body) as Record<string, unknown>[]),
    keys: () => server.asked.map(({ headers }) => String(headers['idempotency-key'])),
  };
}

function inserted({ body }: Asked): Reply {
  const items = JSON.parse(body) as { accession_number: string }[];
  const result: IngestResult = {
    batch_id: 'bat_1',
    processed: items.length,
    inserted: items.length,
    updated: 0,
    deduped: 0,
    errors: [],
    items: items.map(({ accession_number }) => ({ accession_number, status: 'inserted', id: 'wli_1' })),
  };
  return succeeded(result);
}
