/** The calls for templates, by which documents are made. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { Template, templates as contract } from '../../src/contract/template.ts';
import type { ReportTemplate } from '../../src/domain/templates/template.ts';
import type { Call } from '../http/call.ts';
import type { Services } from '../services.ts';

/** The default of the query, for callers whose input was not validated and filled in. */
const languageOf = (query: { language?: Language }): Language => query.language ?? 'en-US';

/** The template alone, as the API shows it. */
const toTemplate = ({ title: _title, macros: _macros, ...template }: ReportTemplate): Template => template;

export function templateRoutes({ templates }: Pick<Services, 'templates'>): Handlers<typeof contract, Call> {
  return {
    async list({ query }, { caller }) {
      const listed = await templates.list(caller, languageOf(query));
      return { status: 200, data: { items: listed.map(toTemplate) } };
    },

    async get({ params, query }, { caller }) {
      const template = await templates.find(caller, params.id, languageOf(query));
      if (!template) throw new AppError('NOT_FOUND');
      return { status: 200, data: toTemplate(template) };
    },
  };
}
