/** Chooses the template for an exam by its modality, the part of the body and the description. */
import { languages } from '../../contract/shared.ts';
import { fold } from '../report/fold.ts';
import { phraseAt } from '../report/phrases.ts';
import { rulesOf } from '../report/rules.ts';
import { tokensOf } from '../report/token.ts';
import type { ExamKind, TemplateData } from './template.ts';
import { normalForm } from '../normal-form.ts';

/** What is known of an exam; descriptions are in any of our languages. */
export interface ExamToWrite {
  /** DICOM: CT, MR … */
  readonly modality: string;
  readonly exam_description: string;
  /** DICOM BodyPartExamined (0018,0015): CHEST, LSPINE … */
  readonly body_part?: string | null;
}

/** Names of DICOM for parts of the body that no language has. */
const bodyParts: Readonly<Record<string, string>> = {
  LSPINE: 'lumbar',
  CSPINE: 'cervical',
  TSPINE: 'dorsal',
  BRAIN: 'head',
  SKULL: 'head',
  HEART: 'heart',
};

/** The id of the template that fits best; the first of them where none fits. */
export function chooseTemplate(
  exam: ExamToWrite,
  templates: Readonly<Record<string, Pick<TemplateData, 'exams'>>>,
): string {
  const regions = regionsOf(exam);
  const description = fold(normalForm(exam.exam_description));
  const scored = Object.entries(templates).map(([id, { exams }]) => ({
    id,
    score: exams === undefined ? 0 : scoreOf(exams, { modality: exam.modality.toUpperCase(), regions, description }),
  }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score > 0 ? best.id : Object.keys(templates)[0]!;
}

interface Known {
  readonly modality: string;
  readonly regions: ReadonlySet<string>;
  readonly description: string;
}

/** Nothing where the modality is another, or neither region nor words are there; words tell more than regions. */
function scoreOf({ modalities, regions, words }: ExamKind, known: Known): number {
  const isModality = modalities?.split(' ').includes(known.modality) === true;
  const isNamed = words?.test(known.description) === true;
  const isOwnKind = words === undefined && regions === undefined && isModality;
  const common = (regions?.split(' ') ?? []).filter((region) => known.regions.has(region)).length;
  // "Ecocardiograma" without a modality tells its kind; another modality contradicts it.
  if (!isModality && !(isNamed && known.modality === '')) return 0;
  if (isOwnKind) return 1;
  return (isNamed ? 4 : 0) + common * 2 - (common > 0 ? (known.regions.size - common) / 8 : 0);
}

function regionsOf({ exam_description, body_part }: ExamToWrite): Set<string> {
  const found = new Set<string>();
  const part = body_part?.toUpperCase() ?? '';
  if (bodyParts[part]) found.add(bodyParts[part]);
  const tokens = tokensOf(normalForm(`${exam_description} ${part}`).replace(/[_^/.-]/g, ' '));
  for (const language of languages) {
    const { regions } = rulesOf(language).lexicon;
    tokens.forEach((_, at) => {
      const region = phraseAt(tokens, at, regions);
      if (region) found.add(region.value);
    });
  }
  return found;
}
