/** The templates that come with Laudio, by id, in the order of listing; the first is for all exams without another. */
import type { TemplateData } from '../template.ts';
import { otherTemplates } from './other.ts';
import { radiologyTemplates } from './radiology.ts';
import { resonanceTemplates } from './resonance.ts';
import { testModeTemplates } from './test-mode.ts';
import { tomographyTemplates } from './tomography.ts';
import { ultrasoundTemplates } from './ultrasound.ts';

export const shippedTemplates: Readonly<Record<string, TemplateData>> = {
  ...radiologyTemplates,
  ...tomographyTemplates,
  ...resonanceTemplates,
  ...ultrasoundTemplates,
  ...otherTemplates,
  ...testModeTemplates,
};
