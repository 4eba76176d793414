/** How long words take that are spoken live: from sending the sound of a word to the word, against a change that is stored. */
import { liveBytesPerSecond, TranscriptionEvent } from '../../src/contract/transcription.ts';
import { followEvents } from '../../src/client/events/event-feed.ts';
import { systemClock } from '../../src/node/clock.ts';
import type { Ready } from '../support/process.ts';
import { testToken } from '../support/test-token.ts';
import { clientOf } from './caller.ts';
import { median } from './rounds.ts';

/** The simulated recogniser hears a word in as much sound, in bytes. */
const wordBytes = 0.4 * liveBytesPerSecond;
const words = 30;

/** Somebody who speaks to the server, word by word. */
export interface Speaker {
  /** Speaks a dictation; the median of the ms from the sound of a word to the word. */
  readonly word: () => Promise<number>;
}

export async function speakerOn(ready: Ready): Promise<Speaker> {
  const token = await testToken(ready);
  const { transcriptions } = clientOf(ready.url, token).client;
  return {
    async word() {
      const { id } = (await transcriptions.create({ body: { language: 'en-US' } })).data;
      let heard = (): void => {};
      let opened = (): void => {};
      const open = new Promise<void>((resolve) => (opened = resolve));
      const feed = followEvents({
        clock: systemClock,
        random: () => 0,
        schema: TranscriptionEvent,
        open: (signal) => transcriptions.events({ params: { id } }, { signal }),
        onEvent: () => heard(),
        onOpen: () => opened(),
      });
      await open;
      const delays: number[] = [];
      for (let word = 0; word < words; word++) {
        const arrival = new Promise<void>((resolve) => (heard = resolve));
        const begun = performance.now();
        const body = new Uint8Array(wordBytes);
        await transcriptions.append({ params: { id }, query: { offset: word * wordBytes }, body });
        await arrival;
        delays.push(performance.now() - begun);
      }
      await feed.close();
      await transcriptions.delete({ params: { id } });
      return median(delays);
    },
  };
}
