/** Compares two versions of a record. */
import type { MedicalRecord } from '../../src/contract/document.ts';
import { changeRuns } from '../../src/domain/word-changes.ts';
import type { Run } from '../../src/domain/word-changes.ts';
import type { Io } from '../shell/io.ts';
import { wrap } from '../shell/table.ts';
import type { Tone } from '../shell/view.ts';

interface Change {
  /** Key of the section; `null`: the title of the record, or its status. */
  readonly section: string | null;
  readonly title: string;
  /** `null`: it did not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface Difference {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly changes: readonly Change[];
}

export function compareRecords(before: MedicalRecord, after: MedicalRecord): Difference {
  const sections = new Map([...before.sections, ...after.sections].map(({ key, title }) => [key, title]));
  const textIn = ({ sections: all }: MedicalRecord, key: string): string | null =>
    all.find((section) => section.key === key)?.text ?? null;
  const changes: Change[] = [
    { section: null, title: 'Status', before: before.status, after: after.status },
    { section: null, title: 'Title', before: before.title, after: after.title },
    ...[...sections].map(([key, title]) => ({
      section: key,
      title,
      before: textIn(before, key),
      after: textIn(after, key),
    })),
  ];
  return {
    id: after.id,
    from: before.version,
    to: after.version,
    changes: changes.filter((change) => change.before !== change.after),
  };
}

const marks: Readonly<Record<Run['kind'], readonly [begin: string, end: string, tone: Tone]>> = {
  same: ['', '', 'plain'],
  gone: ['[-', '-]', 'bad'],
  new: ['{+', '+}', 'good'],
};

/** Each changed section as a whole, with word changes marked like in git. */
export async function printDifference(io: Io, { from, to, changes }: Difference): Promise<void> {
  if (changes.length === 0) return io.notice(`Versions ${from} and ${to} are the same.`, 'faint');
  const { diffWordsWithSpace } = await import('diff');
  const width = io.output === 'table' ? Math.min(io.width, 100) : Infinity;
  for (const { title, before, after } of changes) {
    const runs = changeRuns(diffWordsWithSpace(before ?? '', after ?? ''));
    await io.out(`${io.paint(title, 'strong')}\n${painted(io, runs, width)}\n`);
  }
}

/** Folded as plain text first: colours have no width. */
function painted(io: Io, runs: readonly Run[], width: number): string {
  const marked = runs.map(({ kind, text }) => `${marks[kind][0]}${text}${marks[kind][1]}`).join('');
  const change = /\[-(?:(?!\[-)[^])*?-\]|\{\+(?:(?!\{\+)[^])*?\+\}/g;
  return wrap(marked, width).replaceAll(change, (text) => {
    const tone = text.startsWith('[-') ? marks.gone[2] : marks.new[2];
    return text
      .split('\n')
      .map((line) => io.paint(line, tone))
      .join('\n');
  });
}
