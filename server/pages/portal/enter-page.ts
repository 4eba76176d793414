/** The login page of the portal, where the operator enters a code. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { html } from '../../http/page/html.ts';
import { pageOutput } from '../../http/page/layout.ts';
import { words as pageWords } from '../../http/page/page-words.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';
import { toStatus } from '../../auth/provider/provider.ts';
import type { ProviderProblem } from '../../auth/provider/provider.ts';
import type { CodeProblem, OperatorSessions } from '../operator-sessions.ts';
import { problemNote } from '../../http/page/problem-note.ts';
import { portal, wordsIn } from './parts.ts';

export const enterPath = `${portal}/enter`;

/** Why nobody is logged in. `failed`: the server cannot look. */
type LoginProblem = CodeProblem | 'failed' | { readonly provider: ProviderProblem };

interface EnterPage {
  readonly problem?: LoginProblem;
  /** The name of the login provider; `undefined`: there is only the code. */
  readonly provider: string | undefined;
  readonly asks: OperatorSessions['asks'];
}

/** `to`: the requested path within the portal. */
export function enterPage(language: PageLanguage, to: string, { problem, provider, asks }: EnterPage): RawOutput {
  const words = wordsIn(language);
  const { enter } = words;
  const { login } = pageWords[language];
  const isToken = asks === 'operator_token';
  const said = problem && describeProblem(language, problem, { provider, asks });
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
      <form method="post" action="${enterPath}">
        <input type="hidden" name="to" value="${to}" />
        <label for="code">${isToken ? enter.token : enter.code}</label>
        <input
          class="code"
          id="code"
          name="code"
          ${isToken ? html`type="password"` : html`maxlength="20" placeholder="XXXXX-XXXXX" autocapitalize="characters"`}
          autocomplete="off"
          spellcheck="false"
          required
          autofocus
          aria-describedby="${said !== undefined && 'problem '}where"
          ${said !== undefined && html` aria-invalid="true"`}
        />
        <p class="small" id="where">${isToken ? enter.whereToken : enter.where}</p>
        <div class="actions"><button class="primary">${enter.go}</button></div>
      </form>`,
  });
}

function createRefusal(problem: LoginProblem) {
  if (typeof problem === 'string') return { status: problem === 'failed' ? 503 : 403 };
  if ('provider' in problem) return { status: toStatus(problem.provider) };
  return { status: 429, headers: { 'Retry-After': String(problem.waitSeconds) } };
}

function describeProblem(
  language: PageLanguage,
  problem: LoginProblem,
  { provider = '', asks }: Pick<EnterPage, 'provider' | 'asks'>,
): string {
  const { enter, problems } = wordsIn(language);
  if (problem === 'failed') return problems.failed;
  if (problem === 'wrong' && asks === 'operator_token') return enter.wrongToken;
  if (typeof problem === 'string') return enter[problem];
  if ('waitSeconds' in problem) return enter.wait(problem.waitSeconds);
  return pageWords[language].login.providerProblems[problem.provider](provider);
}
