/** The small window of a dictation into another program. */
import { expect, test } from 'vitest';
import { manualClock } from '../../../src/domain/clock.ts';
import { createAnywhereDictation } from '../../../desktop/renderer/state/anywhere.ts';
import { fakeMicrophone } from './fake-microphone.ts';
import { refusal, scriptedBridge } from './stories/scripted-bridge.ts';
import { eventually } from '../../support/eventually.ts';

function start({ text = 'The lungs are clear.', way = 'inserted' as 'inserted' | 'copied' } = {}) {
  const clock = manualClock(0);
  const microphone = fakeMicrophone(16_000);
  const world = { isTaken: false, isAway: false };
  const bridge = scriptedBridge({
    'speech.write'() {
      if (world.isAway) throw refusal('NETWORK', 'The server does not answer.');
      return { text };
    },
    'anywhere.insert': () => ({ way }),
    'anywhere.close': () => ({}),
  });
  const dictation = createAnywhereDictation({
    bridge: () => bridge,
    open: microphone.open,
    clock,
    device: () => null,
    language: () => 'es-ES',
    isTaken: () => world.isTaken,
  });
  const comesTo = (step: string) => eventually(() => expect(dictation.step.value).toBe(step));
  const speak = async () => {
    dictation.press();
    await comesTo('recording');
    microphone.speak(2);
    dictation.press();
  };
  const asked = () => bridge.asked.map(({ name }) => name);
  return { clock, microphone, world, bridge, dictation, comesTo, speak, asked };
}

test('the key records, the next one inserts, and the window closes once the other program has the text', async () => {
  const { clock, bridge, dictation, comesTo, speak } = start();
  await speak();
  await comesTo('inserted');
  expect(bridge.asked).toEqual([
    { name: 'speech.write', input: { item_id: null, language: 'es-ES' } },
    { name: 'anywhere.insert', input: { text: 'The lungs are clear.' } },
  ]);
  clock.advance(2000);
  expect([dictation.level.value, bridge.asked.at(-1)?.name]).toEqual([0, 'anywhere.close']);
});

test('a text in the clipboard stays in sight for a minute; the key dictates again meanwhile', async () => {
  const { clock, dictation, comesTo, speak, asked } = start({ way: 'copied' });
  await speak();
  await comesTo('copied');
  clock.advance(59_999);
  await speak();
  expect(dictation.text.value).toBe('');
  clock.advance(1);
  await comesTo('copied');
  expect(asked()).not.toContain('anywhere.close');
});

test('it says where there were no words, and keeps what could not be written for another try', async () => {
  const { world, dictation, comesTo, speak, asked } = start({ text: '' });
  world.isAway = true;
  await speak();
  await comesTo('failed');
  expect(dictation.error.value?.code).toBe('NETWORK');
  world.isAway = false;
  dictation.retry();
  await comesTo('unheard');
  expect(asked()).toEqual(['speech.write', 'speech.write']);
});

test('a dictation in Laudio has the microphone; one that begins meanwhile gets it, and what was said is inserted', async () => {
  const { microphone, world, dictation, comesTo } = start();
  world.isTaken = true;
  dictation.press();
  expect([dictation.step.value, microphone.seen.opened]).toEqual(['taken', 0]);
  world.isTaken = false;
  dictation.press();
  await comesTo('recording');
  dictation.giveWay();
  await comesTo('inserted');
  expect(microphone.seen).toMatchObject({ opened: 1, closed: 1 });
});
