/** Categories of a reporting system for another organ than the report's: "VI-RADS 4" of a breast was misheard. */
import type { Exam } from './exam.ts';
import { maxPlaces } from './finding.ts';
import type { FoundFinding } from './finding.ts';
import { categoryPattern } from './impossible.ts';
import { findPlaces } from './regions.ts';
import { readTokens } from './reading.ts';
import type { ReadSection } from './reading.ts';
import { wordList } from '../../domain/fold.ts';
import { rads } from '../languages/rads.ts';
import type { Rads } from '../languages/rads.ts';
import type { Rules } from '../rules.ts';

/** Organs that an exam of a larger region shows. */
const organsOfRegion: Readonly<Record<string, string>> = {
  chest: 'lung heart breast',
  abdomen: 'liver bowel',
  pelvis: 'prostate bladder ovary uterus bowel',
  head: 'brain',
  neck: 'thyroid',
};

const organsOfSystem = ({ organs = '' }: Rads): string[] => wordList(organs);

/** Asks where no organ of the system is named or examined, and organs of others are. */
export function checkScoreOrgans(
  sections: readonly ReadSection[],
  exam: Exam | null | undefined,
  rules: Rules,
): FoundFinding[] {
  const named = new Set([
    ...sections.flatMap(({ sentences }) => sentences.flatMap(({ organs }) => organs.map(({ key }) => key))),
    ...organsIn(exam, rules),
  ]);
  const shown = new Set([
    ...named,
    ...regionsIn(exam, rules).flatMap((region) => wordList(organsOfRegion[region] ?? '')),
  ]);
  const found = sections.flatMap(({ key, text }) =>
    Array.from(text.matchAll(categoryPattern)).flatMap(({ 0: written, 1: name = '', 2: category = '', index }) => {
      const system = rads.find((each) => each.name.toUpperCase() === name.toUpperCase());
      if (!system?.organs || organsOfSystem(system).some((organ) => shown.has(organ))) return [];
      const meant = rads.filter(
        (other) => hasCategory(other, category) && organsOfSystem(other).some((organ) => named.has(organ)),
      );
      if (meant.length === 0) return [];
      const finding: FoundFinding = {
        kind: 'unclear',
        severity: 'question',
        section: key,
        start: index,
        end: index + written.length,
        words: { written },
        readings: [written, ...meant.map((other) => written.replace(name, other.name))],
      };
      return [finding];
    }),
  );
  return found.slice(0, maxPlaces);
}

function hasCategory({ range: [min, max] }: Rads, category: string): boolean {
  const number = Number.parseInt(category, 10);
  return number >= min && number <= max;
}

const regionsIn = (exam: Exam | null | undefined, rules: Rules): string[] => {
  const { tokens } = readTokens(exam?.exam_description ?? '', rules);
  return findPlaces(tokens, 0, tokens.length, rules.lexicon.regions).map(({ value }) => value);
};

function organsIn(exam: Exam | null | undefined, rules: Rules): string[] {
  const { tokens } = readTokens(exam?.exam_description ?? '', rules);
  const organs = findPlaces(tokens, 0, tokens.length, rules.lexicon.organs).map(({ value }) => value);
  return exam?.modality === 'MG' ? [...organs, 'breast'] : organs;
}
