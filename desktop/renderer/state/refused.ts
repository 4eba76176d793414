/** Changes made offline that the service did not take when it was back: told until somebody has seen them. */
import { signal } from '@preact/signals';
import type { RefusedChange } from '../../bridge/changes.ts';
import { bridge } from './bridge.ts';

/** Oldest first. */
export const refusedChanges = signal<readonly RefusedChange[]>([]);

/** Seen here: an answer from before that tells of it once more. */
const dismissed = new Set<string>();

const add = (change: RefusedChange): void => {
  if (dismissed.has(change.id)) return;
  refusedChanges.value = [...refusedChanges.peek().filter(({ id }) => id !== change.id), change];
};

/** Reads what was refused before and follows, until that is ended. */
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

/** Forgets one that was seen. Throws what the app says. */
export async function dismissRefused(id: string): Promise<void> {
  await bridge().call('changes.dismiss', { id });
  dismissed.add(id);
  refusedChanges.value = refusedChanges.peek().filter((change) => change.id !== id);
}

/** What was written, as one text to be kept by hand; empty where nothing was. */
export function writtenText({ mine }: RefusedChange): string {
  const sections = (mine?.sections ?? [])
    .filter(({ text }) => text !== '')
    .map(({ title, text }) => `${title}\n${text}`);
  return [mine?.title, ...sections, mine?.text].filter((part) => part !== undefined && part !== '').join('\n\n');
}
