/** The dependencies of the authorization server. Each function declares those it uses; app.ts provides them. */
import type { Clock } from '../../src/domain/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Ids } from '../storage/ids.ts';
import type { Counters } from '../storage/counters.ts';
import type { Store } from '../storage/store.ts';

export interface AuthDeps {
  readonly store: Store;
  readonly counters: Counters;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}
