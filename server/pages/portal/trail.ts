/** The page of the audit trail: who saw or changed what, for an auditor who has no terminal. */
import type { AuditEntry } from '../../../src/contract/audit.ts';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';
import { trailPath } from './channel-problems.ts';
import { frame, timeIn } from './parts.ts';
import type { View } from './parts.ts';
import type { Page } from './visit.ts';

/** Maximum of users whose names are read. The others have their ids. */
const maxNames = 200;

/** Pages without effects, by path. */
export const trailPages: Readonly<Record<string, Page>> = {
  [trailPath]: async (visit) => {
    const before = Number(visit.query.get('before'));
    const isLater = Number.isSafeInteger(before) && before > 0;
    const [{ data }, users] = await Promise.all([
      visit.api.audit.list({ query: isLater ? { before } : {} }),
      visit.api.users.list({ query: { limit: maxNames } }),
    ]);
    const names = new Map(users.data.items.map(({ id, display_name }) => [id, display_name]));
    return trailPage(visit, data.items, names, data.next_before);
  },
};

function trailPage(
  view: View,
  entries: readonly AuditEntry[],
  names: ReadonlyMap<string, string>,
  next: number | null,
): RawOutput {
  const { trail: words, applications, webhook } = view.words;
  return frame(view, {
    title: words.title,
    content: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="${words.title}">
        <table>
          <thead>
            <tr>
              <th scope="col">${webhook.time}</th>
              <th scope="col">${words.who}</th>
              <th scope="col">${words.action}</th>
              <th scope="col" class="spare">${words.about}</th>
              <th scope="col">${words.outcome}</th>
              <th scope="col" class="spare">${words.address}</th>
            </tr>
          </thead>
          <tbody>
            ${entries.map((entry) => renderEntry(view, entry, names))}
          </tbody>
        </table>
      </div>
      ${next !== null && html`<p><a href="${trailPath}?${new URLSearchParams({ before: String(next) }).toString()}">${applications.older}</a></p>`}`,
  });
}

function renderEntry({ words }: View, entry: AuditEntry, names: ReadonlyMap<string, string>): Html {
  const { at, by, user_id: user, client_id: client, action, kind, ids, outcome, count, address } = entry;
  const { trail } = words;
  const who = user === null ? (client ?? trail.by[by]) : (names.get(user) ?? user);
  return html`<tr>
    <td>${timeIn(words, at)}</td>
    <td>${who}</td>
    <td><code>${action}</code></td>
    <td class="spare">${[kind, ...ids].join(' ')}</td>
    <td>${trail.outcomes[outcome]}${count !== undefined && html` × ${String(count)}`}</td>
    <td class="spare">${address ?? ''}</td>
  </tr>`;
}
