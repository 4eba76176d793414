/** Checks a report in a file, without a server (`laudio record check`). */
import type { Language } from '../../src/contract/shared.ts';
import type { HeardText } from '../../src/domain/heard-text.ts';
import { normalForm } from '../../src/domain/normal-form.ts';
import type { Exam } from '../../src/reporting/checks/exam.ts';
import type { Finding } from '../../src/reporting/checks/finding.ts';
import { inspection } from '../../src/reporting/versions/inspection.ts';
import { detectLanguage } from '../../src/reporting/words/language.ts';
import { readReport } from '../../src/reporting/parse-report.ts';
import { macrosOfTemplate } from '../../src/reporting/vocabulary/macros.ts';
import { chooseTemplate } from '../../src/reporting/templates/choose.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../src/reporting/templates/template.ts';
import { elementAt } from '../../src/domain/elements.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

/** A finding with the position of its words in the file; `null` if the finding is about missing text. */
export interface PlacedFinding extends Finding {
  readonly line: number | null;
  readonly column: number | null;
}

interface Against {
  readonly said: HeardText | null;
  readonly exam: Exam | null;
  readonly language: Language | undefined;
  readonly template: string | undefined;
}

const realTemplates = Object.fromEntries(Object.entries(shippedTemplates).filter(([, { inTestMode }]) => !inTestMode));

/** Returns `undefined` if the report is too long for the checks. USAGE for an unknown template. */
export function checkReport(
  report: string,
  { said, exam, language: wanted, template: id }: Against,
): { language: Language; template_id: string; findings: PlacedFinding[] } | undefined {
  const language = wanted ?? detectLanguage(report) ?? 'en-US';
  const templateId = id ?? chooseTemplate(exam ?? { modality: '', exam_description: '' }, realTemplates);
  const data = Object.hasOwn(shippedTemplates, templateId) ? shippedTemplates[templateId] : undefined;
  if (!data) {
    const ids = Object.keys(realTemplates);
    throw unknownWord('There is no such template.', templateId, ids, `Templates: ${ids.join(', ')}.`);
  }
  const { sections: template, macros } = templateIn(language, templateId, data);
  const written = readReport(report, { language, template });
  const { found } = inspection({
    sections: written.sections,
    against: { language, template, macros: macrosOfTemplate(macros), heard: said, exam },
  });
  if (!found) return undefined;
  const lines = lineStarts(normalForm(report));
  const findings = found.map((each): PlacedFinding => {
    const place = each.end > each.start ? written.placeOf(each.section, each.start) : undefined;
    return { ...each, ...(place === undefined ? { line: null, column: null } : lineAt(lines, place)) };
  });
  return { language, template_id: templateId, findings };
}

const lineStarts = (text: string): number[] => [
  0,
  ...[...text.matchAll(/\r\n?|\n/g)].map(({ index, 0: end }) => index + end.length),
];

/** Counted from 1, like in editors. */
function lineAt(starts: readonly number[], place: number): { line: number; column: number } {
  const line = starts.findLastIndex((start) => start <= place);
  return { line: line + 1, column: place - elementAt(starts, line) + 1 };
}
