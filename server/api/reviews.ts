/** The calls for decisions about the findings of a record, and for the origin of its words. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { reviews } from '../../src/contract/review.ts';
import type { Call } from '../http/call.ts';
import { undoConversion } from '../records/change.ts';
import type { ChangeDeps } from '../records/change.ts';
import { decideFinding } from '../records/review.ts';
import { readRecord, versionId } from '../records/stored-record.ts';

export const reviewRoutes = (services: ChangeDeps): Handlers<typeof reviews, Call> => ({
  decide: ({ params, body }, call) => decideFinding(services, params, body, call),

  undo: ({ params, body }, call) => undoConversion(services, params.id, body, call),

  async provenance({ params, query }, { caller }) {
    const record = await readRecord(services.store, caller.space, params.id);
    const n = query?.version ?? record.version;
    const { provenance } = (await services.store.get('versions', versionId(params.id, n))) ?? {};
    if (!provenance) throw new AppError('NOT_FOUND', { message: 'The origin of its words is unknown.' });
    const { heard_words } = record;
    return { status: 200, data: { id: params.id, version: n, ...provenance, ...(heard_words && { heard_words }) } };
  },
});
