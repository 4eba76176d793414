/** The login page of the portal, where the operator enters the setup code. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { html } from '../../http/page/html.ts';
import { pageOutput } from '../../http/page/layout.ts';
import { words as pageWords } from '../../http/page/page-words.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';
import { toStatus } from '../../auth/provider/provider.ts';
import type { ProviderProblem } from '../../auth/provider/provider.ts';
import type { CodeProblem } from '../operator-sessions.ts';
import { problemNote } from '../../http/page/problem-note.ts';
import { portal, wordsIn } from './parts.ts';

/** Why nobody is logged in. */
type LoginProblem = CodeProblem | { readonly provider: ProviderProblem };

interface EnterPage {
  readonly problem?: LoginProblem;
  /** The name of the login provider; `undefined`: there is only the code. */
  readonly provider: string | undefined;
}

/** `to`: the requested path within the portal. */
export function enterPage(language: PageLanguage, to: string, { problem, provider }: EnterPage): RawOutput {
  const words = wordsIn(language);
  const { enter } = words;
  const { login } = pageWords[language];
  const said = problem && describeProblem(language, problem, provider ?? '');
  return pageOutput({
    language,
    title: said === undefined ? words.title : `${words.error}: ${words.title}`,
    ...(problem && createRefusal(problem)),
    content: html`<h1>${words.title}</h1>
      <p class="lead">${enter.lead}</p>
      ${said !== undefined && problemNote(said)}
      ${
        provider !== undefined &&
        html`<div class="actions">
          <a class="button primary" href="${portal}/provider?${new URLSearchParams({ to }).toString()}"
            >${login.provider(provider)}</a
          >
        </div>`
      }
      <form method="post" action="${portal}/enter">
        <input type="hidden" name="to" value="${to}" />
        <label for="code">${enter.code}</label>
        <input
          class="code"
          id="code"
          name="code"
          maxlength="20"
          placeholder="XXXXX-XXXXX"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          required
          autofocus
          aria-describedby="${said !== undefined && 'problem '}where"
          ${said !== undefined && html` aria-invalid="true"`}
        />
        <p class="small" id="where">${enter.where}</p>
        <div class="actions"><button class="primary">${enter.go}</button></div>
      </form>`,
  });
}

function createRefusal(problem: LoginProblem) {
  if (typeof problem === 'string') return { status: 403 };
  if ('provider' in problem) return { status: toStatus(problem.provider) };
  return { status: 429, headers: { 'Retry-After': String(problem.waitSeconds) } };
}

function describeProblem(language: PageLanguage, problem: LoginProblem, provider: string): string {
  const { enter } = wordsIn(language);
  if (typeof problem === 'string') return enter[problem];
  if ('waitSeconds' in problem) return enter.wait(problem.waitSeconds);
  return pageWords[language].login.providerProblems[problem.provider](provider);
}
