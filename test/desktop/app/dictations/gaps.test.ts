/** Where sound of a dictation is missing. */
import { expect, it } from 'vitest';
import { beginning, crashed, openDesk, rate, samples } from './open-dictations.ts';

it('keeps where sound is missing, over edits, repeated calls and the death of the app', async () => {
  const desk = await openDesk();
  const { id } = await desk.call['dictation.start'](beginning);
  await desk.take(id, { take: 'one' });
  await desk.block(id, samples(1, 800));
  const gap = { take: 'one', from: 800, missing: 15 * rate };
  await desk.block(id, samples(2, 800), gap);
  await desk.block(id, samples(2, 800), gap);
  const gaps = [{ at: 800 / rate, seconds: 15 }];
  expect(await desk.get(id)).toMatchObject({ seconds: 1600 / rate, gaps });
  const again = await openDesk({ directory: await crashed(desk) });
  expect(await again.get(id)).toMatchObject({ seconds: 1600 / rate, gaps });
  // What is put in front moves it; what is said in its place is another place.
  await again.take(id, { mode: 'insert', at: 0 });
  await again.block(id, samples(3, 400));
  expect((await again.get(id))?.gaps).toEqual([{ at: 1200 / rate, seconds: 15 }]);
  await again.call['dictation.pause']({ id });
  await again.take(id, { mode: 'overwrite', at: 1100 / rate });
  await again.block(id, samples(4, 400));
  expect((await again.get(id))?.gaps).toBeUndefined();
});

it('takes sound that exists nowhere any more for missing', async () => {
  const desk = await openDesk();
  const { id } = await desk.call['dictation.start'](beginning);
  await desk.take(id, { take: 'one' });
  await desk.block(id, samples(1, 800));
  const { item_id, sample_rate, language, template_id } = beginning;
  const resumed = { item_id, sample_rate, language, template_id, from: 2400 };
  await desk.take(id, { take: 'one', resumed });
  await desk.block(id, samples(2, 800), { take: 'one', from: 2400 });
  expect((await desk.get(id))?.gaps).toEqual([{ at: 800 / rate, seconds: 1600 / rate }]);
});
