/** The first and last page of a device login: the form for the code, and the outcome. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import type { DeviceAnswer } from '../pending-requests.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';
import { pageOutput } from '../../http/page/layout.ts';
import { paths } from './paths.ts';
import { cautionNote, problemNote } from '../../http/page/problem-note.ts';
import { words } from '../../http/page/page-words.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';

/** Why the form is shown again. */
export type CodeProblem = { readonly unknown: true } | { readonly waitSeconds: number };

export function codePage(language: PageLanguage, typed: string, problem?: CodeProblem): RawOutput {
  const { device, login } = words[language];
  const problemText = problem && ('unknown' in problem ? device.unknown : login.wait(problem.waitSeconds));
  const invalid = problemText !== undefined && html` aria-invalid="true" aria-describedby="problem"`;
  return pageOutput({
    language,
    title: problemText === undefined ? device.title : `${login.error}: ${device.title}`,
    ...(problem && createRefusal(problem)),
    content: html`<h1>${device.title}</h1>
      <p class="lead">${device.lead}</p>
      ${problemText !== undefined && problemNote(problemText)}
      <form method="post" action="${paths.device}">
        <label for="user_code">${device.code}</label>
        <input
          class="code"
          id="user_code"
          name="user_code"
          value="${typed}"
          maxlength="20"
          placeholder="XXXX-XXXX"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          required
          autofocus${invalid}
        />
        <div class="actions"><button class="primary">${device.next}</button></div>
      </form>`,
  });
}

function createRefusal(problem: CodeProblem) {
  if ('unknown' in problem) return { status: 400 };
  return { status: 429, headers: { 'Retry-After': String(problem.waitSeconds) } };
}

/** Facts to compare before approving: the code on the device, and where the device is. */
export function deviceFacts(language: PageLanguage, { user_code, address, asked_at }: DeviceAnswer, now: number): Html {
  const { device } = words[language];
  const minutes = Math.max(0, Math.floor((now - asked_at) / 60_000));
  return html`<div class="device">
      <p>${device.shows}</p>
      <p class="shown">${user_code}</p>
      <p>${device.from(address, minutes)}</p>
    </div>
    ${cautionNote(device.caution)}`;
}

export function deviceEndPage(language: PageLanguage, outcome: 'approved' | 'denied'): RawOutput {
  const { device } = words[language];
  const { title, text } = device[outcome];
  return pageOutput({
    language,
    title,
    content: html`<h1>${title}</h1>
      <p class="lead">${text}</p>`,
  });
}
