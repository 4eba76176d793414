import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { jobStatuses } from '../../src/contract/job.ts';
import { hasEnded, jobTransitions, mayBecome } from '../../src/domain/job-state.ts';

const status = fc.constantFrom(...jobStatuses);

test('no walk through the table leaves an end state, and no state follows itself', () => {
  fc.assert(
    fc.property(fc.array(status, { maxLength: 20 }), (wishes) => {
      let present: (typeof jobStatuses)[number] = 'queued';
      let ended = false;
      for (const wish of wishes) {
        if (!mayBecome(present, wish)) continue;
        expect(ended).toBe(false);
        expect(wish).not.toBe(present);
        present = wish;
        ended = hasEnded(present);
      }
    }),
  );
});

test('a job is completed or failed only while it is worked at, and cancelled while it has not ended', () => {
  const before = (to: (typeof jobStatuses)[number]) => jobStatuses.filter((from) => jobTransitions[from].includes(to));
  expect(before('completed')).toEqual(['in_progress']);
  expect(before('failed')).toEqual(['in_progress']);
  expect(before('cancelled')).toEqual(['queued', 'in_progress']);
  expect(jobStatuses.filter(hasEnded)).toEqual(['completed', 'failed', 'cancelled']);
});
