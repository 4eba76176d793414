/** Gives documents their titles. */
import type { Template } from '../../src/contract/template.ts';
import type { ExamContext } from '../speech/exam-context.ts';

/** Longest title that a record may be given (contract: RecordUpdate). */
const longestTitle = 200;

/** The description of the exam, or else the title of the template. */
export function titleOf(template: Template, exam: ExamContext | null): string {
  const title = exam?.exam_description.replace(/\s+/g, ' ').trim() || template.title;
  return title.length <= longestTitle ? title : `${title.slice(0, longestTitle - 1).replace(/(?<!\s)\s+\S*$/, '')}…`;
}
