/** What waits for a reader of events. */
import { expect, test } from 'vitest';
import { manualClock } from '../../../src/domain/clock.ts';
import { createEventReader } from '../../../src/client/events/event-reader.ts';

const heartbeat = 15_000;

test('a reader that takes no event while others arrive is disconnected; a slow one stays', async () => {
  const clock = manualClock(0);
  let left = 0;
  const still = createEventReader(clock, () => left++);
  const reading = createEventReader(clock, () => expect.unreachable());
  for (let beat = 0; beat < 4; beat++) {
    for (const { offer } of [still, reading]) for (let event = 0; event < 3; event++) offer(Buffer.from('data: 1\n\n'));
    expect(left).toBe(beat < 2 ? 0 : 1);
    reading.stream.read();
    // The stream asks for more later.
    await new Promise(setImmediate);
    clock.advance(heartbeat);
  }
  expect(left).toBe(1);
});

test('silence does not count: a reader may wait for the next sign of life', async () => {
  const clock = manualClock(0);
  const reader = createEventReader(clock, () => expect.unreachable());
  for (let beat = 0; beat < 20; beat++) {
    reader.stream.read();
    await new Promise(setImmediate);
    clock.advance(heartbeat);
  }
});
