/** The calls for report templates. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { templates as contract } from '../../src/contract/template.ts';
import { idFromName } from '../../src/reporting/templates/id-from-name.ts';
import type { Call } from '../http/call.ts';
import { etagOf } from '../http/versions.ts';
import type { RecordDeps } from '../records/deps.ts';
import { addTemplate, removeTemplate, replaceTemplate } from '../records/templates/own-templates.ts';
import { whileCalled } from '../records/dictation.ts';
import { previewTemplate } from '../records/templates/preview.ts';
import type { TemplateChange } from '../records/templates/own-templates.ts';
import { suggestTemplate } from '../records/templates/templates.ts';
import { whoIs } from '../http/caller.ts';

/** Applies the default of the query, for callers that bypass validation. */
const languageOf = (query: { language?: Language }): Language => query.language ?? 'en-US';

const changeOf = (call: Call): TemplateChange => ({
  space: call.caller.space,
  who: whoIs(call.caller),
  ifMatch: call.header('if-match'),
});

export function templateRoutes(
  services: Pick<RecordDeps, 'templates' | 'writer' | 'clock' | 'ids'>,
): Handlers<typeof contract, Call> {
  const { templates } = services;
  /** Throws 409 for the id of a built-in template. */
  const refuseShipped = (id: string, message: string): void => {
    if (!templates.isShipped(id)) return;
    throw new AppError('IDENTIFIER_CONFLICT', {
      message,
      hint: 'Add a template with another id; it takes precedence over those that come with Laudio.',
    });
  };
  const unchangeable = 'This template comes with Laudio, and cannot be changed or deleted.';

  return {
    async list({ query }, { caller }) {
      return { status: 200, data: { items: [...(await templates.list(caller, languageOf(query)))] } };
    },

    async create({ body }, call) {
      const id = body.id ?? idFromName(body.name);
      refuseShipped(id, 'A template that comes with Laudio has this id.');
      return call.commit(async (tx) => {
        const template = await addTemplate(tx, services, id, body, changeOf(call));
        return { status: 201, data: template, headers: { ETag: etagOf(template) } };
      });
    },

    async preview({ body }, call) {
      const listed = await templates.list(call.caller, body.definition.language);
      const own = listed.filter(({ origin }) => origin === 'own');
      const asker = { account: call.caller.space, signal: call.signal, own };
      return { status: 200, data: await whileCalled(call, previewTemplate(services.writer, body, asker)) };
    },

    async get({ params, query }, { caller }) {
      const named = { id: params.id, version: query.version };
      const template = await templates.find(caller, named, languageOf(query));
      if (!template) {
        const suggestion = await suggestTemplate(templates, caller, params.id);
        throw new AppError('NOT_FOUND', { message: `There is no template with this id${suggestion || '.'}` });
      }
      return { status: 200, data: template, headers: { ETag: etagOf(template) } };
    },

    async update({ params: { id }, body }, call) {
      refuseShipped(id, unchangeable);
      if (body.id !== undefined && body.id !== id) {
        throw validationFailed([{ field: 'id', message: 'id is not the id in the path', code: 'INVALID_VALUE' }]);
      }
      return call.commit(async (tx) => {
        const template = await replaceTemplate(tx, services, id, body, changeOf(call));
        return { status: 200, data: template, headers: { ETag: etagOf(template) } };
      });
    },

    async delete({ params: { id } }, call) {
      refuseShipped(id, unchangeable);
      return call.commit(async (tx) => {
        await removeTemplate(tx, id, changeOf(call));
        return { status: 200, data: { id, deleted: true } };
      });
    },
  };
}
