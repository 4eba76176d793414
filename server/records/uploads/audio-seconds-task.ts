/** Measures audio in a thread, which requests the bytes that it needs through a port. */
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { AudioType } from '../../../src/contract/document.ts';
import { threadTask } from '../../runtime/workers/thread-task.ts';

/** Requests the bytes from `start` to `end` (exclusive). */
export interface WantedBytes {
  readonly start: number;
  readonly end: number;
}

interface AudioInput {
  readonly type: AudioType;
  readonly bytes: number;
  readonly port: MessagePort;
}

/** The length of the audio in seconds. The other end of `port` answers requests for bytes. */
export const audioSeconds = threadTask(
  import.meta.url,
  'audioSeconds',
  async ({ type, bytes, port }: AudioInput): Promise<number | null> => {
    const { measureSeconds: secondsOf } = await import('./audio-seconds.ts');
    try {
      return await secondsOf({
        type,
        bytes,
        async read(start, end) {
          port.postMessage({ start, end } satisfies WantedBytes);
          const [answer] = (await once(port, 'message')) as [Uint8Array | null];
          if (!answer) throw new Error('The audio cannot be read.');
          return answer;
        },
      });
    } finally {
      port.close();
    }
  },
);
