/** The templates that come with Laudio, by id, in the order in which they are listed; the first is the usual one. */
import type { TemplateData } from '../template.ts';
import { testModeTemplates } from './test-mode.ts';

export const shippedTemplates: Readonly<Record<string, TemplateData>> = {
  ...testModeTemplates,
};
