/** The templates for kinds of exams that come with Laudio, by id; the first is for all that no other is for. */
import type { ExamTemplate } from '../exam-template.ts';
import { otherTemplates } from './other.ts';
import { radiologyTemplates } from './radiology.ts';
import { resonanceTemplates } from './resonance.ts';
import { tomographyTemplates } from './tomography.ts';
import { ultrasoundTemplates } from './ultrasound.ts';

export const examTemplates: Readonly<Record<string, ExamTemplate>> = {
  ...radiologyTemplates,
  ...tomographyTemplates,
  ...resonanceTemplates,
  ...ultrasoundTemplates,
  ...otherTemplates,
};
