/** Scores the service on a set of documents (README.md says how each is counted). */
import type { Language } from '../../src/contract/shared.ts';
import type { CheckCase, DictationCase, DocumentSet, InstructionCase, Wanted } from './cases.ts';
import { factsIn } from './facts.ts';
import { check, checkEdit, correct, write } from './service.ts';
import type { Found } from './service.ts';

/** What went wrong with one case, for a person to read. */
export interface Miss {
  readonly id: string;
  readonly tags: readonly string[];
  readonly score: ScoreName;
  readonly wanted: string;
  readonly got: string;
}

/** How many of how many; few are good for false alarms, questions without a reason, and instructions that corrupt. */
export interface Share {
  readonly hits: number;
  readonly of: number;
}

export const scoreNames = {
  dictationsExact: 'dictations exact',
  factsKept: 'facts kept',
  asked: 'questions as wanted',
  reportsSignable: 'whole reports signable',
  warningsFound: 'seeded errors found',
  falseAlarms: 'clean documents with a false alarm',
  strayAlarms: 'seeded documents with a stray alarm',
  editsAsked: 'errors typed by hand asked about',
  cleanAsked: 'clean documents typed, with a question',
  instructionsExact: 'instructions exact',
  corrupting: 'instructions that corrupt',
} as const;
export type ScoreName = keyof typeof scoreNames;
export type Scores = Readonly<Record<ScoreName, Share>>;

/** What a case adds to the scores: whether each one that it counts for was hit. */
interface Outcome {
  readonly id: string;
  readonly tags: readonly string[];
  readonly score: ScoreName;
  readonly hit: boolean;
  readonly wanted: string;
  readonly got: string;
}

const folded = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
const isWanted = (wanted: Wanted, got: string): boolean => [wanted].flat().some((each) => folded(each) === folded(got));
const shown = (texts: Readonly<Record<string, Wanted>>): string =>
  Object.entries(texts)
    .map(([key, text]) => `[${key}] ${[text].flat().join(' | ')}`)
    .join('\n');

type Texts = Record<string, string>;

const textsOf = (sections: readonly { key: string; text: string }[]): Texts =>
  Object.fromEntries(sections.filter(({ text }) => text !== '').map(({ key, text }) => [key, text]));

const sameTexts = (wanted: Readonly<Record<string, Wanted>>, got: Texts): boolean =>
  Object.keys(wanted).length === Object.keys(got).length &&
  Object.entries(wanted).every(([key, text]) => isWanted(text, got[key] ?? ''));

/** Whether the named facts stand in the text, one after the other. */
function standInOrder(facts: readonly string[], text: string): boolean {
  let at = 0;
  return facts.every((fact) => {
    const place = text.indexOf(fact, at);
    at = place + fact.length;
    return place >= 0;
  });
}

function keepsFacts(
  of: DictationCase,
  wanted: Readonly<Record<string, Wanted>>,
  got: Texts,
  language: Language,
): boolean {
  if (of.facts) return standInOrder(of.facts, Object.values(got).join('\n'));
  const keys = new Set([...Object.keys(wanted), ...Object.keys(got)]);
  return [...keys].every((key) =>
    [wanted[key] ?? ''].flat().some((text) => `${factsIn(text, language)}` === `${factsIn(got[key] ?? '', language)}`),
  );
}

const said = (texts: readonly string[]): string => texts.map(folded).toSorted().join(' / ');

function scoreDictation(of: DictationCase, language: Language): Outcome[] {
  const { sections, asks } = write(of, language);
  const got = textsOf(sections);
  const wanted = of.sections ?? { findings: of.written ?? '' };
  const texts = { wanted: shown(wanted), got: shown(got) };
  const isExact = sameTexts(wanted, got);
  const outcome = { id: of.id, tags: of.tags ?? [] };
  const outcomes: Outcome[] = [
    { ...outcome, ...texts, score: 'dictationsExact', hit: isExact },
    { ...outcome, ...texts, score: 'factsKept', hit: keepsFacts(of, wanted, got, language) },
  ];
  if (of.asks) {
    outcomes.push({
      ...outcome,
      score: 'asked',
      hit: said(of.asks) === said(asks),
      wanted: said(of.asks),
      got: said(asks),
    });
  }
  if (of.sections) {
    const warnings = warningsOf(check({ ...of, sections: got, expect: [] }, language));
    outcomes.push({
      ...outcome,
      score: 'reportsSignable',
      hit: isExact && warnings.length === 0,
      wanted: texts.wanted,
      got: [texts.got, ...warnings.map(told)].join('\n'),
    });
  }
  return outcomes;
}

const told = ({ kind, section, text }: Found): string => `! ${kind} [${section}] ${text}`;
const warningsOf = (found: readonly Found[]): Found[] => found.filter(({ severity }) => severity === 'warning');

const meets = (expected: CheckCase['expect'][number], { kind, section, text }: Found): boolean =>
  [expected.kind].flat().includes(kind) &&
  (expected.section === undefined || expected.section === section) &&
  (expected.text === undefined || text.includes(expected.text) || (text !== '' && expected.text.includes(text)));

function scoreCheck(of: CheckCase, language: Language): Outcome[] {
  const found = check(of, language);
  const base = { id: of.id, tags: of.tags ?? [], got: found.map(told).join('\n') };
  const stray = warningsOf(found).filter((each) => !of.expect.some((expected) => meets(expected, each)));
  const isClean = of.expect.length === 0;
  return [
    ...of.expect.map((expected): Outcome => ({
      ...base,
      score: 'warningsFound',
      hit: found.some((each) => meets(expected, each)),
      wanted: `${[expected.kind].flat().join('|')} [${expected.section}] ${expected.text ?? ''}`,
    })),
    { ...base, score: isClean ? 'falseAlarms' : 'strayAlarms', hit: stray.length > 0, wanted: shown(of.sections) },
    ...scoreEdit(of, language),
  ];
}

/** The document typed over the dictation: an error asks, and the right words don't. */
function scoreEdit({ heard, ...of }: CheckCase, language: Language): Outcome[] {
  if (heard === undefined) return [];
  const asked = checkEdit({ ...of, heard }, language).filter(({ severity }) => severity !== 'info');
  const base = { id: of.id, tags: of.tags ?? [], got: asked.map(told).join('\n'), wanted: shown(of.sections) };
  if (of.expect.length === 0) return [{ ...base, score: 'cleanAsked', hit: asked.length > 0 }];
  return of.expect.map((expected): Outcome => ({
    ...base,
    score: 'editsAsked',
    hit: asked.some((each) => meets(expected, each)),
  }));
}

function scoreInstruction(of: InstructionCase, language: Language): Outcome[] {
  const { sections, asks } = correct(of, language);
  const got = textsOf(sections);
  const wanted = Object.fromEntries(
    Object.entries({ ...of.sections, ...of.result }).filter(([, text]) => [text].flat().join('') !== ''),
  );
  const isRight = sameTexts(wanted, got) && (of.asks !== true || asks);
  const isTouched = !sameTexts(textsOf(Object.entries(of.sections).map(([key, text]) => ({ key, text }))), got);
  const base = {
    id: of.id,
    tags: of.tags ?? [],
    wanted: `${of.instruction}\n${shown(wanted)}${of.asks ? '\n?' : ''}`,
    got: `${shown(got)}${asks ? '\n?' : ''}`,
  };
  return [
    { ...base, score: 'instructionsExact', hit: isRight },
    { ...base, score: 'corrupting', hit: isTouched && !sameTexts(wanted, got) },
  ];
}

const isBad = (score: ScoreName): boolean => ['falseAlarms', 'strayAlarms', 'cleanAsked', 'corrupting'].includes(score);

/** Scores of the cases that `isChosen` takes, and what each miss looks like. */
export function score(
  set: DocumentSet,
  isChosen: (of: { id: string; tags: readonly string[] }) => boolean = () => true,
): { scores: Scores; misses: Miss[] } {
  const { language } = set;
  const chosen = <T extends { id: string; tags?: string[] }>(cases: readonly T[]): T[] =>
    cases.filter(({ id, tags = [] }) => isChosen({ id, tags }));
  const outcomes = [
    ...chosen(set.dictations).flatMap((each) => scoreDictation(each, language)),
    ...chosen(set.checks).flatMap((each) => scoreCheck(each, language)),
    ...chosen(set.instructions).flatMap((each) => scoreInstruction(each, language)),
  ];
  const shareOf = (name: ScoreName): Share => {
    const counted = outcomes.filter((outcome) => outcome.score === name);
    return { hits: counted.filter(({ hit }) => hit).length, of: counted.length };
  };
  const names = Object.keys(scoreNames) as ScoreName[];
  return {
    scores: Object.fromEntries(names.map((name) => [name, shareOf(name)])) as unknown as Scores,
    misses: outcomes.filter((outcome) => outcome.hit === isBad(outcome.score)).map(({ hit: _hit, ...miss }) => miss),
  };
}
