/** The site of the documentation as data: pages, how they are named, and how they reach each other. */
import { dirname, posix } from 'node:path';
import { html } from '../../server/http/page/html.ts';
import type { Html } from '../../server/http/page/html.ts';
import { foldLetters } from '../../src/domain/search-text.ts';
import type { Heading } from './pages.ts';

export type SectionName = 'Start' | 'Guides' | 'Commands' | 'API' | 'How it is built';

export interface SitePage {
  /** Its file in the site: `commands/worklist-ingest.html`. */
  readonly url: string;
  readonly title: string;
  /** How the navigation calls it, where the title is too long. */
  readonly short?: string;
  readonly section: SectionName;
  /** Address of the page that lists it, where the navigation shows it only below that page. */
  readonly parent?: string;
  readonly body: Html;
  readonly headings: readonly Heading[];
  readonly found: readonly Passage[];
}

/** What the search finds: a part of a page below a heading. */
export interface Passage {
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** From one file of the site to another. */
export function relativeUrl(from: string, to: string): string {
  const [path = '', anchor] = to.split('#', 2);
  const relative = posix.relative(dirname(from), path) || posix.basename(path);
  return anchor === undefined ? relative : `${path === from ? '' : relative}#${anchor}`;
}

/** Where a page of Markdown stands in the site, by its path in the project. */
export function urlOfMarkdown(path: string): string {
  const known: Readonly<Record<string, string>> = {
    'README.md': 'overview.html',
    'CHANGELOG.md': 'changes.html',
    'docs/README.md': 'index.html',
  };
  return (
    known[path] ??
    path
      .replace(/^(docs|\.github)\//, '')
      .replace(/README\.md$/, 'index.md')
      .replace(/\.md$/, '.html')
      .toLowerCase()
  );
}

/** The page of a command: `worklist ingest` is `commands/worklist-ingest.html`. */
export const urlOfCommand = (words: string): string => `commands/${words.replaceAll(' ', '-')}.html`;

export const nameOfAnchor = (text: string): string =>
  foldLetters(text)
    .replace(/[^\p{L}\p{N} _.-]/gu, '')
    .replaceAll(' ', '-');

/** A heading of the second level or below, with a link to itself. */
export const headingHtml = ({ level, text, anchor }: Heading): Html => ({
  html: `<h${level} id="${anchor}"><a class="anchor" href="#${anchor}">${html`${text}`.html}</a></h${level}>`,
});
