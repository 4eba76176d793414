/** Groups the versions of a report: edits saved in one session are one step, and each step lists its changes. */
import type { RecordVersion } from '../../../../src/contract/record-version.ts';
import { titleKey } from '../../../../src/reporting/versions/report-merge.ts';
import type { ReportWords } from '../../../../src/reporting/versions/report-merge.ts';
import { compareWords } from './word-changes.ts';

export interface VersionGroup {
  /** Newest first. Either edits of one person, or a single version. */
  readonly versions: readonly [RecordVersion, ...RecordVersion[]];
}

/** Maximum gap between two edits of one step, in ms. */
export const sameStepMs = 10 * 60_000;

/** `list`: newest first. Only edits are grouped; generated, corrected, signed and amended versions are single. */
export function groupVersions(list: readonly RecordVersion[]): VersionGroup[] {
  const groups: [RecordVersion, ...RecordVersion[]][] = [];
  for (const version of list) {
    const present = groups.at(-1);
    const later = present?.at(-1);
    if (present && later && isSameStep(version, later)) present.push(version);
    else groups.push([version]);
  }
  return groups.map((versions) => ({ versions }));
}

const isSameStep = (earlier: RecordVersion, later: RecordVersion): boolean =>
  earlier.change === 'edited' &&
  later.change === 'edited' &&
  earlier.who === later.who &&
  Math.abs(Date.parse(later.at) - Date.parse(earlier.at)) <= sameStepMs;

/** The changes that one step made to one section. */
export interface SectionChanges {
  /** Its heading; '' for the title of the report. */
  readonly heading: string;
  readonly added: number;
  readonly removed: number;
}

/** Sections whose text differs, with the number of added and removed words; a changed heading counts as none. */
export function findChanges(before: ReportWords, after: ReportWords): SectionChanges[] {
  const [was, now] = [collectTexts(before), collectTexts(after)];
  // The sections of the later version come first, and its headings win.
  const all = new Map([...now, ...was, ...now]);
  return [...all].flatMap(([key, { heading }]): SectionChanges[] => {
    const [former, present] = [was.get(key), now.get(key)];
    if (former?.text === present?.text && former?.heading === present?.heading) return [];
    const counts = { same: 0, new: 0, gone: 0 };
    for (const { kind, text } of compareWords(former?.text ?? '', present?.text ?? '')) counts[kind] += wordsIn(text);
    return [{ heading, added: counts.new, removed: counts.gone }];
  });
}

type Texts = ReadonlyMap<string, { readonly heading: string; readonly text: string }>;

/** Addenda share a key, so their index distinguishes them. */
function collectTexts({ title, sections }: ReportWords): Texts {
  const seen = new Map<string, number>();
  const entries = sections.map(({ key, title: heading, text }) => {
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return [`${key} ${nth}`, { heading, text }] as const;
  });
  return new Map([[titleKey, { heading: '', text: title }], ...entries]);
}

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
