/** Compresses the audio of dictations when the app waits for it. Any open page can do it. */
import { effect } from '@preact/signals';
import type { Dictation } from '../../../bridge/dictation.ts';
import { dictations } from './dictations.ts';

/**
 * Calls `compress` once each time the app waits for the audio of a dictation. The returned function stops following.
 */
export function followCompressing(compress: (dictation: Dictation) => void): () => void {
  const begun = new Set<string>();
  return effect(() => {
    for (const dictation of dictations.value) {
      const { id, compress: isWanted = false } = dictation;
      if (isWanted && !begun.has(id)) compress(dictation);
      if (isWanted) begun.add(id);
      else begun.delete(id);
    }
  });
}
