/** Options of test servers: simulations and faults. */
import { faultProfileNames } from '../../src/contract/fault.ts';
import { text } from '../command.ts';

export const simulationOptions = {
  accessTokenTtl: text('Lifetime of access tokens, from 1s to 24h; default 1h', { placeholder: 'DURATION' }),
  clock: text(
    'Simulate a time: fixed:ISO stands still until laudio server clock advance moves it, offset:+2h or offset:-3d runs on from there',
    { placeholder: 'CLOCK' },
  ),
  seed: text(
    'Make ids, webhook secrets and delays reproducible; with --clock fixed:ISO the same calls get the same answers',
    { placeholder: 'TEXT' },
  ),
  faults: text(
    `Initial faults, for tests: a file (see laudio server fault --help), or a profile (${faultProfileNames.join(', ')})`,
    { placeholder: 'FILE|PROFILE' },
  ),
};
