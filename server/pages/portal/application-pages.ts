/** The pages of partner applications: list, creation, details and removal. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import type { Client } from '../../../src/contract/admin.ts';
import type { BackupStatus } from '../../../src/contract/system.ts';
import { allScopes, scopes, serverScopes } from '../../../src/contract/scopes.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';
import { warning } from '../../http/page/problem-note.ts';
import {
  atFault,
  back,
  check,
  fact,
  frame,
  applicationPath,
  portal,
  problemsNote,
  secretNote,
  timeIn,
} from './parts.ts';
import type { View } from './parts.ts';
import type { Problem } from './problems.ts';

export type Kind = Client['kind'];
export const kinds: readonly Kind[] = ['web', 'mobile', 'server'];

/** Content of the form as typed. */
export interface ApplicationForm {
  readonly name: string;
  /** One per line. */
  readonly uris: string;
  readonly scopes: readonly string[];
  readonly test: boolean;
  readonly space: string;
}

export const emptyForm = (kind: Kind): ApplicationForm => ({
  name: '',
  uris: '',
  scopes: kind === 'server' ? serverScopes : allScopes,
  test: false,
  space: '',
});

const toForm = ({ name, redirect_uris, scopes: own, test_mode: test, space }: Client): ApplicationForm => ({
  name,
  uris: redirect_uris.join('\n'),
  scopes: own,
  test,
  space,
});

export function listPage(
  view: View,
  clients: readonly Client[],
  page: { next: string | null; isFirst: boolean },
  backup: BackupStatus | undefined,
) {
  const { applications, kinds: kindWords } = view.words;
  const row = ({ id, name, kind, test_mode, created_at }: Client): Html =>
    html`<tr>
      <td>
        <a href="${applicationPath(id)}">${name}</a>${test_mode && html`<span class="chip">${applications.test}</span>`}
      </td>
      <td class="spare">${kindWords[kind].name}</td>
      <td><code>${id}</code></td>
      <td class="spare faint">${timeIn(view.words, created_at)}</td>
    </tr>`;
  return frame(view, {
    title: applications.title,
    content: html`<div class="top">
        <div>
          <h1>${applications.title}</h1>
          <p class="lead">${applications.lead}</p>
        </div>
        <a class="button primary" href="${portal}/new">${applications.add}</a>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label="${applications.title}">
        ${
          clients.length === 0
            ? html`<p class="empty">${applications.none}</p>`
            : html`<table>
                <thead>
                  <tr>
                    <th scope="col">${applications.name}</th>
                    <th scope="col" class="spare">${applications.kind}</th>
                    <th scope="col">${applications.id}</th>
                    <th scope="col" class="spare">${applications.created}</th>
                  </tr>
                </thead>
                <tbody>
                  ${clients.map(row)}
                </tbody>
              </table>`
        }
      </div>
      <p class="actions">
        ${!page.isFirst && html`<a href="${portal}">${applications.first}</a>`}
        ${page.next !== null && html`<a href="${portal}?${String(new URLSearchParams({ cursor: page.next }))}">${applications.older}</a>`}
      </p>
      ${backupSection(view, backup)}`,
  });
}

/** When the last planned backup was made, and what failed. */
function backupSection({ words }: View, backup: BackupStatus | undefined): Html {
  const { backups } = words;
  return html`<section class="card" aria-labelledby="backups">
    <h2 id="backups">${backups.title}</h2>
    ${
      backup?.overdue === true &&
      html`<p class="note" role="alert">
        ${warning}<span>${backup.failure === null ? backups.overdue : backups.failed(backup.failure)}</span>
      </p>`
    }
    ${
      backup
        ? html`<dl>
            ${fact(backups.last, backup.last_at === null ? backups.never : timeIn(words, backup.last_at))}
            ${fact(backups.next, timeIn(words, backup.next_at))}${fact(backups.to, html`<code>${backup.to}</code>`)}
          </dl>`
        : html`<p class="lead">${backups.unplanned}</p>`
    }
  </section>`;
}

/** The kind of application decides which fields the form has. */
export function choicePage(view: View): RawOutput {
  const { application, applications, kinds: kindWords } = view.words;
  return frame(view, {
    title: applications.add,
    content: html`${back(portal, application.all)}
      <h1>${application.ask}</h1>
      <nav class="kinds" aria-label="${applications.kind}">
        ${kinds.map(
          (kind) =>
            html`<a href="${portal}/new?kind=${kind}"
              ><strong>${kindWords[kind].name}</strong><span>${kindWords[kind].text}</span></a
            >`,
        )}
      </nav>`,
  });
}

export function newPage(view: View, kind: Kind, typed: ApplicationForm, problems: readonly Problem[] = []): RawOutput {
  const { application, kinds: kindWords } = view.words;
  const title = application.begin(kindWords[kind].name);
  return frame(view, {
    title,
    problems,
    content: html`${back(`${portal}/new`, application.ask)}
      <h1>${title}</h1>
      <p class="lead">${kindWords[kind].text}</p>
      ${problemsNote(problems)}
      <section class="card">
        <form class="inline" method="post" action="${portal}/new">
          ${view.hidden()}<input type="hidden" name="kind" value="${kind}" />
          ${fields(view, kind, typed, problems)}
          <fieldset>
            ${check('test', 'on', typed.test, application.test)}
            <label for="space">${application.space}</label>
            <p class="hint" id="space-hint">${application.spaceHint}</p>
            <input
              id="space"
              name="space"
              value="${typed.space}"
              maxlength="64"
              autocomplete="off"
              spellcheck="false"
              ${atFault(problems, 'space') || html` aria-describedby="space-hint"`}
            />
          </fieldset>
          <div class="actions">
            <button class="primary">${application.create}</button><a href="${portal}">${application.cancel}</a>
          </div>
        </form>
      </section>`,
  });
}

/** Fields that can be changed later. */
function fields(view: View, kind: Kind, typed: ApplicationForm, problems: readonly Problem[]): Html {
  const { language } = view;
  const { application } = view.words;
  return html`<label for="name">${application.name}</label>
    <p class="hint" id="name-hint">${application.nameHint}</p>
    <input
      id="name"
      name="name"
      value="${typed.name}"
      maxlength="100"
      autocomplete="off"
      required${atFault(problems, 'name') || html` aria-describedby="name-hint"`}
    />
    ${
      (kind !== 'server' || typed.uris !== '') &&
      html`<label for="uris">${application.uris}</label>
        <p class="hint" id="uris-hint">${application.urisHint}</p>
        <textarea
          id="uris"
          name="redirect_uris"
          spellcheck="false"
          autocomplete="off"
          ${kind !== 'server' && html` required`}${atFault(problems, 'redirect_uris') || html` aria-describedby="uris-hint"`}
        >
${typed.uris}</textarea>`
    }
    <fieldset>
      <legend>${application.scopes}</legend>
      <p class="hint">${application.scopesHint}</p>
      <div class="two">
        ${allScopes.map((scope) =>
          check('scopes', scope, typed.scopes.includes(scope), html`${scopes[scope][language]} <code>${scope}</code>`),
        )}
      </div>
    </fieldset>`;
}

export interface ApplicationFacts {
  readonly client: Client;
  /** Newly created, and shown only once. */
  readonly secret?: string | undefined;
  readonly hasWebhook: boolean;
}

export function applicationPage(
  view: View,
  { client, secret, hasWebhook }: ApplicationFacts,
  typed: ApplicationForm = toForm(client),
  problems: readonly Problem[] = [],
): RawOutput {
  const { applications, application, kinds: kindWords, webhook, remove } = view.words;
  const { id, name, kind } = client;
  return frame(view, {
    title: name,
    problems,
    content: html`${back(portal, application.all)}
      <h1>${name}${client.test_mode && html` <span class="chip">${applications.test}</span>`}</h1>
      ${problemsNote(problems)} ${secretNote(view.words, id, secret)}
      <section class="card" aria-labelledby="facts">
        <h2 id="facts">${application.facts}</h2>
        <dl>
          ${fact(applications.id, html`<code>${id}</code>`)}${fact(applications.kind, kindWords[kind].name)}
          ${fact(application.space, client.space)}${fact(applications.created, timeIn(view.words, client.created_at))}
        </dl>
      </section>
      ${secretSection(view, client)}
      <section class="card" aria-labelledby="webhook">
        <h2 id="webhook">${webhook.title}</h2>
        ${!hasWebhook && html`<p class="lead">${webhook.none}</p>`}
        <p class="actions">
          <a class="button" href="${applicationPath(id, 'webhook')}">${hasWebhook ? webhook.open : webhook.add}</a>
        </p>
      </section>
      <section class="card" aria-labelledby="settings">
        <h2 id="settings">${application.settings}</h2>
        <form method="post" action="${applicationPath(id)}">
          ${view.hidden()} ${fields(view, kind, typed, problems)}
          <div class="actions"><button class="primary">${application.save}</button></div>
        </form>
      </section>
      <p class="actions"><a href="${applicationPath(id, 'remove')}">${remove.open}</a></p>`,
  });
}

function secretSection(view: View, { id, jwks, old_secret_until: until }: Client): Html {
  const { secret, application } = view.words;
  return html`<section class="card" aria-labelledby="secret-title">
    <h2 id="secret-title">${secret.title}</h2>
    ${
      jwks
        ? html`<p class="lead">${application.byKey}</p>`
        : html`<p class="lead">${secret.none}</p>
            ${
              until !== undefined &&
              html`<form method="post" action="${applicationPath(id, 'secret', 'end')}">
                ${view.hidden()}
                <p class="note quiet"><span></span><span>${secret.until(timeIn(view.words, until))}</span></p>
                <div class="actions"><button>${secret.end}</button></div>
              </form>`
            }
            <form method="post" action="${applicationPath(id, 'secret')}">
              ${view.hidden()}
              <label for="keep">${secret.old}</label>
              <select id="keep" name="keep">
                ${Object.entries(secret.durations).map(
                  ([seconds, label]) =>
                    html`<option value="${seconds}" ${seconds === '86400' && html` selected`}>${label}</option>`,
                )}
              </select>
              <div class="actions"><button>${secret.rotate}</button></div>
              <p class="small">${secret.tokens}</p>
            </form>`
    }
  </section>`;
}

export function removePage(view: View, { id, name }: Client): RawOutput {
  const { remove, application } = view.words;
  const title = remove.title(name);
  return frame(view, {
    title,
    content: html`${back(applicationPath(id), name)}
      <h1>${title}</h1>
      <p class="lead">${remove.text}</p>
      <form method="post" action="${applicationPath(id, 'remove')}">
        ${view.hidden()}
        <div class="actions">
          <button class="primary">${remove.go}</button><a href="${applicationPath(id)}">${application.cancel}</a>
        </div>
      </form>`,
  });
}
