import { AppError } from '../../../src/contract/errors.ts';
import { itemsOf } from '../../../src/client/pages.ts';
import { defineCommand, integer, required } from '../../command.ts';
import { priorDetail } from '../../resources/prior.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the prior (pri_…), or of a signed document (rec_…)') },
  options: { version: integer('This version, before a correction', { placeholder: 'N' }) },
  async run({ client, signal }, { id, version }) {
    const { priors } = await client();
    const params = { id };
    const { data: prior } = await priors.get({ params }, { signal });
    if (version === undefined || version === prior.version) return priorDetail(prior);
    for await (const earlier of itemsOf((paging) => priors.versions({ params, query: paging }, { signal }))) {
      if (earlier.version !== version) continue;
      const { until: updated_at, who: _who, ...then } = earlier;
      return priorDetail({ ...prior, ...then, updated_at });
    }
    throw new AppError('NOT_FOUND', {
      message: `The prior has no version ${version}.`,
      hint: `Its versions are 1 to ${prior.version}.`,
    });
  },
});
