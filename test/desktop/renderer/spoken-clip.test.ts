/** A short spoken text: one microphone, whatever is pressed and however often. */
import { expect, test } from 'vitest';
import { createClipRecorder } from '../../../desktop/renderer/state/recorder/spoken-clip.ts';
import { fakeMicrophone } from './fake-microphone.ts';

function startClip(isTaken: () => boolean = () => false) {
  const microphone = fakeMicrophone(16_000);
  const taken: number[] = [];
  const answer = Promise.withResolvers<void>();
  const clip = createClipRecorder({
    open: microphone.open,
    device: () => null,
    isTaken,
    take(wav) {
      taken.push(wav.byteLength);
      return answer.promise;
    },
  });
  return { microphone, clip, taken, answer: answer.resolve };
}

test('keys that are pressed while the microphone opens, or while the text is written, open no second one', async () => {
  const { microphone, clip, taken, answer } = startClip();
  await Promise.all([clip.toggle(), clip.toggle(), clip.toggle()]);
  expect([microphone.seen.opened, clip.step.value]).toEqual([1, 'recording']);
  microphone.speak(3);
  const stopped = clip.toggle();
  await clip.toggle();
  expect(clip.step.value).toBe('working');
  answer();
  await stopped;
  await clip.toggle();
  expect([microphone.seen, taken.length, clip.step.value]).toMatchObject([{ opened: 2, closed: 1 }, 1, 'recording']);
});

test('a dictation under way keeps the microphone; one that begins meanwhile gets it, and no word is lost', async () => {
  let isLive = true;
  const { microphone, clip, taken, answer } = startClip(() => isLive);
  answer();
  await clip.toggle();
  expect([microphone.seen.opened, clip.step.value]).toEqual([0, 'rest']);
  isLive = false;
  const opening = clip.toggle();
  isLive = true;
  await opening;
  expect([microphone.seen, taken.length, clip.step.value]).toMatchObject([{ opened: 1, closed: 1 }, 1, 'rest']);
});

test('a view that is left while the microphone opens leaves none open, and another try is as the first', async () => {
  const { microphone, clip, taken } = startClip();
  const opening = clip.toggle();
  clip.cancel();
  await opening;
  expect([microphone.seen, clip.step.value]).toMatchObject([{ opened: 1, closed: 1 }, 'rest']);
  await clip.toggle();
  clip.cancel();
  expect([microphone.seen, taken]).toMatchObject([{ opened: 2, closed: 2 }, []]);
});
