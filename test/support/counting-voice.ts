/**
 * A microphone for a page in a real browser that counts: each sample is the one before it plus one, so that whatever is
 * lost, doubled or moved shows. It speaks all the time, and `window.say(seconds)` as fast as the page can listen.
 */
import type { Page } from 'playwright-core';

/** Samples count from 0 up to this, and again. */
const modulus = 32_749;

/** To be given to `addInitScript`. */
export const countingVoice = `
  const modulus = ${modulus};
  let count = 0;
  let speaking;
  window.spoken = () => count;
  window.AudioWorkletNode = class {
    constructor(context, _name, { processorOptions }) {
      const { port1, port2 } = new MessageChannel();
      this.port = port1;
      this.length = Math.round((context.sampleRate * processorOptions.blockMs) / 1000);
      this.rate = context.sampleRate;
      this.blocks = 0;
      this.mouth = port2;
      port2.addEventListener('message', () => port2.postMessage('flushed'));
      port2.start();
    }
    speak() {
      const samples = Int16Array.from({ length: this.length }, () => count++ % modulus);
      // As loud as syllables and what is between them.
      const speech = Math.floor(this.blocks++ / 4) % 2 === 0 ? 0.1 : 0.01;
      this.mouth.postMessage({ samples: samples.buffer, peak: 0.3, rms: 0.1, speech, at: Date.now() }, [samples.buffer]);
    }
  };
  const { connect, disconnect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (to, ...rest) {
    if (!(to instanceof AudioWorkletNode)) return connect.call(this, to, ...rest);
    window.voice = to;
    speaking = setInterval(() => to.speak(), 60);
  };
  AudioNode.prototype.disconnect = function (...rest) {
    clearInterval(speaking);
    return disconnect.call(this, ...rest);
  };
  window.say = (seconds) => {
    for (let block = 0; block < (seconds * window.voice.rate) / window.voice.length; block++) window.voice.speak();
  };`;

interface Counting {
  say(seconds: number): void;
  spoken(): number;
}

export const say = (page: Page, seconds: number): Promise<void> =>
  page.evaluate((wanted) => (globalThis as unknown as Counting).say(wanted), seconds);

/** Samples that were spoken until now. */
export const spokenSamples = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as Counting).spoken());

/** Of a WAV file that the page can load: how many samples count from 0 on without a fault, and how many there are. */
export const counted = (page: Page, address: string): Promise<{ counted: number; samples: number }> =>
  page.evaluate(
    async ([wav, most]) => {
      const sound = await fetch(wav);
      const values = new Int16Array((await sound.arrayBuffer()).slice(44));
      const fault = values.findIndex((value, at) => value !== at % most);
      return { counted: fault < 0 ? values.length : fault, samples: values.length };
    },
    [address, modulus] as const,
  );
