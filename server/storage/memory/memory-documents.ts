/** A document store in memory: its documents end with the process. */
import { systemClock } from '../../../src/node/clock.ts';
import type { CeilingOptions } from '../ceiling.ts';
import { createDocumentStore } from '../transactions/document-store.ts';
import type { CommitLog } from '../transactions/document-store.ts';
import type { Store } from '../store.ts';
import { createTables } from '../transactions/tables.ts';

export const createMemoryStore = ({
  clock = systemClock,
  log = () => {},
  memory,
}: Partial<CeilingOptions> = {}): Store =>
  createDocumentStore('memory', createTables(), nowhere, { clock, log, memory });

const nowhere: CommitLog = {
  setbacks: 0,
  pending: [],
  append: async () => {},
  replace: async () => {},
  compact: async () => {},
  probe: async () => {},
  close: async () => {},
};
