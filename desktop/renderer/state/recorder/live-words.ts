/** The live words of dictations, as the app behind the page reports them. */
import { signal } from '@preact/signals';
import type { LiveWords } from '../../../bridge/live.ts';
import { bridge } from '../bridge.ts';
import { createRevisionTracker } from '../time/revision-tracker.ts';
import { forgetAllTypedEdits, forgetTypedEdits, keepTypedEdits } from './open-typed-edits.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

const byId = signal<ReadonlyMap<string, LiveWords>>(new Map());
const newest = createRevisionTracker();

/** The words of a dictation; `undefined`: none have arrived. */
export const liveWordsOf = (dictation: string | undefined): LiveWords | undefined =>
  dictation === undefined ? undefined : byId.value.get(dictation);

function put(words: LiveWords): void {
  if (!newest.isNews(words.id, words.revision)) return;
  const previous = byId.peek().get(words.id);
  byId.value = new Map(byId.peek()).set(words.id, words);
  if (previous && !isSameSound(previous, words)) keepTypedEdits(words);
}

/** Whether no final word was added or removed. */
const isSameSound = (a: LiveWords, b: LiveWords): boolean =>
  a.heard.length === b.heard.length &&
  a.heard.every(({ from, to }, at) => from === elementAt(b.heard, at).from && to === elementAt(b.heard, at).to);

/** Reads the words recognised before this page followed the dictation. */
export async function readLiveWords(dictation: string): Promise<void> {
  const { words } = await bridge().call('live.get', { id: dictation });
  if (words) put(words);
}

/** Follows the words until the login has ended. */
export async function followLiveWords(ended: AbortSignal): Promise<void> {
  const endings = [
    bridge().on('live', put),
    bridge().on('dictation', ({ id, state }) => state === 'done' && forgetTypedEdits(id)),
    bridge().on('discarded', ({ id }) => forgetTypedEdits(id)),
    bridge().onGap(() => {
      newest.forget();
      for (const id of byId.peek().keys()) void readLiveWords(id).catch(() => undefined);
    }),
  ];
  ended.addEventListener('abort', () => {
    for (const end of endings) end();
    byId.value = new Map();
    forgetAllTypedEdits();
    newest.forget();
  });
}
