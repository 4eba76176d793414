/** The pages of channels: list, pending and refused messages with their reasons, and dropping. */
import type { Message } from '../../../src/contract/channel-message.ts';
import type { Channel } from '../../../src/contract/channel.ts';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { joinSentences } from '../../../src/domain/join-sentences.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';
import { back, fact, frame, timeIn } from './parts.ts';
import type { View } from './parts.ts';
import { channelsPath, channelPath, messagePath } from './channel-problems.ts';

export interface PageTurn {
  readonly next: string | null;
  readonly isFirst: boolean;
}

const turnLinks = (view: View, path: string, { next, isFirst }: PageTurn): Html =>
  html`<p class="actions">
    ${!isFirst && html`<a href="${path}">${view.words.applications.first}</a>`}
    ${next !== null && html`<a href="${path}?${String(new URLSearchParams({ cursor: next }))}">${view.words.applications.older}</a>`}
  </p>`;

export function channelListPage(view: View, channels: readonly Channel[], turn: PageTurn): RawOutput {
  const { channels: words } = view.words;
  const row = (channel: Channel): Html =>
    html`<tr>
      <td><a href="${channelPath(channel.id)}">${channel.name}</a></td>
      <td class="spare"><code>${channel.kind}</code></td>
      <td>${words.statuses[channel.state.status]}</td>
      <td class="number">${channel.counts.waiting}</td>
      <td class="number">${channel.counts.refused}</td>
    </tr>`;
  return frame(view, {
    title: words.title,
    content: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="${words.title}">
        ${
          channels.length === 0
            ? html`<p class="empty">${words.none}</p>`
            : html`<table>
                <thead>
                  <tr>
                    <th scope="col">${view.words.applications.name}</th>
                    <th scope="col" class="spare">${view.words.applications.kind}</th>
                    <th scope="col">${words.state}</th>
                    <th scope="col" class="number">${words.states.waiting}</th>
                    <th scope="col" class="number">${words.states.refused}</th>
                  </tr>
                </thead>
                <tbody>
                  ${channels.map(row)}
                </tbody>
              </table>`
        }
      </div>
      ${turnLinks(view, channelsPath, turn)}`,
  });
}

/** `messages`: those waiting or refused. */
export function channelPage(view: View, channel: Channel, messages: readonly Message[], turn: PageTurn): RawOutput {
  const { channels: words, applications } = view.words;
  const { id, name, state, counts, direction } = channel;
  return frame(view, {
    title: name,
    content: html`${back(channelsPath, words.all)}
      <h1>${name}</h1>
      <section class="card" aria-labelledby="facts">
        <h2 id="facts">${view.words.application.facts}</h2>
        <dl>
          ${fact(applications.kind, html`<code>${channel.kind}</code>`)}${fact(words.state, words.statuses[state.status])}
          ${state.address !== null && fact(words.address, html`<code>${state.address}</code>`)}
          ${state.error !== null && fact(words.reason, html`<span lang="en">${state.error}</span>`)}
          ${channel.certificates.map(({ setting, until, days_left: days }) =>
            fact(
              words.certificate,
              html`<code>${setting}</code> ${timeIn(view.words, until)}, ${words.daysLeft(days)}`,
            ),
          )}
          ${fact(view.words.application.space, channel.space)}
        </dl>
      </section>
      <section class="card" aria-labelledby="undone">
        <h2 id="undone">${words.undone}</h2>
        ${
          messages.length > 0 &&
          html`<p class="lead">${words.advice[direction]}</p>
            ${
              counts.refused > 0 &&
              html`<form method="post" action="${channelPath(id, 'retry')}">
                ${view.hidden()}<button class="primary">${words.retryAll}</button>
              </form>`
            }`
        }
        ${
          messages.length === 0
            ? html`<p class="empty">${words.nothing}</p>`
            : html`<ul class="undone">
                ${messages.map((message) => renderMessage(view, message))}
              </ul>`
        }
      </section>
      ${turnLinks(view, channelPath(id), turn)}`,
  });
}

function renderMessage(view: View, message: Message): Html {
  const { channels: words } = view.words;
  const time = timeIn(view.words, message.at);
  const path = (act: string): string => channelPath(message.channel_id, message.id, act);
  return html`<li>
    <p><strong>${words.states[message.state]}</strong> · <a href="${messagePath(message.id)}">${time}</a></p>
    ${renderReason(view, message)}
    <div class="actions">
      <form class="inline" method="post" action="${path('retry')}">
        ${view.hidden()}<button aria-label="${words.retry}: ${time}">${words.retry}</button>
      </form>
      <a href="${path('drop')}" aria-label="${words.drop}: ${time}">${words.drop}</a>
    </div>
  </li>`;
}

/** Why the message is not done, and its ids. Reasons are in English, as everywhere on the server. */
export function renderReason(
  view: View,
  { id, error, attempts, next_attempt_at: next, record_id: record }: Message,
): Html {
  const { channels: words, webhook } = view.words;
  return html`${
      error !== null &&
      html`<p lang="en">
        ${joinSentences([error.message, error.hint])}
        <code>${error.code}</code>${error.place !== undefined && html` <code>${error.place}</code>`}
      </p>`
    }
    <p class="faint">
      ${attempts !== undefined && `${webhook.tries}: ${attempts}`}${typeof next === 'string' && attempts !== 0 && ` · ${webhook.next(timeIn(view.words, next))}`}
    </p>
    <p class="faint">
      ${words.message} <code>${id}</code>${record !== undefined && html` · ${words.document} <code>${record}</code>`}
    </p>`;
}

export function dropPage(view: View, { name }: Channel, message: Message): RawOutput {
  const { channels: words, application } = view.words;
  const path = channelPath(message.channel_id);
  return frame(view, {
    title: words.dropTitle,
    content: html`${back(path, name)}
      <h1>${words.dropTitle}</h1>
      <p class="lead">${words.dropText[message.direction]}</p>
      <section class="card undone">${renderReason(view, message)}</section>
      <form method="post" action="${channelPath(message.channel_id, message.id, 'drop')}">
        ${view.hidden()}
        <div class="actions">
          <button class="primary">${words.drop}</button><a href="${path}">${application.cancel}</a>
        </div>
      </form>`,
  });
}
