/** The vocabulary in the app: as the service has it, changed on the version that the person saw. */
import { expect, test } from 'vitest';
import type { TermWords } from '../../../desktop/bridge/vocabulary.ts';
import { bridgeTo, outsider, startWorkplace } from '../../support/app-host.ts';

const words: TermWords = { write: 'Klatskin', for: ['clat skin'], language: 'en-US', owner: 'person' };

test('words are listed, saved and deleted, and nobody overwrites what somebody else changed', async () => {
  const place = await startWorkplace();
  const bridge = bridgeTo(place.visit());
  await bridge.call('session.start', { place: 'test' });
  const other = await outsider(place.server);
  const term = await bridge.call('vocabulary.save', words);
  const { id } = term;
  expect((await bridge.call('vocabulary.list', {})).items).toEqual([term]);
  const of = { id, version: 1 };
  expect(await bridge.call('vocabulary.save', { ...words, for: [], of })).toMatchObject({ for: [], version: 2 });
  await other.vocabulary.update({ params: { id }, body: { owner: 'space' } });
  await expect(bridge.call('vocabulary.save', { ...words, of })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
  await expect(bridge.call('vocabulary.save', { ...words, owner: 'space' })).rejects.toMatchObject({
    code: 'IDENTIFIER_CONFLICT',
  });
  await expect(bridge.call('vocabulary.delete', { id, version: 2 })).rejects.toMatchObject({
    code: 'VERSION_CONFLICT',
  });
  await bridge.call('vocabulary.delete', { id, version: 3 });
  expect((await bridge.call('vocabulary.list', {})).items).toEqual([]);
});
