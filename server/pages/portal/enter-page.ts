/** The login page of the portal, where the operator enters the setup code. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { html } from '../../http/page/html.ts';
import { pageOutput } from '../../http/page/layout.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';
import type { LoginProblem } from '../operator-sessions.ts';
import { problemNote } from '../../http/page/problem-note.ts';
import { portal, wordsIn } from './parts.ts';

/** `to`: the requested path within the portal. */
export function enterPage(language: PageLanguage, to: string, problem?: LoginProblem): RawOutput {
  const words = wordsIn(language);
  const { enter } = words;
  const isWait = typeof problem === 'object';
  const said = isWait ? enter.wait(problem.waitSeconds) : problem && enter[problem];
  return pageOutput({
    language,
    title: said === undefined ? words.title : `${words.error}: ${words.title}`,
    status: problem === undefined ? 200 : isWait ? 429 : 403,
    ...(isWait && { headers: { 'Retry-After': String(problem.waitSeconds) } }),
    content: html`<h1>${words.title}</h1>
      <p class="lead">${enter.lead}</p>
      ${said !== undefined && problemNote(said)}
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
