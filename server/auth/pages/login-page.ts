/** The login page: a form that works without scripts, by keyboard, and with screen readers. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { isTestClient } from '../../../src/contract/oauth.ts';
import { testUser } from '../accounts.ts';
import type { LoginOutcome } from '../login.ts';
import type { PendingRequest } from '../pending-requests.ts';
import { toStatus } from '../provider/provider.ts';
import type { Provider, ProviderProblem } from '../provider/provider.ts';
import { hiddenFields } from './form.ts';
import { html } from '../../http/page/html.ts';
import { pageOutput } from '../../http/page/layout.ts';
import { readFormTarget } from './form.ts';
import { pageAddress, paths } from './paths.ts';
import { problemNote } from '../../http/page/problem-note.ts';
import { words } from '../../http/page/page-words.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';

/** Why the form is shown again. */
export type LoginProblem = Exclude<LoginOutcome, { readonly user: unknown }> | { readonly provider: ProviderProblem };

interface LoginPage {
  /** `undefined`: only passwords. */
  readonly provider: Provider | undefined;
  /** The login that failed. */
  readonly attempt?: { readonly username: string; readonly problem: LoginProblem };
}

const flask = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  <path d="M9.5 3.5h5M10.5 3.5v6L5 18.5A1.4 1.4 0 0 0 6.2 20.5h11.6a1.4 1.4 0 0 0 1.2-2L13.5 9.5v-6M8 14.5h8" />
</svg>`;

export function loginPage(
  language: PageLanguage,
  request: PendingRequest,
  { provider, attempt }: LoginPage,
): RawOutput {
  const { login } = words[language];
  const testMode = isTestClient(request.client_id);
  const problem = attempt && describeProblem(language, attempt.problem, provider?.name ?? '');
  const isTyped = attempt !== undefined && !('provider' in attempt.problem);
  const invalid = isTyped && html` aria-invalid="true" aria-describedby="problem"`;
  return pageOutput({
    language,
    testMode,
    title: problem === undefined ? login.title : `${login.error}: ${login.title}`,
    ...readFormTarget(request),
    ...(attempt && createRefusal(attempt.problem)),
    content: html`<h1>${login.title}</h1>
      <p class="lead">${login.lead(request.client_name)}</p>
      ${problem !== undefined && problemNote(problem)}
      ${
        testMode &&
        html`<p class="note quiet">
          ${flask}<span
            >${login.testAccount}<br />
            ${login.username} <strong>${testUser.username}</strong><br />
            ${login.password} <strong>${testUser.password}</strong></span
          >
        </p>`
      }
      ${provider?.space === request.space && html`<div class="actions"><a class="button primary" href="${pageAddress('provider', request)}">${login.provider(provider.name)}</a></div>`}
      <form method="post" action="${paths.login}">
        ${hiddenFields(request)}
        <label for="username">${login.username}</label>
        <input
          id="username"
          name="username"
          value="${attempt?.username ?? ''}"
          maxlength="100"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          required${!isTyped && html` autofocus`}${invalid}
        />
        <label for="password">${login.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          maxlength="200"
          autocomplete="current-password"
          required${isTyped && html` autofocus`}${invalid}
        />
        <div class="actions">
          <button class="primary">${login.submit}</button>
          <button name="decision" value="deny" formnovalidate>${login.cancel}</button>
        </div>
      </form>`,
  });
}

function describeProblem(language: PageLanguage, problem: LoginProblem, provider: string): string {
  const { login } = words[language];
  if ('provider' in problem) return login.providerProblems[problem.provider](provider);
  if ('wrong' in problem) return login.wrong;
  return 'waitSeconds' in problem ? login.wait(problem.waitSeconds) : login.busy(problem.busySeconds);
}

function createRefusal(problem: LoginProblem) {
  if ('wrong' in problem) return { status: 400 };
  if ('provider' in problem) return { status: toStatus(problem.provider) };
  const [status, seconds] = 'waitSeconds' in problem ? [429, problem.waitSeconds] : [503, problem.busySeconds];
  return { status, headers: { 'Retry-After': String(seconds) } };
}
