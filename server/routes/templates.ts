/** Templates: what the writer makes documents by. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { templates } from '../../src/contract/template.ts';
import type { Call } from '../call.ts';
import type { Services } from '../services.ts';

/** The default of the query, for callers whose input was not validated and filled in. */
const languageOf = (query: { language?: Language }): Language => query.language ?? 'en-US';

export function templateRoutes({ writer }: Pick<Services, 'writer'>): Handlers<typeof templates, Call> {
  return {
    async list({ query }) {
      return { status: 200, data: { items: [...writer.templates(languageOf(query))] } };
    },

    async get({ params, query }) {
      const template = writer.template(params.id, languageOf(query));
      if (!template) throw new AppError('NOT_FOUND');
      return { status: 200, data: template };
    },
  };
}
