/** The priors of the open exam. */
import { expect, test } from 'vitest';
import { createPriors } from '../../../desktop/renderer/state/priors.ts';
import { scriptedBridge } from './stories/scripted-bridge.ts';

test('the key that comes before the list opens the first prior once the list is there', async () => {
  const list = Promise.withResolvers<never>();
  const bridge = scriptedBridge({ 'prior.list': () => list.promise, 'prior.get': () => ({ id: 'pri_1' }) as never });
  const priors = createPriors('wli_1', bridge);
  void priors.read();
  const shown = priors.show(0);
  expect(priors.at.value).toBeNull();
  list.resolve({ items: [{ id: 'pri_1' }], related: 1, kept: false } as never);
  await shown;
  expect([priors.at.value, priors.open.value?.id]).toEqual([0, 'pri_1']);
});
