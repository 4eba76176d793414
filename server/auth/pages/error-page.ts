/** The page for a login that cannot continue. It has no links, because no address is trusted at that point. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import type { OAuthError } from '../../http/oauth-error.ts';
import { html } from '../../http/page/html.ts';
import { pageOutput } from '../../http/page/layout.ts';
import { words } from '../../http/page/page-words.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';

const statuses = { request: 400, expired: 400, forged: 403, failed: 503 } as const;

export interface ErrorPage {
  readonly language: PageLanguage;
  readonly kind: keyof typeof statuses;
  /** In the terms of RFC 6749, for the developer of the application. */
  readonly detail?: OAuthError;
}

export function errorPage({ language, kind, detail }: ErrorPage): RawOutput {
  const { error } = words[language];
  return pageOutput({
    language,
    title: error.title,
    status: statuses[kind],
    content: html`<h1>${error.title}</h1>
      <p class="lead">${error[kind]}</p>
      ${
        detail &&
        html`<p class="detail">${error.forDeveloper} <code lang="en">${detail.error}: ${detail.description}</code></p>`
      }`,
  });
}
