/** The calls that write the audio of a take to disk, for the recording page and for a page that sends the rest. */
import { bytesPerSample } from '../../../bridge/sound.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { CallInput, CallOutput } from '../../../bridge/calls.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import type { SpokenTake } from '../../backlog/backlog.ts';
import type { Piece } from './delivery.ts';

/** Maximum bytes per call: two seconds of audio keep each call short; the app accepts five times as much. */
export const callBytes = (sampleRate: number): number => 2 * sampleRate * bytesPerSample;

export interface TakeCalls {
  /** Resolves to the number of bytes on disk, and whether the take is still being recorded. */
  send(piece: Piece, signal: AbortSignal): Promise<{ readonly stored: number; readonly isCurrent: boolean }>;
  /**
   * Announces the take again; `from`: the first byte that can still arrive. Resolves to the number of bytes on disk.
   */
  resume(from: number, signal?: AbortSignal): Promise<number>;
  /** Ends the take. `interrupted`: because its page died. */
  end(interrupted: boolean): Promise<Dictation>;
}

/** Calls `moved` when the rest of the take goes into another dictation because its own was sealed or discarded. */
export function takeCalls(
  bridge: Bridge,
  { take, dictation, mode, at, beginning }: SpokenTake,
  { page, moved }: { readonly page: string; moved(dictation: Dictation): void },
): TakeCalls {
  let id = dictation;
  return {
    async send({ from, samples, missing }, signal) {
      const input = { id, take, from: from / bytesPerSample, ...(missing !== undefined && { missing }) };
      const answer = await bridge.call('dictation.block', input, samples, signal);
      return { stored: answer.stored * bytesPerSample, isCurrent: answer.is_current };
    },
    async resume(from, signal) {
      const resumed = { ...beginning, from: from / bytesPerSample };
      const input = { id, take, mode, at, page, resumed } satisfies CallInput<'dictation.take'>;
      const answer: CallOutput<'dictation.take'> = await bridge.call('dictation.take', input, undefined, signal);
      if (answer.dictation.id !== id) {
        id = answer.dictation.id;
        moved(answer.dictation);
      }
      return answer.stored * bytesPerSample;
    },
    end: (interrupted) => bridge.call('dictation.pause', { id, take, interrupted }),
  };
}
