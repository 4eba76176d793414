/** The first page: what Laudio is, how to begin, and where to read on, from README.md and docs/README.md. */
import type { Token } from 'markdown-it';
import { html } from '../../server/http/page/html.ts';
import type { Html } from '../../server/http/page/html.ts';
import { codeBlock } from './highlight.ts';
import { markdownPiece, tokensOf } from './markdown-page.ts';
import type { MarkdownDeps } from './markdown-page.ts';
import { relativeUrl } from './site.ts';
import type { SitePage } from './site.ts';

interface Counts {
  readonly commands: number;
  readonly calls: number;
}

export function homePage(deps: Omit<MarkdownDeps, 'section'>, { commands, calls }: Counts): SitePage {
  const readme = tokensOf('README.md');
  const first = (type: string): Token => readme.find((token) => token.type === type)!;
  const lead = markdownPiece(paragraphOf(readme), 'README.md', deps);
  const list = tokensOf('docs/README.md');
  const url = 'index.html';
  return {
    url,
    title: 'Laudio documentation',
    short: 'Home',
    section: 'Start',
    body: html`<div class="hero">
        <h1>Laudio</h1>
        ${lead} ${codeBlock(first('fence').content, 'sh')}
        <p class="next">
          <a class="button" href="${relativeUrl(url, 'overview.html')}">What works, and a first try</a>
          <a href="commands/index.html">${commands} commands</a>
          <a href="api/index.html">${calls} calls of the API</a>
        </p>
      </div>
      <img
        class="shot"
        src="${picture(deps)}"
        alt="The app while somebody dictates: worklist, exam with the recorder, and the place where the report will be"
      />
      <h2>What do you want to do?</h2>
      <div class="cards">
        ${rowsOf(list).map(([want, read]) => {
          const wish = markdownPiece(want, 'docs/README.md', deps);
          return html`<section>
            <h3>${capitalised(wish)}</h3>
            <p>${markdownPiece(read, 'docs/README.md', deps)}</p>
          </section>`;
        })}
      </div>
      ${markdownPiece(afterTable(list), 'docs/README.md', deps)}`,
    headings: [],
    found: [],
  };
}

function picture({ files }: Pick<MarkdownDeps, 'files'>): string {
  const path = 'pictures/app/recording-large-dark.png';
  files.set(`docs/${path}`, path);
  return path;
}

/** The first paragraph of a page. */
function paragraphOf(tokens: readonly Token[]): Token[] {
  const begin = tokens.findIndex(({ type }) => type === 'paragraph_open');
  return tokens.slice(begin, begin + 3);
}

/** Cells of the table, as inline Markdown. */
function rowsOf(tokens: readonly Token[]): [want: Token[], read: Token[]][] {
  const cells = tokens.filter((_token, at) => tokens[at - 1]?.type === 'td_open');
  return cells.flatMap((cell, at) => (at % 2 === 0 ? [[[cell], [cells[at + 1]!]] as [Token[], Token[]]] : []));
}

/** What stands between the table and the next heading. */
function afterTable(tokens: readonly Token[]): Token[] {
  const after = tokens.slice(tokens.findIndex(({ type }) => type === 'table_close') + 1);
  const end = after.findIndex(({ type }) => type === 'heading_open');
  return end === -1 ? after : after.slice(0, end);
}

const capitalised = ({ html: text }: Html): Html => ({ html: text.charAt(0).toUpperCase() + text.slice(1) });
