/** The consent page: which application asks, for which access, in whose name. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { isTestClient } from '../../../src/contract/oauth.ts';
import { describeScope } from '../../../src/contract/scopes.ts';
import type { PendingRequest } from '../pending-requests.ts';
import type { StoredUser } from '../stored-account.ts';
import { deviceFacts } from './device-pages.ts';
import { hiddenFields } from './form.ts';
import { html } from '../../http/page/html.ts';
import { pageOutput } from '../../http/page/layout.ts';
import { readFormTarget } from './form.ts';
import { paths } from './paths.ts';
import { words } from '../../http/page/page-words.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';

const tick = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m5 12.5 4.5 4.5L19 7.5" /></svg>`;

export function consentPage(language: PageLanguage, request: PendingRequest, user: StoredUser, now: number): RawOutput {
  const { consent, device } = words[language];
  const { answer } = request;
  const title = consent.title(request.client_name);
  return pageOutput({
    language,
    testMode: isTestClient(request.client_id),
    title,
    ...readFormTarget(request),
    content: html`<h1>${title}</h1>
      ${answer.kind === 'device' && deviceFacts(language, answer, now)}
      <form method="post" action="${paths.consent}">
        ${hiddenFields(request)}
        <p class="lead" id="asks">${consent.lead}</p>
        <ul aria-labelledby="asks">
          ${request.scope.map((scope) => html`<li>${tick}<span>${describeScope(scope, language)}</span></li>`)}
        </ul>
        <div class="who">
          <p>${consent.signedIn}<strong>${user.display_name}</strong></p>
          <button class="text" name="decision" value="switch">${consent.other}</button>
        </div>
        <div class="actions">
          <button class="primary" name="decision" value="approve">${consent.approve}</button>
          <button name="decision" value="deny">${consent.deny}</button>
        </div>
        <p class="small">
          ${
            answer.kind === 'device'
              ? device.afterwards
              : consent.destination(describeDestination(answer.redirect_uri, consent.thisComputer))
          }
        </p>
      </form>`,
  });
}

/** Where the browser goes next, so that people notice an application that they don't know. */
function describeDestination(redirectUri: string, thisComputer: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' ? host : thisComputer;
}
