/** A worklist on a store that forgets, with time that stands still until told to move. */
import { createFeed } from '../../server/storage/feed.ts';
import { createIds } from '../../server/storage/ids.ts';
import { worklistRoutes } from '../../server/api/worklists.ts';
import { createMemoryStore } from '../../server/storage/memory/memory-documents.ts';
import type { Store } from '../../server/storage/store.ts';
import { createValidation } from '../../server/runtime/validation.ts';
import { createWorkers } from '../../server/runtime/workers/workers.ts';
import type { Bundling } from '../../server/worklists/ingest/bundling.ts';
import type { ItemValidator } from '../../server/worklists/check-item.ts';
import type { IngestResult } from '../../src/contract/worklist.ts';
import { WorklistItemInput } from '../../src/contract/worklist.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import { manualClock } from '../../src/domain/clock.ts';
import type { ManualClock } from '../../src/domain/clock.ts';
import { fakeCall } from './call.ts';
import type { CallOptions } from './call.ts';
import { workTwice } from './work-twice.ts';

export const validateItem: ItemValidator = createValidation()(WorklistItemInput);

/** `open`: another store than one that forgets. `bundlingOver`: who has bodies read in a thread; default: nobody. */
export function createWorklist(
  open: (clock: ManualClock) => Store = (clock) => createMemoryStore({ clock }),
  bundlingOver?: (store: Store) => Bundling,
) {
  const clock = manualClock(Date.parse('2026-03-02T11:00:00Z'));
  const store = workTwice(open(clock));
  const feed = createFeed(store, 'items', () => 'run');
  const bundling = bundlingOver?.(store);
  const services = {
    store,
    clock,
    ids: createIds(clock),
    feed,
    workers: createWorkers(),
    ...(bundling && { bundling }),
  };
  const routes = worklistRoutes(services, () => validateItem);
  const call = (options?: CallOptions) => fakeCall(store, options);
  return {
    ...services,
    routes,
    call,
    ingest: async (body: unknown, options?: CallOptions): Promise<IngestResult> =>
      (await routes.ingest({ body: body as never }, call(options))).data,
    item: async (id: string, options?: CallOptions) => (await routes.get({ params: { id } }, call(options))).data,
    async list(query: Parameters<typeof routes.list>[0]['query'] = {}, options?: CallOptions) {
      const { data } = await routes.list({ query }, call(options));
      return { ...data, updated_until: data.updated_until! };
    },
    setStatus: async (id: string, body: Parameters<typeof routes.setStatus>[0]['body'], options?: CallOptions) =>
      (await routes.setStatus({ params: { id }, body }, call(options))).data,
    history: async (id: string, options?: CallOptions) =>
      (await routes.history({ params: { id }, query: {} }, call(options))).data.items,
  };
}

/** A complete item; what is given replaces or adds fields. */
export const exam = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  accession_number: 'SL-1',
  patient_id: '0045871',
  patient_name: 'TESTE^PACIENTE',
  modality: 'CT',
  exam_datetime: '2026-03-02T08:30:00-03:00',
  exam_description: 'TC de tórax sem contraste',
  ...fields,
});

/** The error that the promise ends with. */
export async function refusal(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw new Error('expected an AppError', { cause: error });
}

export const fieldErrorsOf = (error: AppError): FieldError[] => error.details?.['errors'] as FieldError[];
