/** The subjects of reports, indexed for look-up among tokens. */
import { fold, phraseList, wordSet } from '../../domain/fold.ts';
import type { FactTables, LexiconTables } from '../languages/tables.ts';
import { criticalFindings } from './urgent-findings.ts';
import { stem } from '../words/stem.ts';
import { indexPhrases, phraseSet } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';

export interface Lexicon {
  readonly findings: PhraseIndex<string>;
  /** Findings that must be communicated at once, for looking with other words between their own. */
  readonly urgent: PhraseIndex<string>;
  readonly absences: PhraseIndex<true>;
  readonly scopeEnds: ReadonlySet<string>;
  readonly exceptions: PhraseIndex<true>;
  readonly others: ReadonlySet<string>;
  readonly comparisons: PhraseIndex<true>;
  readonly priors: PhraseIndex<true>;
  readonly history: PhraseIndex<true>;
  readonly hypothetical: PhraseIndex<true>;
  readonly communication: PhraseIndex<true>;
  readonly chronic: ReadonlySet<string>;
  readonly acute: ReadonlySet<string>;
  /** Words about people in the exam's data: each finds its category. */
  readonly people: PhraseIndex<'maleOrgans' | 'femaleOrgans' | 'fetus' | 'pregnancy' | 'male' | 'female' | 'childhood'>;
  readonly patient: ReadonlySet<string>;
  readonly years: ReadonlySet<string>;
  readonly modalities: PhraseIndex<string>;
  /** Words that make rays a device or a principle, not a radiograph: "tubo de raios X". */
  readonly devices: ReadonlySet<string>;
  readonly regions: PhraseIndex<string>;
  /** Words that name a part of the spine. */
  readonly spine: PhraseIndex<string>;
  readonly measured: PhraseIndex<string>;
  readonly organs: PhraseIndex<string>;
  readonly family: PhraseIndex<true>;
  readonly shifts: PhraseIndex<true>;
  readonly within: ReadonlySet<string>;
  readonly measuresFirst: boolean;
  readonly measures: ReadonlySet<string>;
  readonly bears: ReadonlySet<string>;
  readonly genitives: ReadonlySet<string>;
  readonly distances: ReadonlySet<string>;
  readonly distanceMarks: ReadonlySet<string>;
  readonly joints: ReadonlySet<string>;
  readonly limits: ReadonlySet<string>;
  /** Procedures that remove an organ, by its key. */
  readonly removals: PhraseIndex<string>;
  readonly removedSigns: PhraseIndex<true>;
  readonly changes: ReadonlySet<string>;
  readonly changedBy: ReadonlySet<string>;
  readonly grows: ReadonlySet<string>;
  readonly partial: ReadonlySet<string>;
  readonly alongside: ReadonlySet<string>;
  readonly normal: PhraseIndex<true>;
  readonly small: ReadonlySet<string>;
  readonly alternatives: ReadonlySet<string>;
  readonly introducing: ReadonlySet<string>;
  /** Stems: "tratada" turns as "tratado" does. */
  readonly turning: ReadonlySet<string>;
}

export function readLexicon(facts: FactTables, tables: LexiconTables): Lexicon {
  const named = (rows: Readonly<Record<string, string>>): PhraseIndex<string> =>
    indexPhrases(
      Object.entries(rows).flatMap(([key, list]) => phraseList(list).map((phrase) => [phrase, key] as const)),
    );
  const people = ['maleOrgans', 'femaleOrgans', 'fetus', 'pregnancy', 'male', 'female', 'childhood'] as const;
  const set = (words: string): ReadonlySet<string> => wordSet(fold(words));
  return {
    findings: named(tables.findings),
    urgent: named(
      Object.fromEntries(
        criticalFindings.flatMap((key) => (tables.findings[key] === undefined ? [] : [[key, tables.findings[key]]])),
      ),
    ),
    absences: phraseSet(facts.absences),
    scopeEnds: set(facts.scopeEnds),
    exceptions: phraseSet(facts.exceptions),
    others: set(facts.others),
    comparisons: phraseSet(facts.comparisons),
    priors: phraseSet(facts.priors),
    history: phraseSet(facts.history),
    hypothetical: phraseSet(facts.hypothetical),
    communication: phraseSet(facts.communication),
    chronic: set(facts.chronic),
    acute: set(facts.acute),
    people: indexPhrases(people.flatMap((who) => phraseList(tables[who]).map((phrase) => [phrase, who] as const))),
    patient: set(tables.patient),
    years: set(tables.years),
    modalities: named(tables.modalities),
    devices: set(tables.devices),
    regions: named(tables.regions),
    spine: named(tables.spine),
    measured: named(tables.measured),
    organs: named(tables.organs),
    family: phraseSet(tables.family),
    shifts: phraseSet(tables.shifts),
    within: set(tables.within),
    measuresFirst: tables.measuresFirst,
    measures: set(tables.measures),
    bears: set(tables.bears),
    genitives: set(tables.genitives),
    distances: set(tables.distances),
    distanceMarks: set(tables.distanceMarks),
    joints: set(tables.joints),
    limits: set(tables.limits),
    removals: named(tables.removals),
    removedSigns: phraseSet(tables.removedSigns),
    changes: set(tables.changes),
    changedBy: set(tables.changedBy),
    grows: set(tables.grows),
    partial: set(tables.partial),
    alongside: set(tables.alongside),
    normal: phraseSet(tables.normal),
    small: set(tables.small),
    alternatives: set(tables.alternatives),
    introducing: set(tables.introducing),
    turning: new Set([...set(tables.turning)].map(stem)),
  };
}
