/** Lists that the operator sets. Each is read when a view first needs it, and again at a login and when the service is back. */
import { effect, signal } from '@preact/signals';
import type { Letterhead } from '../../../src/contract/letterhead.ts';
import type { Viewer } from '../../../src/contract/viewer.ts';
import { bridge, login } from './bridge.ts';
import { isOnline } from './session.ts';

export const letterheads = signal<readonly Letterhead[]>([]);
export const viewers = signal<readonly Viewer[]>([]);

/** Reads a list from now on. The app answers with the last one while the service is away. */
const follow = (read: () => Promise<void>): (() => void) => {
  let isFollowed = false;
  return () => {
    if (isFollowed) return;
    isFollowed = true;
    let isRead = false;
    effect(() => {
      const isThere = login.value.desk !== null;
      const isNews = isOnline.value || !isRead;
      isRead = isThere;
      if (isThere && isNews) read().catch(() => undefined);
    });
  };
};

export const followLetterheads = follow(async () => {
  letterheads.value = (await bridge().call('letterheads.list', {})).items;
});
export const followViewers = follow(async () => {
  viewers.value = (await bridge().call('viewers.list', {})).items;
});
