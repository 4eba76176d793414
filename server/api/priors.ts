/** The calls for priors. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import { PriorInput } from '../../src/contract/prior.ts';
import type { priors } from '../../src/contract/prior.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Call } from '../http/call.ts';
import type { Compile } from '../runtime/validation.ts';
import { pageAmong, readPage } from '../http/paging.ts';
import { periodIn } from '../http/period.ts';
import { importPriors, readPriors } from '../worklists/priors/import.ts';
import { priorOfRecord, findPriors, shownPrior, withoutSections } from '../worklists/priors/find-priors.ts';
import type { WorklistDeps } from '../worklists/deps.ts';
import type { Documents } from '../storage/collections.ts';
import type { Reader } from '../storage/store.ts';
import { whoIs } from '../http/caller.ts';
import { readOwnItem } from '../worklists/item-status.ts';
import { readSourceSystem } from '../worklists/source-system.ts';

const none = (): AppError => new AppError('NOT_FOUND', { message: 'There is no prior with this id.' });

/** An imported report of the caller's space; 404 for any other. */
async function ownPrior(reader: Reader, space: string, id: string): Promise<Documents['priors']> {
  const prior = await reader.get('priors', id);
  if (prior?.space !== space) throw none();
  return prior;
}

export function priorRoutes({ store, clock, ids }: WorklistDeps, compile: Compile): Handlers<typeof priors, Call> {
  // Each report is validated separately, so that an invalid one does not affect the others.
  const validate = compile(PriorInput);
  return {
    async ofItem({ params, query }, { caller: { space } }) {
      const item = await readOwnItem(store, space, params.id);
      const listed = await findPriors(store, item);
      return { status: 200, data: pageAmong(listed, `priors of ${item.id}\n${space}`, query, ({ prior }) => prior) };
    },

    async import({ body }, call) {
      const { space, test_mode: testMode } = call.caller;
      const source_system = readSourceSystem(call);
      const reports = await readPriors(body, { validate, testMode });
      return call.commit(async (tx) => {
        const arrival = { space, source_system, who: source_system ?? whoIs(call.caller), at: isoNow(clock) };
        return { status: 200, data: await importPriors(tx, ids, reports, arrival) };
      });
    },

    async list({ query }, { caller: { space } }) {
      const conditions = { is: { space, source_system: query.source_system }, during: { exam: periodIn(query) } };
      const show = (prior: Documents['priors']) => withoutSections(shownPrior(prior));
      return { status: 200, data: await readPage(store, 'priors', space, conditions, query, show) };
    },

    async get({ params: { id } }, { caller: { space } }) {
      const record = id.startsWith('rec_') ? await store.get('records', id) : undefined;
      if (record?.space !== space || record.worklist_item_id === null)
        return { status: 200, data: shownPrior(await ownPrior(store, space, id)) };
      const prior = priorOfRecord(record, await readOwnItem(store, space, record.worklist_item_id));
      if (!prior) throw none();
      const [signed] = await store.find('versions', { is: { signature: record.id }, limit: 1 });
      return { status: 200, data: { ...prior, author: signed?.who ?? null } };
    },

    async versions({ params, query }, { caller: { space } }) {
      const { id } = await ownPrior(store, space, params.id);
      const show = ({ id: _id, prior_id: _prior, ...version }: Documents['prior_versions']) => version;
      return { status: 200, data: await readPage(store, 'prior_versions', space, { is: { prior: id } }, query, show) };
    },

    async delete({ params }, call) {
      return call.commit(async (tx) => {
        const { id } = await ownPrior(tx, call.caller.space, params.id);
        for (const version of await tx.find('prior_versions', { is: { prior: id } }))
          tx.remove('prior_versions', version.id);
        tx.remove('priors', id);
        return { status: 200, data: { id, deleted: true } };
      });
    },
  };
}
