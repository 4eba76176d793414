/** The pages of messages: those that were found, and one message with its bytes and what was read of them. */
import { messageStates } from '../../../src/contract/channel-message.ts';
import type { FoundMessage, MessageQuery, ShownMessage } from '../../../src/contract/channel-message.ts';
import type { Channel } from '../../../src/contract/channel.ts';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { controlIdInKey } from '../../../src/domain/message-key.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';
import { channelPath, messagePath, messagesPath } from './channel-problems.ts';
import { renderReason } from './channel-pages.ts';
import { atFault, back, fact, frame, problemsNote, timeIn } from './parts.ts';
import type { View } from './parts.ts';
import type { Problem } from './problems.ts';

/** The fields of the search as people type them. */
export type SearchForm = Readonly<Partial<Record<keyof MessageQuery, string>>>;
const typedFields = ['patient_id', 'accession_number', 'control_id'] as const;
const times = ['since', 'until'] as const;

export interface FoundPage {
  readonly items: readonly FoundMessage[];
  readonly next: string | null;
}

export function messageListPage(
  view: View,
  typed: SearchForm,
  { items, next }: FoundPage,
  problems: readonly Problem[] = [],
): RawOutput {
  const { messages: words, channels } = view.words;
  return frame(view, {
    title: words.title,
    problems,
    content: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      ${problemsNote(problems)}${searchForm(view, typed, problems)}
      <form method="post" action="${messagePath('retry')}">
        ${view.hidden()}
        <div class="scroll" tabindex="0" role="region" aria-label="${words.title}">
          ${
            items.length === 0
              ? html`<p class="empty">${words.none}</p>`
              : html`<table>
                  <thead>
                    <tr>
                      <th scope="col"><span class="unseen">${words.choose}</span></th>
                      <th scope="col">${view.words.webhook.time}</th>
                      <th scope="col">${channels.state}</th>
                      <th scope="col" class="spare">${words.channel}</th>
                      <th scope="col">${words.fields.patient_id}</th>
                      <th scope="col">${words.fields.accession_number}</th>
                      <th scope="col" class="spare">${words.fields.control_id}</th>
                    </tr>
                  </thead>
                  <tbody>
                    ${items.map((message) => renderRow(view, message))}
                  </tbody>
                </table>`
          }
        </div>
        ${
          items.some(isRetriable) &&
          html`<div class="actions"><button class="primary">${words.retryChosen}</button></div>`
        }
      </form>
      ${next !== null && olderForm(view, typed, next)}`,
  });
}

const isRetriable = ({ direction, state }: FoundMessage): boolean =>
  direction === 'out' || state === 'refused' || state === 'waiting';

function renderRow(view: View, message: FoundMessage): Html {
  const { id, at, state, channel_id: channel, key, patient_ids: patients, accession_numbers: numbers } = message;
  const { channels: words, messages } = view.words;
  const time = timeIn(view.words, at);
  const name = view.channels.find((each) => each.id === channel)?.name ?? channel;
  return html`<tr>
    <td>
      ${isRetriable(message) && html`<input type="checkbox" name="id" value="${id}" aria-label="${messages.choose}: ${time}" />`}
    </td>
    <td><a href="${messagePath(id)}">${time}</a></td>
    <td>${words.states[state]}</td>
    <td class="spare">${name}</td>
    <td>${patients.join(', ')}</td>
    <td>${numbers.join(', ')}</td>
    <td class="spare">${key === null ? '' : controlIdInKey(key)}</td>
  </tr>`;
}

function searchForm(view: View, typed: SearchForm, problems: readonly Problem[]): Html {
  const { messages: words, channels } = view.words;
  const choose = (name: 'channel' | 'state', label: string, options: readonly (readonly [string, string])[]): Html =>
    html`<div>
      <label for="${name}">${label}</label>
      <select id="${name}" name="${name}">
        <option value="">${words.any}</option>
        ${options.map(([value, text]) => html`<option value="${value}" ${typed[name] === value && html` selected`}>${text}</option>`)}
      </select>
    </div>`;
  const field = (name: keyof SearchForm, type: string): Html =>
    html`<div>
      <label for="${name}">${words.fields[name as keyof typeof words.fields]}</label>
      <input
        id="${name}"
        name="${name}"
        type="${type}"
        value="${typed[name] ?? ''}"
        maxlength="200"
        autocomplete="off"
        ${atFault(problems, name)}
      />
    </div>`;
  return html`<form class="card" method="post" action="${messagesPath}" role="search">
    ${view.hidden()}
    <div class="two">
      ${typedFields.map((name) => field(name, 'text'))}
      ${choose(
        'channel',
        words.channel,
        view.channels.map(({ name }) => [name, name]),
      )}
      ${choose(
        'state',
        channels.state,
        messageStates.map((state) => [state, channels.states[state]]),
      )}
      ${times.map((name) => field(name, 'datetime-local'))}
    </div>
    <div class="actions"><button class="primary">${words.search}</button></div>
  </form>`;
}

/** The next page is a form too: what was looked for is in no address. */
const olderForm = (view: View, typed: SearchForm, cursor: string): Html =>
  html`<form method="post" action="${messagesPath}">
    ${view.hidden()}${Object.entries({ ...typed, cursor }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <div class="actions"><button>${view.words.applications.older}</button></div>
  </form>`;

/** `decode`: what bytes say to a person. */
export function messagePage(
  view: View,
  channel: Channel,
  message: ShownMessage,
  decode: (bytes: Uint8Array) => string,
): RawOutput {
  const { messages: words, channels, application } = view.words;
  const { id, direction, state, at, key, format, content, answer } = message;
  const canRetry = direction === 'out' || (content !== undefined && (state === 'refused' || state === 'waiting'));
  const isStuck = state === 'refused' || state === 'waiting';
  return frame(view, {
    title: words.one,
    content: html`${back(messagesPath, words.title)}
      <h1>${words.one}</h1>
      <section class="card" aria-labelledby="facts">
        <h2 id="facts">${application.facts}</h2>
        <dl>
          ${fact(words.channel, html`<a href="${channelPath(channel.id)}">${channel.name}</a>`)}
          ${fact(channels.state, channels.states[state])}${fact(view.words.webhook.time, timeIn(view.words, at))}
          ${key !== null && fact(words.fields.control_id, html`<code>${key}</code>`)}
          ${format !== undefined && fact(words.format, html`<code>${format}</code>`)}
        </dl>
        ${renderReason(view, message)}
        <div class="actions">
          ${
            canRetry &&
            html`<form class="inline" method="post" action="${messagePath(id, 'retry')}">
              ${view.hidden()}<button class="primary">
                ${direction === 'in' ? channels.retry : view.words.webhook.resend}
              </button>
            </form>`
          }
          ${content !== undefined && html`<a href="${messagePath(id, 'content')}" download>${words.download}</a>`}
          ${isStuck && html`<a href="${channelPath(channel.id, id, 'drop')}">${channels.drop}</a>`}
        </div>
        ${
          direction === 'in' &&
          message.error?.code === 'PATIENT_MISMATCH' &&
          html`<form method="post" action="${messagePath(id, 'retry')}">
            ${view.hidden()}<input type="hidden" name="accept" value="yes" />
            <p class="hint">${words.acceptText}</p>
            <div class="actions"><button>${words.accept}</button></div>
          </form>`
        }
      </section>
      <div class="pair">
        <section class="card" aria-labelledby="raw">
          <h2 id="raw">${direction === 'in' ? words.received : words.sent}</h2>
          ${content === undefined ? html`<p class="empty">${words.notKept}</p>` : html`<pre tabindex="0">${shownText(decode(Buffer.from(content, 'base64')))}</pre>`}
          ${
            answer !== undefined &&
            html`<h2>${words.answer}</h2>
              <pre tabindex="0">${shownText(decode(Buffer.from(answer, 'latin1')))}</pre>`
          }
        </section>
        ${message.reading !== undefined && readCard(view, message.reading)}
      </div>`,
  });
}

function readCard(view: View, { exams, patients, problems, warnings }: NonNullable<ShownMessage['reading']>): Html {
  const { messages: words } = view.words;
  const card = (title: string, facts: Readonly<Record<string, unknown>>): Html =>
    html`<h3>${title}</h3>
      <dl>${Object.entries(facts).map(([name, value]) => fact(name, String(value)))}</dl>`;
  const notes = [...problems.map(({ message }) => message), ...warnings];
  return html`<section class="card" aria-labelledby="read">
    <h2 id="read">${words.read}</h2>
    ${notes.map((note) => html`<p class="faint" lang="en">${note}</p>`)}
    ${exams.map((exam, at) => card(`${words.exam} ${at + 1}`, exam))}
    ${patients.map((patient, at) => card(`${words.fields.patient_id} ${at + 1}`, patient))}
  </section>`;
}

/** Most characters of a message that a page shows; a download has all. */
const maxShown = 100_000;

/** With a line for each segment of HL7. */
const shownText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\v\f\x0e-\x1f]/g, '·')
    .slice(0, maxShown);
