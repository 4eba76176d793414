/** What must not be overlooked about channels: a line on every page of the portal for each thing that did not get through. */
import type { Channel } from '../../../src/contract/channel.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { PortalWords } from './words.ts';

export const channelsPath = '/portal/channels';
export const pathOfChannel = (...parts: readonly string[]): string =>
  [channelsPath, ...parts.map(encodeURIComponent)].join('/');

/** Messages that wait for a system that answers are no trouble: they are on their way. */
function troubleOf({ channels: words }: PortalWords, { name, direction, state, counts }: Channel): string[] {
  const isStuck = state.status === 'failed' || (state.status === 'open' && state.error !== null);
  return [
    ...(counts.refused > 0 ? [words.refusedLine[direction](counts.refused, name)] : []),
    ...(isStuck && counts.waiting > 0 ? [words.waitingLine(counts.waiting, name)] : []),
    ...(state.status === 'failed' && counts.waiting === 0 ? [words.failedLine(name)] : []),
  ];
}

/** Nothing where all is well. */
export function troubleNote(words: PortalWords, channels: readonly Channel[]): Html | false {
  const lines = channels.flatMap((channel) =>
    troubleOf(words, channel).map((text) => html`<li><a href="${pathOfChannel(channel.id)}">${text}</a></li>`),
  );
  return (
    lines.length > 0 &&
    html`<ul class="trouble" aria-label="${words.channels.trouble}">
      ${lines}
    </ul>`
  );
}
