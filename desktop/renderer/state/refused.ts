/** Waiting changes that the service refused: shown until the person discards or retries them. */
import { signal } from '@preact/signals';
import type { RefusedChange } from '../../bridge/changes.ts';
import { bridge } from './bridge.ts';

/** Oldest first. */
export const refusedChanges = signal<readonly RefusedChange[]>([]);

/** Ids that the person dismissed; an older answer may still list them. */
const dismissed = new Set<string>();

const add = (change: RefusedChange): void => {
  if (dismissed.has(change.id)) return;
  refusedChanges.value = [...refusedChanges.peek().filter(({ id }) => id !== change.id), change];
};

/** Reads the refused changes and follows new ones. The returned function stops following. */
export async function followRefused(ended: AbortSignal): Promise<void> {
  const endings = [bridge().on('refused', add), bridge().onGap(() => void read().catch(() => undefined))];
  ended.addEventListener('abort', () => {
    for (const end of endings) end();
    refusedChanges.value = [];
    dismissed.clear();
  });
  await read();
}

async function read(): Promise<void> {
  const { items } = await bridge().call('changes.refused', {});
  for (const change of items) add(change);
}

const remove = (id: string): void => {
  refusedChanges.value = refusedChanges.peek().filter((change) => change.id !== id);
};

/** Discards a refused change. Rejects with the error of the app. */
export async function dismissRefused(id: string): Promise<void> {
  await bridge().call('changes.dismiss', { id });
  dismissed.add(id);
  remove(id);
}

/** Sends a refused change again; the service may refuse it again. Rejects with the error of the app. */
export async function retryRefused(id: string): Promise<void> {
  // It may be refused again before the answer arrives.
  remove(id);
  await bridge()
    .call('changes.retry', { id })
    .catch(async (thrown: unknown) => {
      await read();
      throw thrown;
    });
}

/** Whether words of the person are missing from the report because the service refused them. */
export const hasRefusedWords = (recordId: string): boolean =>
  refusedChanges.value.some(({ subject, mine }) => subject === recordId && mine !== null);

/** The words of the change, as one text to copy; empty if there are none. */
export function writtenText({ mine }: RefusedChange): string {
  const sections = (mine?.sections ?? [])
    .filter(({ text }) => text !== '')
    .map(({ title, text }) => `${title}\n${text}`);
  return [mine?.title, ...sections, mine?.text].filter((part) => part !== undefined && part !== '').join('\n\n');
}
