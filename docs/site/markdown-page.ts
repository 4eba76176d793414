/** A page of Markdown as a page of the site. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { html } from '../../server/http/page/html.ts';
import type { Html } from '../../server/http/page/html.ts';
import { escapeHtml } from '../../src/domain/escape-html.ts';
import { root } from '../../test/support/modules.ts';
import { destinationOf, headingsOf, pageOf, pagePaths } from './pages.ts';
import type { Heading } from './pages.ts';
import { codeBlock } from './highlight.ts';
import { relativeUrl, urlOfMarkdown } from './site.ts';
import type { Passage, SectionName, SitePage } from './site.ts';

/** What a page is rendered with. */
interface Surroundings extends Record<PropertyKey, unknown> {
  readonly path: string;
  readonly url: string;
  readonly headings: Heading[];
  /** The site's page of the command that a text names. */
  commandUrl(text: string): string | undefined;
  /** Files of the project that the site needs a copy of: path there → path in the site. */
  readonly files: Map<string, string>;
  /** End tags of the links that are open. */
  readonly open: string[];
}

const renderer = new MarkdownIt({ html: true });
const rules = renderer.renderer.rules;
const around = (env: unknown): Surroundings => env as Surroundings;

rules.heading_open = (tokens, at, _options, env) => {
  const { headings } = around(env);
  const index = tokens.slice(0, at).filter(({ type }) => type === 'heading_open').length;
  const { anchor } = headings[index]!;
  const { tag } = tokens[at]!;
  return tag === 'h1' ? `<h1 id="${anchor}">` : `<${tag} id="${anchor}"><a class="anchor" href="#${anchor}">`;
};
rules.heading_close = (tokens, at) => `${tokens[at]!.tag === 'h1' ? '' : '</a>'}</${tokens[at]!.tag}>\n`;
rules.fence = (tokens, at) => {
  const { info, content } = tokens[at]!;
  return codeBlock(content, info.trim().split(/\s+/)[0] ?? '').html;
};
rules.code_block = (tokens, at) => codeBlock(tokens[at]!.content, '').html;
rules.code_inline = (tokens, at, _options, env) => {
  const { content } = tokens[at]!;
  const { url, commandUrl, open } = around(env);
  const to = open.length === 0 ? commandUrl(content) : undefined;
  const code = html`<code>${content}</code>`.html;
  return to === undefined || to === url ? code : `<a class="command" href="${relativeUrl(url, to)}">${code}</a>`;
};
rules.link_open = (tokens, at, _options, env) => {
  const target = targetOf(String(tokens[at]!.attrGet('href')), around(env));
  around(env).open.push(target.end);
  return target.begin;
};
rules.link_close = (_tokens, _at, _options, env) => around(env).open.pop() ?? '</a>';
rules.image = (tokens, at, _options, env) => {
  const source = copied(String(tokens[at]!.attrGet('src')), around(env));
  return html`<img src="${source}" alt="${tokens[at]!.content}" loading="lazy" />`.html;
};
const withSources = (tokens: readonly Token[], at: number, _options: unknown, env: unknown): string =>
  tokens[at]!.content.replaceAll(
    /(<img [^>]*?)src="([^"]+)"/g,
    (_all, before: string, source: string) => `${before}loading="lazy" src="${copied(source, around(env))}"`,
  );
rules.html_inline = withSources;
rules.html_block = withSources;
rules.table_open = () => '<div class="scroll" tabindex="0"><table>';
rules.table_close = () => '</table></div>';
// A head without a word heads nothing; a cell of it without a word is no heading.
rules.thead_open = (tokens, at) => (isEmptyHead(tokens, at) ? '<thead hidden>' : '<thead>');
rules.th_open = (tokens, at) => (tokens[at + 1]?.content === '' ? '<td>' : '<th scope="col">');
rules.th_close = (tokens, at) => (tokens[at - 1]?.content === '' ? '</td>' : '</th>');

function isEmptyHead(tokens: readonly Token[], at: number): boolean {
  const end = tokens.findIndex(({ type }, index) => index > at && type === 'thead_close');
  return tokens.slice(at, end).every(({ type, content }) => type !== 'inline' || content === '');
}

/** Where a link leads: a page of the site, a file beside it, another site; a file of the sources is named alone. */
function targetOf(href: string, { path, url, files }: Surroundings): { begin: string; end: string } {
  const to = destinationOf({ page: path, line: 0, href });
  const link = (address: string) => ({ begin: `<a href="${escapeHtml(address)}">`, end: '</a>' });
  if (to === undefined) return link(href);
  if (pagePaths.includes(to.path)) {
    const page = urlOfMarkdown(to.path);
    return link(relativeUrl(url, to.anchor === undefined ? page : `${page}#${to.anchor}`));
  }
  const place = placeInSite(to.path);
  if (place === undefined)
    return { begin: `<span class="source" title="${escapeHtml(to.path)}, in the repository">`, end: '</span>' };
  files.set(to.path, place);
  return link(relativeUrl(url, place));
}

/** The address of a picture, of which the site gets a copy. */
function copied(source: string, { path, url, files }: Surroundings): string {
  const to = destinationOf({ page: path, line: 0, href: source });
  const place = to && placeInSite(to.path);
  if (!to || !place) throw new Error(`${path} shows ${source}, which is no file of docs or samples`);
  files.set(to.path, place);
  return relativeUrl(url, place);
}

function placeInSite(path: string): string | undefined {
  if (!/^(docs|samples)\/|^LICENSE$/.test(path) || !existsSync(join(root, path))) return undefined;
  return statSync(join(root, path)).isFile() ? path.replace(/^docs\//, '') : undefined;
}

export interface MarkdownDeps {
  readonly section: SectionName;
  readonly parent?: string;
  readonly files: Map<string, string>;
  commandUrl(text: string): string | undefined;
}

export function markdownPage(path: string, { section, parent, files, commandUrl }: MarkdownDeps): SitePage {
  const { source } = pageOf(path);
  const url = urlOfMarkdown(path);
  const tokens = renderer.parse(source, {});
  const headings = headingsOf(tokens);
  const surroundings: Surroundings = { path, url, headings, files, commandUrl, open: [] };
  const title = headings[0]?.text ?? path;
  return {
    url,
    title,
    section,
    ...(parent !== undefined && { parent }),
    body: { html: renderer.renderer.render(tokens, renderer.options, surroundings) },
    headings: headings.filter(({ level }) => level > 1),
    found: passagesOf(tokens, headings, url, title),
  };
}

/** A piece of a page of Markdown, as HTML of another page of the site. */
export function markdownPiece(tokens: readonly Token[], path: string, deps: Omit<MarkdownDeps, 'section'>): Html {
  const surroundings = { path, url: urlOfMarkdown(path), headings: [], open: [], ...deps };
  return { html: renderer.renderer.render([...tokens], renderer.options, surroundings) };
}

/** The tokens of a page, for those who look for a piece of it. */
export const tokensOf = (path: string): Token[] => renderer.parse(pageOf(path).source, {});

function passagesOf(tokens: readonly Token[], headings: readonly Heading[], url: string, page: string): Passage[] {
  const passages: Passage[] = [];
  let texts: string[] = [];
  let heading: Heading | undefined;
  let index = 0;
  const end = () => {
    if (heading)
      passages.push({
        url: heading.level === 1 ? url : `${url}#${heading.anchor}`,
        page,
        heading: heading.text,
        text: texts.join(' ').replaceAll(/\s+/g, ' ').trim(),
      });
    texts = [];
  };
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open') {
      end();
      heading = headings[index];
      index += 1;
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      texts.push((token.children ?? []).map(wordsOf).join(''));
    } else if (token.type === 'fence' || token.type === 'code_block') texts.push(token.content);
  });
  end();
  return passages;
}

function wordsOf({ type, content }: Token): string {
  if (type === 'text' || type === 'code_inline') return content;
  return type === 'softbreak' ? ' ' : '';
}
