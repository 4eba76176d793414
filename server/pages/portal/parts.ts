/** Shared parts of the portal's pages: frame, fields, notes. */
import type { Channel } from '../../../src/contract/channel.ts';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { formatInstant } from '../../../src/domain/local-dates.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';
import { pageOutput } from '../../http/page/layout.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';
import { warning } from '../../http/page/problem-note.ts';
import type { OperatorSession } from '../operator-sessions.ts';
import type { Problem } from './problems.ts';
import { portalLook } from './style.ts';
import { channelsPath, messagesPath, patientsPath, renderProblems, trailPath } from './channel-problems.ts';
import { portalWords } from './words.ts';
import type { PortalWords } from './words.ts';

export const portal = '/portal';
export const applicationPath = (id: string, ...more: readonly string[]): string =>
  [portal, ...[id, ...more].map(encodeURIComponent)].join('/');

/** Data that every page needs. */
export interface View {
  readonly language: PageLanguage;
  readonly words: PortalWords;
  /** Hidden fields of a form: CSRF token, and a key that makes it act only once. */
  hidden(): Html;
  /** Who is logged in by name, and whether they only look. */
  readonly session: Pick<OperatorSession, 'user' | 'role'>;
  readonly hasInspector: boolean;
  /** Result of the last action. */
  readonly notice: string | undefined;
  /** The channels, whose problems every page shows. */
  readonly channels: readonly Channel[];
}

export interface Content {
  readonly title: string;
  readonly content: Html;
  readonly problems?: readonly Problem[];
  readonly status?: number;
}

/** A page within the portal. */
export function frame(view: View, { title, content, problems = [], status }: Content): RawOutput {
  const { words, language, notice, channels, session, hasInspector } = view;
  const link = (href: string, text: string): Html =>
    html`<a href="${href}" ${text === title && html` aria-current="page"`}>${text}</a>`;
  return pageOutput({
    language,
    look: portalLook,
    wide: true,
    title: `${problems.length > 0 ? `${words.error}: ` : ''}${title} · ${words.title}`,
    status: status ?? (problems.length > 0 ? 400 : 200),
    bar: html`<nav class="end" aria-label="${words.title}">
      ${link(portal, words.applications.title)}${link(channelsPath, words.channels.title)}
      ${link(messagesPath, words.messages.title)}${link(patientsPath, words.patients.title)}
      ${link(trailPath, words.trail.title)}${hasInspector && html`<a href="/inspector" hreflang="en">${words.inspector}</a>`}
      ${session.user !== null && html`<span class="name">${session.user.display_name}${session.role === 'auditor' && ` · ${words.auditor}`}</span>`}
      <form method="post" action="${portal}/leave">${view.hidden()}<button class="text">${words.leave}</button></form>
    </nav>`,
    content: html`${renderProblems(words, channels)}${notice !== undefined && html`<p class="done" role="status">${notice}</p>`}${content}`,
  });
}

/** The list of problems above a rejected form. */
export const problemsNote = (problems: readonly Problem[]): Html =>
  problems.length === 0
    ? html``
    : html`<div class="note" id="problem" role="alert">
        ${warning}
        <ul>
          ${[...new Set(problems.map(({ text }) => text))].map((text) => html`<li>${text}</li>`)}
        </ul>
      </div>`;

/** Attributes of an invalid field. */
export const atFault = (problems: readonly Problem[], field: string): Html | false =>
  problems.some((problem) => problem.field === field) && html` aria-invalid="true" aria-describedby="problem"`;

export const check = (name: string, value: string, isOn: boolean, label: Html | string): Html =>
  html`<label class="check"
    ><input type="checkbox" name="${name}" value="${value}" ${isOn && html` checked`} /><span>${label}</span></label
  >`;

export const fact = (title: string, value: Html | string): Html =>
  html`<dt>${title}</dt>
    <dd>${value}</dd>`;

export const back = (href: string, label: string): Html => html`<p class="back"><a href="${href}">← ${label}</a></p>`;

/** A newly created secret, which the server cannot show again. */
export const secretNote = (
  { secret: words }: PortalWords,
  clientId: string,
  secret: string | undefined,
): Html | false =>
  secret !== undefined &&
  html`<div class="secret">
    <p>${words.clientId}: <code>${clientId}</code></p>
    <p><strong>${words.shown}</strong></p>
    <code id="secret" tabindex="0">${secret}</code>
    <p class="small">${words.keep}</p>
  </div>`;

export const timeIn = ({ locale }: PortalWords, at: string): string => formatInstant(at, locale);

export const wordsIn = (language: PageLanguage): PortalWords => portalWords[language];
