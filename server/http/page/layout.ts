/** The layout of all pages: their frame, and the headers that keep them from being framed, kept or scripted. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { inlineStyle } from './inline-style.ts';
import type { InlineStyle } from './inline-style.ts';
import { style } from './style.ts';
import { words } from './page-words.ts';
import type { PageLanguage } from './page-words.ts';

export interface Page {
  readonly language: PageLanguage;
  readonly title: string;
  readonly testMode?: boolean;
  readonly content: Html;
  /** Content as wide as the window; default: one card in the middle. */
  readonly wide?: boolean;
  /** The end of the head. */
  readonly bar?: Html;
  /** Default: the style of all pages. */
  readonly look?: InlineStyle;
  readonly status?: number;
  /** Where a form of this page may lead in the end, as a CSP source: the application's redirect URI. */
  readonly formTarget?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const mark = html`<svg viewBox="0 0 13 16" aria-hidden="true">
  <rect y="5" width="3" height="6" rx="1.5" />
  <rect x="5" y="1" width="3" height="14" rx="1.5" />
  <rect x="10" y="3.5" width="3" height="9" rx="1.5" />
</svg>`;

const defaultLook = inlineStyle(style);

export function pageOutput(page: Page): RawOutput {
  const { tag, testMode } = words[page.language];
  const look = page.look ?? defaultLook;
  const { html: body } = html`<!doctype html>
    <html lang="${tag}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="same-origin" />
        <link rel="icon" href="data:," />
        <title>${page.title} · Laudio</title>
        ${look.element}
      </head>
      <body>
        <header>
          <span class="mark">${mark}Laudio</span
          >${page.testMode && html`<span class="chip">${testMode}</span>`}${page.bar}
        </header>
        ${
          page.wide
            ? html`<main class="wide">${page.content}</main>`
            : html`<main><div class="card">${page.content}</div></main>`
        }
        <footer></footer>
      </body>
    </html> `;
  return { status: page.status ?? 200, headers: { ...buildHeaders(page), ...page.headers }, body };
}

/**
 * `Referrer-Policy` keeps the page's address from everybody. The page's own `meta` softens it to same-origin once the
 * page is read, because under `no-referrer` a browser sends its forms with `Origin: null` (Fetch, "append a request
 * Origin header"), and then nothing could tell our form from another's.
 */
function buildHeaders({ formTarget, look = defaultLook }: Page): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${look.source}`,
    'img-src data:',
    // Chromium checks the redirects after a form too, so the application's address must be named.
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  };
}
