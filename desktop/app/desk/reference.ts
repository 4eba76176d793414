/** What the service says of itself: its templates and its jobs. */
import { join } from 'node:path';
import { isTransient } from '../../../src/client/transient.ts';
import type { Job } from '../../../src/contract/job.ts';
import { array, object } from '../../../src/contract/schema.ts';
import { Template } from '../../../src/contract/template.ts';
import { jsonFile } from '../json-file.ts';
import type { Service, ServiceDeps } from '../service.ts';

const TemplateList = object({ items: array(Template) });

/** Templates change rarely: offline the app uses those that it read last. */
export function createTemplates({ directory, sealing, connect }: ServiceDeps): Service<'templates'> {
  return {
    handlers: {
      async 'templates.list'({ language }) {
        const file = jsonFile(join(directory, `templates-${language}.json`), TemplateList, sealing);
        try {
          const { data } = await connect().client.templates.list({ query: { language } });
          const items = data.items.filter((template) => template.language === language);
          await file.write({ items });
          return { items };
        } catch (error) {
          const kept = isTransient(error) ? await file.read() : undefined;
          if (!kept) throw error;
          return kept;
        }
      },
    },
    close: async () => undefined,
  };
}

/** Most jobs that are shown. */
const mostJobs = 50;

export function createJobs({ connect }: ServiceDeps): Service<'jobs'> {
  let seen: Job[] = [];
  return {
    handlers: {
      async 'jobs.list'() {
        try {
          seen = (await connect().client.jobs.list({ query: { limit: mostJobs } })).data.items;
        } catch (error) {
          if (!isTransient(error)) throw error;
        }
        return { items: seen };
      },
    },
    close: async () => undefined,
  };
}
