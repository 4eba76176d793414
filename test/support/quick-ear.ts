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
      window.hearMore = (seconds) => {
        for (let block = 0; block < (seconds * context.sampleRate) / length; block++) {
          // As loud as syllables and what is between them.
          const speech = Math.floor(count++ / 4) % 2 === 0 ? 0.1 : 0.01;
          const samples = Int16Array.from({ length }, (_, at) => Math.sin(at / 7 + count) * speech * 32767);
          port.dispatchEvent(new MessageEvent('message', { data: { samples: samples.buffer, peak: speech * 3, rms: speech, speech } }));
        }
      };
    }
  };`;

/** So many seconds of sound at once, while it records. */
export const hearMore = (page: Page, seconds: number): Promise<void> =>
  page.evaluate((wanted) => (globalThis as unknown as { hearMore(seconds: number): void }).hearMore(wanted), seconds);
