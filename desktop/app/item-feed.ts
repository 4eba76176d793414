/** The worklist's changes as the service tells them (server-sent events, HTML Living Standard 9.2), for as long as it goes on. */
import type { Client } from '../../src/client/client.ts';
import { conforms } from '../../src/client/conforms.ts';
import { contract } from '../../src/contract/index.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { backoffDelay } from '../../src/domain/backoff.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { pause } from '../../src/domain/pause.ts';

const ItemEvent = contract.worklists.endpoints.events.responses[200];
export type ItemEvent = TypeOf<typeof ItemEvent>;

/** Milliseconds without even a comment, of which there is one every 15 s: then the connection is dead. */
const silenceMs = 40_000;
const reconnecting = { base: 500, factor: 2, max: 30_000 } as const;

export interface ItemFeedDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly client: () => Client;
  readonly onItem: (event: ItemEvent) => void;
  /** It follows from now on; what was before may have been missed. */
  readonly onOpen: () => void;
}

export interface ItemFeed {
  /** Tries now instead of later. */
  hurry(): void;
  close(): Promise<void>;
}

export function followItems(deps: ItemFeedDeps): ItemFeed {
  const { clock, random } = deps;
  const ending = new AbortController();
  let waiting: AbortController | undefined;
  let failures = 0;

  async function follow(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await readOnce(deps, ending.signal, () => (failures = 0));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
      if (ending.signal.aborted) return;
      waiting = new AbortController();
      const either = AbortSignal.any([ending.signal, waiting.signal]);
      await pause(clock, backoffDelay(++failures, { ...reconnecting, random }), either).catch(() => undefined);
      waiting = undefined;
    }
  }

  const over = follow();
  return {
    hurry: () => waiting?.abort(),
    async close() {
      ending.abort();
      await over;
    },
  };
}

/** One connection, until it ends or says nothing any more. */
async function readOnce(deps: ItemFeedDeps, ended: AbortSignal, opened: () => void): Promise<void> {
  const { clock, client, onItem, onOpen } = deps;
  const silent = new AbortController();
  const signal = AbortSignal.any([ended, silent.signal]);
  const arm = (): (() => void) => clock.schedule(clock.now() + silenceMs, () => silent.abort());
  let disarm = arm();
  try {
    const { body } = await client().worklists.events({}, { signal });
    opened();
    onOpen();
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body) {
      disarm();
      disarm = arm();
      const blocks = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) onItem(event);
      }
    }
  } finally {
    disarm();
  }
}

function eventOf(block: string): ItemEvent | undefined {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n');
  if (data === '') return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return conforms(ItemEvent, value) ? (value as ItemEvent) : undefined;
  } catch {
    return undefined;
  }
}
