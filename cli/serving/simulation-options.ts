/** Options of test servers: simulations and faults. */
import { faultProfileNames } from '../../src/contract/fault.ts';
import { text } from '../command.ts';

export const simulationOptions = {
  accessTokenTtl: text('How long access tokens live, from 1s to 24h; default 1h', { placeholder: 'DURATION' }),
  clock: text(
    'Simulate a time: fixed:ISO stands until laudio server clock advance moves it, offset:+2h or offset:-3d runs on from there',
    { placeholder: 'CLOCK' },
  ),
  seed: text(
    'Make the same ids, secrets of webhooks and pauses in every run; with --clock fixed:ISO the same calls get the same answers',
    { placeholder: 'TEXT' },
  ),
  faults: text(
    `Faults from the start on, for tests: a file as laudio server fault --help tells, or a profile (${faultProfileNames.join(', ')})`,
    { placeholder: 'FILE|PROFILE' },
  ),
};
