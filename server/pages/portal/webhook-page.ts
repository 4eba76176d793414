/** The page of an application's webhook: its URL, signing secret and deliveries. */
import type { Client } from '../../../src/contract/admin.ts';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { eventTypeNames } from '../../../src/contract/events.ts';
import type { Delivery, Webhook } from '../../../src/contract/webhook.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';
import { atFault, back, check, frame, applicationPath, problemsNote, secretNote, timeIn } from './parts.ts';
import type { View } from './parts.ts';
import type { Problem } from './problems.ts';

export interface WebhookForm {
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
}

export interface WebhookFacts {
  readonly client: Client;
  readonly webhook: Webhook | undefined;
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  /** Newly created, and shown only once. */
  readonly secret: string | undefined;
}

const emptyForm: WebhookForm = { url: '', events: eventTypeNames, enabled: true };

export function webhookPage(
  view: View,
  { client, webhook, deliveries, secret }: WebhookFacts,
  typed: WebhookForm = webhook ?? emptyForm,
  problems: readonly Problem[] = [],
): RawOutput {
  const { webhook: words } = view.words;
  const title = `${words.title}: ${client.name}`;
  const path = (...more: readonly string[]) => applicationPath(client.id, 'webhook', ...more);
  return frame(view, {
    title,
    problems,
    content: html`${back(applicationPath(client.id), client.name)}
      <h1>${title}${webhook?.enabled === false && html` <span class="chip">${words.off}</span>`}</h1>
      <p class="lead">${words.lead}</p>
      ${problemsNote(problems)} ${secretNote(view.words, client.id, secret)}
      <section class="card">
        <form class="inline" method="post" action="${path()}">
          ${view.hidden()}
          <label for="url">${words.url}</label>
          <p class="hint" id="url-hint">${words.urlHint}</p>
          <input
            id="url"
            name="url"
            type="url"
            value="${typed.url}"
            maxlength="2048"
            autocomplete="off"
            spellcheck="false"
            required${atFault(problems, 'url') || html` aria-describedby="url-hint"`}
          />
          <fieldset>
            <legend>${words.events}</legend>
            ${eventTypeNames.map((name) => check('events', name, typed.events.includes(name), html`${words.names[name]} <code>${name}</code>`))}
          </fieldset>
          <fieldset>${check('enabled', 'on', typed.enabled, words.enabled)}</fieldset>
          <div class="actions"><button class="primary">${words.save}</button></div>
        </form>
      </section>
      ${webhook && renderExisting(view, webhook, deliveries, path)}`,
  });
}

function renderExisting(
  view: View,
  webhook: Webhook,
  deliveries: readonly Delivery[],
  path: (...more: string[]) => string,
): Html {
  const { webhook: words, secret: secretWords } = view.words;
  const act = (to: string, label: string): Html =>
    html`<form method="post" action="${path(to)}">${view.hidden()}<button>${label}</button></form>`;
  return html`<section class="card" aria-labelledby="signing">
      <h2 id="signing">${secretWords.title}</h2>
      <p class="lead">${words.secret} ${words.rotateHint}</p>
      ${act('secret', words.rotate)}
    </section>
    <section class="card" aria-labelledby="deliveries">
      <h2 id="deliveries">${words.deliveries}</h2>
      ${webhook.enabled && act('test', words.test)}
      <div class="scroll" tabindex="0" role="group" aria-labelledby="deliveries">
        ${
          deliveries.length === 0
            ? html`<p class="empty">${words.noDeliveries}</p>`
            : html`<table>
                <thead>
                  <tr>
                    <th scope="col">${words.event}</th>
                    <th scope="col">${words.state}</th>
                    <th scope="col">${words.tries}</th>
                    <td></td>
                  </tr>
                </thead>
                <tbody>
                  ${deliveries.map((delivery) => renderRow(view, webhook, delivery, path))}
                </tbody>
              </table>`
        }
      </div>
    </section>
    <section class="card" aria-labelledby="removal">
      <h2 id="removal">${words.remove}</h2>
      <p class="lead">${words.removeText}</p>
      ${act('remove', words.remove)}
    </section>`;
}

function renderRow(view: View, webhook: Webhook, delivery: Delivery, path: (...more: string[]) => string): Html {
  const { webhook: words } = view.words;
  const time = (at: string): string => timeIn(view.words, at);
  const last = delivery.attempts.at(-1);
  const outcome = last && (last.http_status === null ? words.noAnswer : `HTTP ${last.http_status}`);
  return html`<tr>
    <td>
      ${words.names[delivery.type]}
      <p class="faint">${time(delivery.created_at)}</p>
    </td>
    <td>${words.states[delivery.status]}${outcome !== undefined && html`<p>${outcome}</p>`}</td>
    <td>
      ${delivery.attempts.length}${delivery.next_attempt_at !== null && delivery.attempts.length > 0 && html`<p>${words.next(time(delivery.next_attempt_at))}</p>`}
    </td>
    <td>
      ${
        webhook.enabled &&
        html`<form class="inline" method="post" action="${path('deliveries', delivery.id)}">
          ${view.hidden()}<button
            aria-label="${words.resend}: ${words.names[delivery.type]}, ${time(delivery.created_at)}"
          >
            ${words.resend}
          </button>
        </form>`
      }
    </td>
  </tr>`;
}
