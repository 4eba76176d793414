/** The message pages of the portal, and the actions of their forms. Each look is a call of the API, which the audit trail has. */
import { messageStates } from '../../../src/contract/channel-message.ts';
import type { MessageQuery } from '../../../src/contract/channel-message.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { messagePath, messagesPath } from './channel-problems.ts';
import { messageListPage, messagePage } from './message-pages.ts';
import type { SearchForm } from './message-pages.ts';
import { problemsIn } from './problems.ts';
import { goTo } from './visit.ts';
import type { Page, Visit } from './visit.ts';

const pageSize = 50;
const fields = [
  'channel',
  'state',
  'patient_id',
  'accession_number',
  'control_id',
  'since',
  'until',
  'cursor',
] as const;

const nothing = { items: [], next: null };

const contentOf = async ({ api, message }: Visit) =>
  (await api.channels.message({ params: { id: message }, query: { content: true } })).data;

/** Pages without effects, by path. */
export const messagePages: Readonly<Record<string, Page>> = {
  [messagesPath]: async (visit) => search(visit, {}),
  [`${messagesPath}/:message`]: async (visit) => {
    const message = await contentOf(visit);
    const { data } = await visit.api.channels.get({ params: { channel: message.channel_id } });
    const { decodeContent } = await import('../../../src/files/worklist/hl7/decode.ts');
    return messagePage(visit, data, message, decodeContent);
  },
  [`${messagesPath}/:message/content`]: async (visit) => {
    const { id, content } = await contentOf(visit);
    if (content === undefined) throw new AppError('NOT_FOUND', { message: 'The bytes are not kept.' });
    return {
      status: 200,
      headers: {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${id}"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      },
      body: Buffer.from(content, 'base64'),
    };
  },
};

/** Actions of forms, by path. The search is one, since addresses hold no patient data. */
export const messageForms: Readonly<Record<string, Page>> = {
  [messagesPath]: (visit) => {
    const typed = fields.flatMap((name) => {
      const value = visit.form.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value] as const];
    });
    return search(visit, Object.fromEntries(typed));
  },
  [`${messagesPath}/retry`]: async (visit) => {
    const ids = visit.form.getAll('id');
    if (ids.length === 0) return goTo(visit, messagesPath);
    const { retried, refused } = (await visit.api.channels.retrySome({ body: { ids } })).data;
    return goTo(visit, messagesPath, { notice: visit.words.channels.retried(retried, refused) });
  },
  [`${messagesPath}/:message/retry`]: async (visit) => {
    const { api, message, form, words } = visit;
    const path = messagePath(message);
    const query = form.get('accept') === 'yes' ? { accept_patient_change: true } : {};
    try {
      const { state } = (await api.channels.retry({ params: { id: message }, query })).data;
      return goTo(visit, path, { notice: words.channels.after[state] });
    } catch (error) {
      // Another person, or the next attempt, was faster.
      if (error instanceof AppError && error.code === 'INVALID_TRANSITION')
        return goTo(visit, path, { notice: words.channels.late });
      throw error;
    }
  },
};

async function search(visit: Visit, typed: SearchForm) {
  const { cursor, state, since, until, ...exact } = typed;
  const { cursor: _, ...shown } = typed;
  const known = messageStates.find((each) => each === state);
  const body: MessageQuery = {
    ...exact,
    limit: pageSize,
    ...(known && { state: [known] }),
    ...(since !== undefined && { since: toInstant(since) }),
    ...(until !== undefined && { until: toInstant(until) }),
    ...(cursor !== undefined && { cursor }),
  };
  try {
    const { items, next_cursor: next } = (await visit.api.channels.search({ body })).data;
    return messageListPage(visit, shown, { items, next });
  } catch (error) {
    return messageListPage(visit, shown, nothing, problemsIn(error, visit.words));
  }
}

/** A time of the form is one of the server's zone; what is none is left for the API to refuse. */
function toInstant(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
}
