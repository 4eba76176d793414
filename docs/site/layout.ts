/** The frame of every page: head, bar, navigation, contents, and the pages before and after. */
import { html } from '../../server/http/page/html.ts';
import type { Html } from '../../server/http/page/html.ts';
import { relativeUrl } from './site.ts';
import type { SectionName, SitePage } from './site.ts';

export interface Frame {
  readonly version: string;
  readonly sections: readonly { readonly name: SectionName; readonly pages: readonly SitePage[] }[];
}

/** The whole page as HTML. */
export function framed(page: SitePage, { version, sections }: Frame): string {
  const { url } = page;
  const to = (path: string) => relativeUrl(url, path);
  const own = page.headings.filter(({ level }) => level <= 3);
  const title = page.url === 'index.html' ? 'Laudio documentation' : `${page.title} · Laudio`;
  return html`<!doctype html>
    <html lang="en" data-root="${'../'.repeat(url.split('/').length - 1)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${to('assets/mark.svg')}" />
        <link rel="stylesheet" href="${to('assets/site.css')}" />
        <script src="${to('assets/theme.js')}"></script>
        <script src="${to('assets/site.js')}" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <a class="brand" href="${to('index.html')}"
            ><img src="${to('assets/mark.svg')}" alt="" width="24" height="24" />Laudio</a
          >
          <span class="version">${version}</span>
          <button type="button" class="search" data-search aria-label="Search the documentation" hidden>
            ${magnifier}<span>Search the documentation</span><kbd>/</kbd>
          </button>
          <button type="button" class="theme" data-theme-switch aria-label="Light or dark" hidden>${halfMoon}</button>
        </header>
        <details class="menu">
          <summary>${menuIcon}<span>${crumb(page)}</span></summary>
          ${navigation(page, sections, 'Menu')}
        </details>
        <div class="columns">
          <aside class="side">${navigation(page, sections, 'Pages')}</aside>
          <main id="content" tabindex="-1" class="${url === 'index.html' ? 'home' : 'page'}">
            <article>${page.body}</article>
            ${neighbours(page, sections)}
          </main>
          ${
            own.length > 1
              ? html`<nav class="contents" aria-label="On this page">
                  <p>On this page</p>
                  <ul>
                    ${own.map(
                      ({ level, text, anchor }) =>
                        html`<li class="level-${level}"><a href="#${anchor}">${text}</a></li>`,
                    )}
                  </ul>
                </nav>`
              : html`<div class="contents"></div>`
          }
        </div>
        <footer>
          <p>
            Laudio ${version} · <a href="${to('LICENSE')}">MIT licence</a> · <a href="${to('changes.html')}">Changes</a>
          </p>
        </footer>
        <dialog class="finder" aria-label="Search the documentation">
          <form method="dialog">
            ${magnifier}
            <input
              type="search"
              placeholder="Search guides, commands, calls and fields"
              aria-label="Search"
              autocomplete="off"
              spellcheck="false"
            />
            <button aria-label="Close"><kbd>Esc</kbd></button>
          </form>
          <p class="said" role="status"></p>
          <ol></ol>
        </dialog>
      </body>
    </html> `.html;
}

const crumb = ({ section, title, url }: SitePage): string =>
  url === 'index.html' || section === 'Start' ? title : `${section}: ${title}`;

function navigation(page: SitePage, sections: Frame['sections'], label: string): Html {
  return html`<nav aria-label="${label}">
    ${sections.map(
      ({ name, pages }) =>
        html`<p>${name}</p>
          <ul>
            ${pages
              .filter(({ parent }) => parent === undefined)
              .map((listed) => {
                const below = pages.filter(({ parent }) => parent === listed.url);
                const isOpen = page.url === listed.url || page.parent === listed.url;
                return html`<li>
                  ${entry(listed, page)}
                  ${
                    isOpen &&
                    below.length > 0 &&
                    html`<ul>
                      ${below.map((each) => html`<li>${entry(each, page)}</li>`)}
                    </ul>`
                  }
                </li>`;
              })}
          </ul>`,
    )}
  </nav>`;
}

const entry = ({ url, title, short }: SitePage, page: SitePage): Html =>
  url === page.url
    ? html`<a href="${relativeUrl(page.url, url)}" aria-current="page">${short ?? title}</a>`
    : html`<a href="${relativeUrl(page.url, url)}">${short ?? title}</a>`;

/** The pages before and after, in the order of the navigation. */
function neighbours(page: SitePage, sections: Frame['sections']): Html {
  const all = sections.flatMap(({ pages }) => pages);
  const at = all.findIndex(({ url }) => url === page.url);
  const [before, after] = [all[at - 1], all[at + 1]];
  const link = (to: SitePage, rel: string, word: string): Html =>
    html`<a rel="${rel}" href="${relativeUrl(page.url, to.url)}"><span>${word}</span> ${to.title}</a>`;
  return html`<nav class="neighbours" aria-label="Before and after">
    ${before ? link(before, 'prev', 'Before') : html`<span></span>`} ${after && link(after, 'next', 'Next')}
  </nav>`;
}

const icon = (path: string): Html => ({
  html: `<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`,
});
const magnifier = icon('<circle cx="9" cy="9" r="5.2"/><path d="m13 13 4 4"/>');
const menuIcon = icon('<path d="M3 6h14M3 10h14M3 14h14"/>');
const halfMoon = icon('<circle cx="10" cy="10" r="6.5"/><path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor"/>');
