/** A reader of the worklist's events that goes on at another process when its own one ends. */
import { setTimeout as wait } from 'node:timers/promises';
import { contract } from '../../src/contract/index.ts';
import type { ServerProcesses } from './server-processes.ts';

const { events, list } = contract.worklists.endpoints;

interface Exam {
  readonly accession_number: string;
}

/** The accession numbers that were heard; grows until the signal is aborted. */
export function hearExams(server: ServerProcesses, first: number, signal: AbortSignal): ReadonlySet<string> {
  const heard = new Set<string>();
  let last: string | undefined;
  let at = first;

  /** As clients do that begin, or have missed changes. */
  async function readList(): Promise<void> {
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await server.ask(`${list.path}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
      const page = body.data as { items: Exam[]; next_cursor: string | null };
      for (const { accession_number } of page.items) heard.add(accession_number);
      cursor = page.next_cursor;
    }
  }

  async function handle(event: string): Promise<void> {
    const fields = new Map(
      event.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    last = fields.get('id') ?? last;
    if (fields.get('event') === 'reset') await readList();
    if (fields.get('event') === 'item') heard.add((JSON.parse(fields.get('data') ?? '{}') as Exam).accession_number);
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const { url } = server.processes[at++ % server.processes.length] ?? { url: '' };
      try {
        const headers = {
          authorization: `Bearer ${server.token}`,
          ...(last !== undefined && { 'last-event-id': last }),
        };
        const { body } = await fetch(new URL(events.path, url), { headers, signal });
        // Nothing says yet from where on it hears.
        if (last === undefined) await readList();
        let text = '';
        for await (const bytes of body ?? []) {
          text += Buffer.from(bytes).toString();
          const all = text.split('\n\n');
          text = all.pop() ?? '';
          for (const event of all) await handle(event);
        }
      } catch {
        // Its process has ended, or the test.
      }
      await wait(50);
    }
  }
  void follow();
  return heard;
}
