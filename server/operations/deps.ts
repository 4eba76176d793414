/** The dependencies of backups, retention, metrics and readiness. A function names the parts that it uses; app.ts composes them. */
import type { Clock } from '../../src/domain/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Blobs } from '../storage/blobs/blobs.ts';
import type { Ids } from '../storage/ids.ts';
import type { Store } from '../storage/store.ts';

export interface OperationDeps {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}
