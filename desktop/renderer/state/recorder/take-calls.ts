/** The calls that bring the sound of a take to the disk: of the page that records it, or of one that sends what is left. */
import { bytesPerSample } from '../../../bridge/sound.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { CallInput, CallOutput } from '../../../bridge/calls.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import type { SpokenTake } from '../../backlog/backlog.ts';
import type { Piece } from './delivery.ts';

/** Bytes that go in one call: two seconds, so that each is short; the app takes five times as much. */
export const callBytes = (sampleRate: number): number => 2 * sampleRate * bytesPerSample;

export interface TakeCalls {
  /** Gives the bytes of the take that are on disk, and whether it is the one that is being recorded. */
  send(piece: Piece, signal: AbortSignal): Promise<{ readonly stored: number; readonly isCurrent: boolean }>;
  /** Announces it again; `from`: the first byte that can still come. Gives the bytes that are on disk. */
  resume(from: number, signal?: AbortSignal): Promise<number>;
  /** It is over. `interrupted`: since its page died. */
  end(interrupted: boolean): Promise<Dictation>;
}

/** `moved` is told when the rest of it goes into another dictation, since its own was sealed or discarded. */
export function takeCalls(
  bridge: Bridge,
  { take, dictation, mode, at, beginning }: SpokenTake,
  { page, moved }: { readonly page: string; moved(dictation: Dictation): void },
): TakeCalls {
  let id = dictation;
  return {
    async send({ from, samples }, signal) {
      const input = { id, take, from: from / bytesPerSample };
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
