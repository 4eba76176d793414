/** The counters of a store of one process. */
import { createLoneCounters } from '../../../server/storage/counters.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { describeCounters } from '../../suites/counters.suite.ts';

describeCounters('one process', () => {
  const clock = manualClock(0);
  const counters = createLoneCounters(clock);
  return { open: () => counters, pass: (ms) => clock.advance(ms) };
});
