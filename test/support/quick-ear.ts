/** A page that hears more than its microphone gives: sound beside the real one, as fast as the page takes it. */
import type { Page } from 'playwright-core';

/** To be given to `addInitScript`: the page can `hearMore`. The real sound comes as it does without. */
export const quickEar = `
  window.AudioWorkletNode = class extends AudioWorkletNode {
    constructor(context, name, options) {
      super(context, name, options);
      const { port } = this;
      const length = Math.round((context.sampleRate * options.processorOptions.blockMs) / 1000);
      let count = 0;
      const hear = (isSilent) => {
        // As loud as syllables and what is between them.
        const speech = isSilent ? 0.0005 : Math.floor(count++ / 4) % 2 === 0 ? 0.1 : 0.01;
        const samples = Int16Array.from({ length }, (_, at) => Math.sin(at / 7 + count) * speech * 32767);
        port.dispatchEvent(new MessageEvent('message', { data: { samples: samples.buffer, peak: speech * 3, rms: speech, speech, at: Date.now() } }));
      };
      window.hearMore = (seconds, isSilent) => {
        for (let block = 0; block < (seconds * context.sampleRate) / length; block++) hear(isSilent);
      };
      port.addEventListener('message', (event) => {
        if (!window.isSpokenTo || !event.isTrusted || typeof event.data !== 'object') return;
        event.stopImmediatePropagation();
        hear(false);
      });
    }
  };`;

type Ear = { hearMore(seconds: number, isSilent: boolean): void; isSpokenTo: boolean };

const hear = (page: Page, seconds: number, isSilent: boolean): Promise<void> =>
  page.evaluate(([wanted, silent]) => (globalThis as unknown as Ear).hearMore(wanted, silent), [
    seconds,
    isSilent,
  ] as const);

/** So many seconds of speech at once, while it records. */
export const hearMore = (page: Page, seconds: number): Promise<void> => hear(page, seconds, false);
/** So many seconds in which nobody speaks. */
export const hearNobody = (page: Page, seconds: number): Promise<void> => hear(page, seconds, true);
/** From now on the microphone gives speech without a pause. */
export const speakOn = (page: Page): Promise<void> =>
  page.evaluate(() => void ((globalThis as unknown as Ear).isSpokenTo = true));
