/** The dependencies of worklists. A function names the parts that it uses; app.ts composes them. */
import type { Clock } from '../../src/domain/clock.ts';
import type { Ids } from '../storage/ids.ts';
import type { Store } from '../storage/store.ts';

export interface WorklistDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}
