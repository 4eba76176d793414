/** The words of a DICOM structured report: its content tree (PS3.3 C.17.3) as sections of text. */
import { findEntry } from '../../domain/find-entry.ts';
import { displayName } from '../../domain/person-name.ts';
import type { DataSet } from '../worklist/dicom/attributes.ts';
import type { Sections } from './draft.ts';

const tags = {
  relationship: '0040A010',
  type: '0040A040',
  concept: '0040A043',
  content: '0040A730',
  meaning: '00080104',
  code: '00080100',
} as const;

/** Content about the report, not of it: its language, who observed, and how the images were made. */
const contexts = new Set(['HAS CONCEPT MOD', 'HAS OBS CONTEXT', 'HAS ACQ CONTEXT', 'SELECTED FROM']);
/** PS3.3 allows any depth; the templates of reports have six at most. */
const maxDepth = 20;

export interface ReportWords {
  readonly sections: Sections;
  /** Whether a person wrote any of it: some reports hold measurements alone. */
  readonly hasText: boolean;
}

export function readContent(report: DataSet): ReportWords {
  const sections: { title: string | null; lines: string[] }[] = [];
  let section: (typeof sections)[number] | undefined;
  let hasText = false;
  const walk = (container: DataSet, title: string | null, depth: number): void => {
    for (const item of container.items(tags.content)) {
      if (depth > maxDepth || contexts.has(readCode(item, tags.relationship))) continue;
      const type = readCode(item, tags.type);
      const concept = meaningOf(item.items(tags.concept)[0]);
      if (type === 'CONTAINER') {
        section = undefined;
        walk(item, concept ?? title, depth + 1);
        section = undefined;
        continue;
      }
      const value = findEntry(values, type)?.(item)?.trim();
      if (value) {
        hasText ||= type === 'TEXT';
        // Each text at the top has its heading.
        const isHeading = depth === 0 && type === 'TEXT' && concept !== undefined;
        const heading = isHeading ? concept : title;
        if (section?.title !== heading) sections.push((section = { title: heading, lines: [] }));
        const isNamed = concept !== undefined && !isHeading && !saysSame(title, concept);
        section.lines.push(isNamed ? `${concept}: ${value}` : value);
      }
      walk(item, section?.title ?? title, depth + 1);
    }
  };
  walk(report, null, 0);
  return { sections: sections.map(({ title, lines }) => ({ title, text: lines.join('\n') })), hasText };
}

/** The findings below “Findings” are each called a finding. */
const saysSame = (title: string | null, concept: string): boolean =>
  title !== null && title.toLowerCase().startsWith(concept.toLowerCase());

const readCode = (item: DataSet, tag: string): string => item.values(tag)?.[0]?.toUpperCase() ?? '';
const readText = (item: DataSet, tag: string): string | undefined => item.values(tag)?.join('\n') || undefined;

const meaningOf = (code: DataSet | undefined): string | undefined =>
  code && (readText(code, tags.meaning) ?? readText(code, tags.code));

/** The value of a content item, by its type; `undefined`: it has none in words. */
const values: Readonly<Record<string, (item: DataSet) => string | undefined>> = {
  TEXT: (item) => readText(item, '0040A160')?.replace(/\r\n?/g, '\n'),
  CODE: (item) => meaningOf(item.items('0040A168')[0]),
  NUM(item) {
    const [measured] = item.items('0040A300');
    const number = measured && readText(measured, '0040A30A');
    const unit = measured?.items('004008EA')[0]?.values(tags.code)?.[0] ?? '';
    // UCUM writes what has no unit as 1, and comments in braces.
    return number && [number, /^(?:1|\{.*\})?$/.test(unit) ? '' : unit].join(' ').trim();
  },
  PNAME: (item) => displayName(readText(item, '0040A123') ?? ''),
  DATE: (item) => readText(item, '0040A121')?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
  TIME: (item) => readText(item, '0040A122')?.replace(/^(\d\d)(\d\d).*$/, '$1:$2'),
  DATETIME: (item) => readText(item, '0040A120')?.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d).*$/, '$1-$2-$3 $4:$5'),
};
