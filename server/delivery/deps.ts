/** The dependencies of channels, webhooks and exports. A function names the parts that it uses; app.ts composes them. */
import type { Clock } from '../../src/domain/clock.ts';
import type { Templates } from '../records/templates/templates.ts';
import type { Log } from '../runtime/log.ts';
import type { Workers } from '../runtime/workers/workers.ts';
import type { Ids } from '../storage/ids.ts';
import type { Store } from '../storage/store.ts';

export interface DeliveryDeps {
  readonly store: Store;
  readonly templates: Templates;
  /** The name of each institution, and the lines below it. */
  readonly letterheads: readonly (readonly string[])[];
  readonly workers: Workers;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}
