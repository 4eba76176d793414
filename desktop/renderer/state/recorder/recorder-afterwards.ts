/** What is done with a dictation once it was spoken: taken back, put away, sent. */
import { signal } from '@preact/signals';
import { files } from '../../../bridge/files.ts';
import type { AppSettings } from '../../../bridge/settings.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import { asBridgeError } from '../bridge.ts';
import { putDictation, removeDictation } from './dictations.ts';
import type { RecorderDeps, RecorderParts } from './recorder-parts.ts';
import { isOpen, wholeLength } from './recorder-state.ts';

/** Nothing of it may be recorded at the time. */
export function afterwardsOf(deps: RecorderDeps, { state, dispatch, wishes }: RecorderParts) {
  const { bridge } = deps;
  const cannotEncode = signal(false);

  /** Runs a call on the dictation; what it answers is shown, and so is a refusal. */
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
  /** How it is to be sent: as the person chose, if this browser can. */
  const formatToSend = async (): Promise<AppSettings['upload_format']> => {
    if (deps.settings().upload_format === 'wav') return 'wav';
    const can = await deps.encoder.can().catch(() => false);
    cannotEncode.value = !can;
    return can ? 'opus' : 'wav';
  };
  const compress = async ({ id }: Dictation): Promise<void> => {
    try {
      const { contentType, bytes } = await deps.encoder.encode(bridge.address(files.dictation(id)));
      putDictation(await bridge.call('dictation.encoded', { id, content_type: contentType }, bytes));
    } catch {
      // It is on its way as WAV already, or will be: the app waits for the page for a while only.
      cannotEncode.value = true;
    }
  };

  return {
    cannotEncode,
    undo: () => change(({ id }) => bridge.call('dictation.undo', { id })),
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
        // Of what still waits nobody knows yet what it will have come to.
        const of = state.peek().rest === null ? { of: seconds } : {};
        await deps.reports.ask({ id, desk, ...wishes.choices.peek(), format, ...of });
        return undefined;
      }),
    compress,
    retry: () =>
      change(async ({ id }) => {
        const format = await formatToSend();
        const queued = await bridge.call('dictation.retry', { id, format });
        if (format === 'opus') void compress(queued);
        return queued;
      }),
    cancel: () =>
      change(async ({ id }) => (deps.reports.withdraw(id) ? undefined : bridge.call('dictation.cancel', { id }))),
  };
}
