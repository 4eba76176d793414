/** Reference data of the service: templates, letterheads, viewers and jobs. */
import { join } from 'node:path';
import { isTransient } from '../../../src/client/transient.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Job } from '../../../src/contract/job.ts';
import { Letterhead } from '../../../src/contract/letterhead.ts';
import { array, object } from '../../../src/contract/schema.ts';
import { Template } from '../../../src/contract/template.ts';
import type { TemplateDefinition } from '../../../src/contract/template.ts';
import { Viewer } from '../../../src/contract/viewer.ts';
import { checkDefinition } from '../../../src/reporting/templates/definition.ts';
import { jsonFile } from '../json-file.ts';
import type { JsonFile } from '../json-file.ts';
import type { Log, Service, ServiceDeps } from '../service.ts';

const TemplateList = object({ items: array(Template) });

/** Throws the problems as messages, which the page has in its language: the service's are English. */
function refuseInvalid(definition: TemplateDefinition): void {
  const problems = checkDefinition(definition);
  const [first] = problems;
  if (first) throw new AppError('VALIDATION_FAILED', { message: first.message, details: { problems } });
}

/** The answer counts even if a full disk can't store it. */
const keepList = <T>(file: JsonFile<{ items: T[] }>, items: T[], log: Log): Promise<void> =>
  file.write({ items }).catch(() => log({ level: 'warn', event: 'list_not_kept' }));

/** Templates change rarely: offline the app uses those read last. */
export function createTemplates({ directory, sealing, connect, log }: ServiceDeps): Service<'templates'> {
  const ownTemplates = async (): Promise<Template[]> =>
    (await connect().client.templates.list({ query: {} })).data.items.filter(({ origin }) => origin === 'own');
  return {
    handlers: {
      async 'templates.list'({ language }) {
        const file = jsonFile(join(directory, `templates-${language}.json`), TemplateList, sealing);
        try {
          const { data } = await connect().client.templates.list({ query: { language } });
          const items = data.items.filter((template) => template.language === language);
          await keepList(file, items, log);
          return { items };
        } catch (error) {
          const kept = isTransient(error) ? await file.read() : undefined;
          if (!kept) throw error;
          return kept;
        }
      },
      async 'templates.own'() {
        return { items: await ownTemplates() };
      },
      async 'templates.read'({ language }, bytes) {
        const { readTemplateFile } = await import('../../../src/files/templates/template-file.ts');
        const { definition, notes } = readTemplateFile(bytes, language === null ? {} : { language });
        refuseInvalid(definition);
        const known = (await ownTemplates()).find(({ id }) => id === definition.id);
        return { definition, notes: [...notes], replaces: known?.version ?? null };
      },
      async 'templates.preview'({ definition, text, exam }) {
        refuseInvalid(definition);
        const body = { definition, text, ...(exam && { exam }) };
        return (await connect().client.templates.preview({ body })).data;
      },
      async 'templates.add'({ definition, replaces }) {
        refuseInvalid(definition);
        const { templates } = connect().client;
        const { id } = definition;
        if (replaces === null || id === undefined) return (await templates.create({ body: definition })).data;
        const headers = { 'If-Match': `"${replaces}"` };
        return (await templates.update({ params: { id }, body: definition }, { headers })).data;
      },
      async 'templates.remove'({ id }) {
        await connect().client.templates.delete({ params: { id } });
        return {};
      },
    },
    close: async () => undefined,
  };
}

/** Reads a list that the operator sets: offline the app uses the one read last. A service may have none. */
const readOrKept =
  <T>(file: JsonFile<{ items: T[] }>, log: Log, read: () => Promise<{ data: { items: T[] } }>) =>
  async (): Promise<{ items: T[] }> => {
    try {
      const { items } = (await read()).data;
      await keepList(file, items, log);
      return { items };
    } catch {
      return (await file.read()) ?? { items: [] };
    }
  };

export function createLetterheads({ directory, sealing, connect, log }: ServiceDeps): Service<'letterheads'> {
  const file = jsonFile(join(directory, 'letterheads.json'), object({ items: array(Letterhead) }), sealing);
  return {
    handlers: { 'letterheads.list': readOrKept(file, log, () => connect().client.letterheads.list({})) },
    close: async () => undefined,
  };
}

export function createViewers({ directory, sealing, connect, log }: ServiceDeps): Service<'viewers'> {
  const file = jsonFile(join(directory, 'viewers.json'), object({ items: array(Viewer) }), sealing);
  return {
    handlers: { 'viewers.list': readOrKept(file, log, () => connect().client.viewers.list({})) },
    close: async () => undefined,
  };
}

/** Maximum number of jobs shown. */
const maxJobs = 50;

export function createJobs({ connect }: ServiceDeps): Service<'jobs'> {
  let seen: Job[] = [];
  return {
    handlers: {
      async 'jobs.list'() {
        try {
          seen = (await connect().client.jobs.list({ query: { limit: maxJobs } })).data.items;
        } catch (error) {
          if (!isTransient(error)) throw error;
        }
        return { items: seen };
      },
    },
    close: async () => undefined,
  };
}
