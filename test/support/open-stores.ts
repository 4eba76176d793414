/** Stores as a server opens them: those of the registries, of which a test may choose. */
import { selectStores } from '../../server/app.ts';
import type { OpenedStores, StoreChoices, StoresOptions } from '../../server/storage/stores.ts';
import { systemClock } from '../../src/node/clock.ts';

export type OpenStores = (options: Partial<StoresOptions>) => Promise<OpenedStores>;

export const openerOf =
  (store: string, blobs?: string): OpenStores =>
  (options) => {
    const choices: StoreChoices = { store: { use: store }, ...(blobs !== undefined && { blobs: { use: blobs } }) };
    return selectStores(choices).open({
      directory: undefined,
      key: {},
      clock: systemClock,
      log: () => {},
      memory: undefined,
      ...options,
    });
  };
