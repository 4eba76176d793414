/**
 * Checks of a report: pure, for the service at every version and for the page during typing. The transcript is read
 * once (`prepareChecks`), the report each time.
 */
import type { Section } from '../../contract/document.ts';
import type { Language } from '../../contract/shared.ts';
import type { HeardText } from '../../domain/heard-text.ts';
import type { ReportSection } from '../input.ts';
import type { Macro } from '../vocabulary/macros.ts';
import type { Provenance } from '../versions/provenance.ts';
import { findRules } from '../rules.ts';
import { checkConfidence, checkCritical, checkFields, checkUnclear, checkUnsaid } from './completeness.ts';
import { checkConsistency } from './consistency.ts';
import { checkContradictions } from './contradictions.ts';
import { checkSections } from './empty-sections.ts';
import { checkExam } from './exam.ts';
import type { Exam } from './exam.ts';
import { toFindings } from './finding.ts';
import type { Finding, FoundFinding } from './finding.ts';
import {
  checkEnd,
  checkGaps,
  checkHeard,
  checkOtherReadings,
  checkSuppressed,
  checkForeignParts,
  checkHeardOnce,
  checkUnchecked,
  checkUnheard,
  checkUnknownWords,
  mergeDoubts,
} from './hearing.ts';
import { checkPlausible } from './implausible.ts';
import { readSection } from './reading.ts';
import type { ReadSection } from './reading.ts';
import { checkAgreement } from './agreement.ts';
import { checkImpossible } from './impossible.ts';
import { checkIndicatedSide } from './indicated-side.ts';
import { checkLevels } from './levels.ts';
import { checkRemovedOrgans } from './removed-organs.ts';
import { checkScoreOrgans } from './score-organs.ts';
import { checkSupport } from './support.ts';
import { indexTopics } from './topics.ts';
import { compareWithSaid, readSpoken } from './transcript.ts';
import { settleChanges } from './typed-changes.ts';
import { criticalFindings } from './urgent-findings.ts';

/** The facts with which a report is compared. */
export interface CheckInput {
  readonly language: Language;
  readonly template: readonly ReportSection[];
  readonly heard?: HeardText | null;
  readonly macros?: readonly Macro[];
  readonly exam?: Exam | null;
  /** Keys of the findings that must be communicated at once; the department's list. */
  readonly critical?: readonly string[];
}

export type Check = (sections: readonly Section[], provenance?: Provenance) => Finding[];

const isSame = (read: ReadSection | undefined, { key, text }: Section): read is ReadSection =>
  read?.key === key && read.text === text;

/** Reads what does not change from version to version, and returns the check of a version. */
export function prepareChecks({
  language,
  template,
  heard,
  macros,
  exam,
  critical = criticalFindings,
}: CheckInput): Check {
  const rules = findRules(language);
  const said =
    heard && heard.text.trim() !== ''
      ? readSpoken({ heard, language, sections: template, macros: macros ?? [] })
      : undefined;
  const criticalKeys = new Set(critical);
  /** The previously read sections: during typing, most of them stay. */
  let read: readonly ReadSection[] = [];
  return (sections, provenance) => {
    const last = read;
    read = sections.map((section, at) => (isSame(last[at], section) ? last[at] : readSection(section, rules)));
    const topics = indexTopics(read, rules);
    const changed = said ? compareWithSaid(said, read, provenance) : [];
    const isTold = ({ section, start, end }: FoundFinding): boolean =>
      changed.some((each) => each.section === section && each.start < end && start < each.end);
    const found: FoundFinding[] = [
      ...(said ? checkUnclear(said, read, provenance) : []),
      ...(heard ? checkOtherReadings(heard, sections, provenance) : []),
      ...(heard ? checkUnknownWords(heard, sections, provenance) : []),
      ...(heard ? checkConfidence(heard, read, provenance) : []),
      ...(heard ? checkSuppressed(heard, sections, provenance) : []),
      ...(heard ? checkHeard(heard, sections, provenance, language) : []),
      ...(heard ? checkUnheard(heard, sections, provenance) : []),
      ...(heard ? checkForeignParts(heard, sections, provenance, language) : []),
      ...(heard ? checkHeardOnce(heard, sections, provenance) : []),
      ...(heard ? checkUnchecked(heard, sections, provenance) : []),
      ...(heard ? checkGaps(heard, sections, provenance) : []),
      ...(heard ? checkEnd(heard, sections, provenance) : []),
      ...checkConsistency(read, topics, rules),
      ...checkSupport(read, topics, rules),
      ...checkContradictions(read),
      ...checkPlausible(read, rules).filter((each) => !isTold(each)),
      ...(exam ? checkExam(exam, read, rules) : []),
      ...checkSections(template, read, rules),
      ...checkFields(read),
      ...checkUnsaid(read, template, provenance),
      ...checkCritical(read, criticalKeys, rules),
      ...checkImpossible(read, language),
      ...checkAgreement(read, rules),
      ...checkRemovedOrgans(read, rules),
      ...checkLevels(read),
      ...checkScoreOrgans(read, exam, rules),
      ...checkIndicatedSide(read, rules),
    ];
    return toFindings(
      mergeDoubts([...settleChanges(changed, found, heard), ...found]),
      language,
      sections.map(({ key }) => key),
    );
  };
}
