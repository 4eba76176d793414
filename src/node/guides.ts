/** The guides that come with the package, to read without a network. */
import { readdirSync, readFileSync } from 'node:fs';

/** Above the sources, or above dist. */
const places = ['../../docs/', '../../../docs/'];

interface Guide {
  readonly name: string;
  readonly title: string;
  readonly file: URL;
}

/** `guide-qa.md` is `qa`, `integrator/README.md` is `integrator`. */
export function listGuides(): readonly Guide[] {
  for (const place of places) {
    const docs = new URL(place, import.meta.url);
    const guides = [...guidesIn(docs, ''), ...guidesIn(new URL('integrator/', docs), 'integrator')];
    if (guides.length > 0) return guides;
  }
  return [];
}

function guidesIn(folder: URL, noun: string): Guide[] {
  return markdownIn(folder)
    .filter((name) => noun !== '' || /^(?:guide-.+|intended-use.*|reference|glossary)\.md$/.test(name))
    .map((name) => {
      const file = new URL(name, folder);
      const title = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? name;
      return { name: name === 'README.md' ? noun : name.replace(/^guide-|\.md$/g, ''), title, file };
    });
}

function markdownIn(folder: URL): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.md'));
  } catch {
    return [];
  }
}

export const readGuide = ({ file }: Guide): string => readFileSync(file, 'utf8');
