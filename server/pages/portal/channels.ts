/** The channel pages of the portal, and the actions of their forms. */
import { AppError } from '../../../src/contract/errors.ts';
import { channelListPage, channelPage, dropPage } from './channel-pages.ts';
import { channelsPath, channelPath } from './channel-problems.ts';
import { goTo } from './visit.ts';
import type { Page, Visit } from './visit.ts';

const pageSize = 50;

const readTurn = ({ query }: Visit) => {
  const cursor = query.get('cursor');
  return { isFirst: cursor === null, paging: cursor === null ? {} : { cursor } };
};

const channelOf = async ({ api, id }: Visit) => (await api.channels.get({ params: { channel: id } })).data;
const messageOf = async ({ api, message }: Visit) => (await api.channels.message({ params: { id: message } })).data;

/** Pages without effects, by path. */
export const channelPages: Readonly<Record<string, Page>> = {
  [channelsPath]: async (visit) => {
    const { isFirst, paging } = readTurn(visit);
    const { items, next_cursor: next } = (await visit.api.channels.list({ query: paging })).data;
    return channelListPage(visit, items, { isFirst, next });
  },
  [`${channelsPath}/:id`]: async (visit) => {
    const { isFirst, paging } = readTurn(visit);
    const query = { ...paging, limit: pageSize, state: ['refused', 'waiting'] as ('refused' | 'waiting')[] };
    const [channel, { data }] = await Promise.all([
      channelOf(visit),
      visit.api.channels.queue({ params: { channel: visit.id }, query }),
    ]);
    return channelPage(visit, channel, data.items, { isFirst, next: data.next_cursor });
  },
  [`${channelsPath}/:id/:message/drop`]: async (visit) => {
    const [channel, message] = await Promise.all([channelOf(visit), messageOf(visit)]);
    return dropPage(visit, channel, message);
  },
};

/** Actions of forms, by path. */
export const channelForms: Readonly<Record<string, Page>> = {
  [`${channelsPath}/:id/retry`]: (visit) =>
    onChannel(visit, async ({ api, id, words }) => {
      const { retried, refused } = (await api.channels.retryAll({ params: { channel: id } })).data;
      return words.channels.retried(retried, refused);
    }),
  [`${channelsPath}/:id/:message/retry`]: (visit) =>
    onChannel(visit, async ({ api, message, words }) => {
      const { state } = (await api.channels.retry({ params: { id: message } })).data;
      return words.channels.after[state];
    }),
  [`${channelsPath}/:id/:message/drop`]: (visit) =>
    onChannel(visit, async ({ api, message, words }) => {
      const { state } = (await api.channels.drop({ params: { id: message } })).data;
      return words.channels.after[state];
    }),
};

/** Runs the action and returns to the channel's page, which shows the result. */
async function onChannel(visit: Visit, act: (visit: Visit) => Promise<string>) {
  const path = channelPath(visit.id);
  try {
    return goTo(visit, path, { notice: await act(visit) });
  } catch (error) {
    // Another person, or the next attempt, was faster.
    if (error instanceof AppError && error.code === 'INVALID_TRANSITION')
      return goTo(visit, path, { notice: visit.words.channels.late });
    throw error;
  }
}
