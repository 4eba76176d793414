/** What the service says of itself: its templates and its jobs. */
import { Job } from '../../src/contract/job.ts';
import { array, object, oneOf } from '../../src/contract/schema.ts';
import { languages } from '../../src/contract/shared.ts';
import { Template } from '../../src/contract/template.ts';
import { call } from './call.ts';
import { nothing } from './shapes.ts';

export const referenceCalls = {
  'templates.list': call({
    summary: 'The templates of a language',
    input: object({ language: oneOf(languages) }),
    output: object({ items: array(Template) }),
  }),
  'jobs.list': call({
    summary: 'The jobs of the service, newest first',
    input: nothing,
    output: object({ items: array(Job) }),
  }),
} as const;
