import type { Bridge, BridgeError } from '../../../desktop/bridge/bridge.ts';
import type { CallInput, CallName } from '../../../desktop/bridge/calls.ts';
import { dictation as anyDictation } from './stories/scripted-bridge.ts';

/** Samples a second. */
export const rate = 16_000;

/** A service that keeps sound as the real one does: one dictation, takes, blocks counted from 0. */
export function fakeSoundService() {
  let dictation = anyDictation({ seconds: 0, sample_rate: rate });
  let current: string | null = null;
  const stored = new Map<string, number>();
  let discarded = false;
  const asked: { name: CallName; input: unknown }[] = [];
  const refusals: { name: CallName; error: BridgeError }[] = [];
  const known = () => {
    if (discarded) throw { code: 'NOT_FOUND', message: 'gone' } satisfies BridgeError;
    return dictation;
  };
  const end = () => {
    current = null;
    dictation = { ...dictation, state: 'paused', can_undo: true };
    return dictation;
  };
  const handlers: { [N in CallName]?: (input: never, bytes?: ArrayBuffer) => unknown } = {
    'dictation.start': ({ item_id, sample_rate }: CallInput<'dictation.start'>) => {
      dictation = { ...dictation, item_id, sample_rate };
      return dictation;
    },
    'dictation.take': ({ take, at }: CallInput<'dictation.take'>) => {
      current = take;
      stored.set(take, stored.get(take) ?? 0);
      dictation = { ...known(), state: 'recording' };
      return { dictation, at: at ?? dictation.seconds, stored: stored.get(take) };
    },
    'dictation.block': ({ take, from }: CallInput<'dictation.block'>, bytes = new ArrayBuffer(0)) => {
      const before = stored.get(take);
      if (before === undefined) throw { code: 'INVALID_TRANSITION', message: 'no such take' } satisfies BridgeError;
      if (from > before) throw { code: 'VALIDATION_FAILED', message: 'a sample is missing' } satisfies BridgeError;
      const after = Math.max(before, from + bytes.byteLength / 2);
      stored.set(take, after);
      dictation = { ...dictation, seconds: dictation.seconds + (after - before) / rate };
      return { stored: after, is_current: current === take, saved_at: '2026-03-02T11:30:00.000Z' };
    },
    'dictation.pause': end,
    'dictation.undo': () => {
      const { seconds } = dictation;
      dictation = { ...dictation, seconds: 0, can_undo: false, taken_back: seconds };
      return { dictation, at: 0 };
    },
    'dictation.redo': () => {
      const { taken_back: seconds = 0, ...rest } = dictation;
      dictation = { ...rest, seconds, can_undo: true };
      return { dictation, at: seconds };
    },
    'dictation.peaks': () => ({ peaks: [0.5], seconds: dictation.seconds }),
    'dictation.send': ({ format }: CallInput<'dictation.send'>) =>
      (dictation = { ...dictation, state: 'queued', compress: format === 'opus' }),
    'dictation.encoded': () => (dictation = { ...dictation, compress: false }),
    'dictation.retry': () => (dictation = { ...dictation, state: 'queued', error: null }),
    'dictation.cancel': () => (dictation = { ...dictation, state: 'paused' }),
    'dictation.discard': () => {
      discarded = true;
      return { revision: 0 };
    },
    'dictation.restore': () => {
      discarded = false;
      return dictation;
    },
    'dictation.list': () => ({ items: [dictation], revision: 0 }),
  };
  const bridge: Bridge = {
    async call(name, input, bytes) {
      asked.push({ name, input });
      const at = refusals.findIndex((refusal) => refusal.name === name);
      if (at >= 0) throw refusals.splice(at, 1)[0]!.error;
      return handlers[name]!(input as never, bytes) as never;
    },
    on: () => () => undefined,
    onGap: () => () => undefined,
    address: (file) => `/app/files/${file}`,
  };
  return {
    bridge,
    asked,
    names: () => asked.map(({ name }) => name),
    refuseNoMore: () => void refusals.splice(0),
    refuse: (name: CallName, code: string, times = 1) => {
      for (let n = 0; n < times; n++) refusals.push({ name, error: { code, message: code } });
    },
    /** The process died and was started again: the take is over, what was saved is there. */
    restart: () => {
      end();
    },
    seconds: () => dictation.seconds,
  };
}
