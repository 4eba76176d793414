/** The actions on a dictation after speaking: undo, discard, send. */
import { signal } from '@preact/signals';
import { files } from '../../../bridge/files.ts';
import type { AppSettings } from '../../../bridge/settings.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import { asBridgeError } from '../bridge.ts';
import { putDictation, removeDictation } from './dictations.ts';
import type { RecorderDeps, RecorderParts } from './recorder-parts.ts';
import { isOpen, wholeLength } from './recorder-state.ts';

/** Runs only while the dictation is not being recorded. */
export function createAfterActions(deps: RecorderDeps, { state, dispatch, chosen }: RecorderParts) {
  const { bridge } = deps;
  const cannotEncode = signal(false);

  /** Runs a call on the dictation and shows its answer or refusal. */
  const change = async (act: (dictation: Dictation) => Promise<Dictation | undefined>): Promise<void> => {
    const { dictation, discarded } = state.peek();
    const subject = dictation ?? discarded;
    if (!subject) return;
    try {
      const after = await act(subject);
      if (after) putDictation(after);
    } catch (error) {
      dispatch({ type: 'refused', error: asBridgeError(error) });
    }
  };
  /** Changes the audio and moves the cursor there, so that the next word is spoken at that point. */
  const goThere = (name: 'dictation.undo' | 'dictation.redo'): Promise<void> =>
    change(async ({ id }) => {
      const { dictation, at } = await bridge.call(name, { id });
      putDictation(dictation);
      dispatch({ type: 'cursor', at });
      return undefined;
    });
  /** The upload format: the person's choice, if this browser can encode it. */
  const formatToSend = async (): Promise<AppSettings['upload_format']> => {
    if (deps.settings().upload_format === 'wav') return 'wav';
    const can = await deps.encoder.can().catch(() => false);
    cannotEncode.value = !can;
    return can ? 'opus' : 'wav';
  };
  const compress = async ({ id }: Dictation): Promise<void> => {
    // Without an answer the app sends WAV: it waits for the page only for a while.
    const encoded = await deps.encoder.encode(bridge.address(files.dictation(id))).catch(() => undefined);
    cannotEncode.value = encoded === undefined;
    if (!encoded) return;
    await bridge
      .call('dictation.encoded', { id, content_type: encoded.contentType }, encoded.bytes)
      .then(putDictation, () => undefined);
  };

  return {
    cannotEncode,
    undo: () => goThere('dictation.undo'),
    redo: () => goThere('dictation.redo'),
    discard: () =>
      change(async (dictation) => {
        const { revision } = await bridge.call('dictation.discard', { id: dictation.id });
        dispatch({ type: 'discarded', dictation });
        removeDictation(dictation.id, revision);
        return undefined;
      }),
    restore: () =>
      change(async ({ id }) => {
        const dictation = await bridge.call('dictation.restore', { id });
        dispatch({ type: 'restored', dictation });
        return dictation;
      }),
    send: () =>
      change(async (dictation) => {
        const desk = deps.desk();
        if (!isOpen(dictation) || desk === null || wholeLength(state.peek()) === 0) return undefined;
        const format = await formatToSend();
        const { id, seconds } = dictation;
        // While audio still waits, the final length is unknown.
        const of = state.peek().rest === null ? { of: seconds } : {};
        await deps.reports.ask({ id, desk, ...chosen.choices.peek(), format, ...of });
        return undefined;
      }),
    compress,
    retry: () =>
      change(async ({ id }) => {
        const format = await formatToSend();
        return bridge.call('dictation.retry', { id, format });
      }),
    cancel: () =>
      change(async ({ id }) => (deps.reports.withdraw(id) ? undefined : bridge.call('dictation.cancel', { id }))),
  };
}
