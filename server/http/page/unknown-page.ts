/** The page for an address that has none, with the way back. Says nothing of the address, which anybody may have written. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { html } from './html.ts';
import { pageOutput } from './layout.ts';
import { words } from './page-words.ts';
import type { PageLanguage } from './page-words.ts';

export function unknownPage(language: PageLanguage): RawOutput {
  const { title, text, back } = words[language].unknown;
  return pageOutput({
    language,
    title,
    status: 404,
    content: html`<h1>${title}</h1>
      <p class="lead">${text}</p>
      <p class="actions"><a class="button primary" href="/">${back}</a></p>`,
  });
}
