/** The documentation as its tests and its site read it: Markdown files with their blocks of code, code in sentences, headings and links. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { filesBelow, root } from '../../test/support/modules.ts';

/** A place in a file of the project, for a message. Lines count from 1. */
export interface Place {
  /** Path from the root: `docs/guide-qa.md`. */
  readonly page: string;
  readonly line: number;
}

export interface Block extends Place {
  /** First word behind the fence; empty for a block without. */
  readonly language: string;
  /** The further words there (docs/README.md says which there are). */
  readonly marks: string;
  /** The heading of the first or second level above. */
  readonly section: string;
  readonly text: string;
}

export interface Code extends Place {
  readonly text: string;
}

export interface Link extends Place {
  /** As written, of a link or a picture. */
  readonly href: string;
}

export interface Page {
  readonly path: string;
  readonly source: string;
  readonly blocks: readonly Block[];
  /** What stands between backticks in sentences and tables. */
  readonly code: readonly Code[];
  readonly links: readonly Link[];
  /** Names by which its headings are linked to, in order. */
  readonly anchors: readonly string[];
}

/** GitHub's Markdown as far as the pages use it; HTML is theirs. */
export const markdown = new MarkdownIt({ html: true });

/** Every page of the documentation. */
export const pagePaths: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  ...filesBelow(root, ['docs', '.github', 'samples'], /\.md$/),
];

const read = new Map<string, Page>();

/** Reads a page, by its path from the root. */
export function pageOf(path: string): Page {
  const page = read.get(path) ?? readPage(path, readFileSync(join(root, path), 'utf8'));
  read.set(path, page);
  return page;
}

export function readPage(path: string, source: string): Page {
  const tokens = markdown.parse(source, {});
  const blocks: Block[] = [];
  const code: Code[] = [];
  const links: Link[] = [];
  let section = '';
  let above = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && /h[12]/.test(token.tag)) section = tokens[index + 1]!.content;
    // Cells of a table have no place but that of their row.
    above = token.map?.[0] ?? above;
    const line = above + 1;
    if (token.type === 'fence' || token.type === 'code_block') {
      const [language = '', ...marks] = token.info.trim().split(/\s+/);
      blocks.push({ page: path, line, language, marks: marks.join(' '), section, text: token.content });
    }
    if (token.type === 'html_block') links.push(...sourcesIn(token.content, { page: path, line }));
    let at = line;
    for (const child of token.children ?? []) {
      if (child.type === 'softbreak' || child.type === 'hardbreak') at += 1;
      const place = { page: path, line: at };
      if (child.type === 'code_inline') code.push({ ...place, text: child.content });
      if (child.type === 'html_inline') links.push(...sourcesIn(child.content, place));
      const href = child.attrGet('href') ?? child.attrGet('src');
      if (typeof href === 'string') links.push({ ...place, href });
    }
  }
  return { path, source, blocks, code, links, anchors: headingsOf(tokens).map(({ anchor }) => anchor) };
}

/** Pictures and links that are written as HTML. */
const sourcesIn = (html: string, place: Place): Link[] =>
  Array.from(html.matchAll(/\b(?:src|href)="([^"]+)"/g), ([, href]) => ({ ...place, href: href! }));

export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

/** The headings of parsed Markdown, with the names that GitHub gives them. */
export function headingsOf(tokens: readonly Token[]): Heading[] {
  const given = new Map<string, number>();
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return [];
    const text = (tokens[at + 1]?.children ?? []).map(({ content }) => content).join('');
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = given.get(name) ?? 0;
    given.set(name, before + 1);
    return [{ level: Number(token.tag.slice(1)), text, anchor: before === 0 ? name : `${name}-${before}` }];
  });
}

/** Where a link of a page leads: a file of the project, and a heading of it; `undefined` for another site. */
export function destinationOf({ page, href }: Link): { path: string; anchor: string | undefined } | undefined {
  if (/^[a-z]+:/i.test(href)) return undefined;
  const [path = '', anchor] = decodeURI(href).split('#', 2);
  return { path: path === '' ? page : join(dirname(page), path), anchor };
}

/** `docs/guide-qa.md:12`. */
export const placeText = ({ page, line }: Place): string => `${page}:${line}`;
