/** Problems of channels that must not be overlooked: every page of the portal has a line for each. */
import type { Channel } from '../../../src/contract/channel.ts';
import { endingSoon } from '../../../src/domain/certificate-ending.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';
import type { PortalWords } from './words.ts';

export const channelsPath = '/portal/channels';
export const channelPath = (...parts: readonly string[]): string =>
  [channelsPath, ...parts.map(encodeURIComponent)].join('/');

export const messagesPath = '/portal/messages';
export const messagePath = (...parts: readonly string[]): string =>
  [messagesPath, ...parts.map(encodeURIComponent)].join('/');

export const trailPath = '/portal/trail';

export const patientsPath = '/portal/patients';
export const patientPath = (...parts: readonly string[]): string =>
  [patientsPath, ...parts.map(encodeURIComponent)].join('/');

/** Waiting messages are no problem while the receiver answers. */
function listProblems(
  { channels: words }: PortalWords,
  { name, direction, state, counts, certificates }: Channel,
): string[] {
  const isFailed = state.status === 'failed';
  const hasProblem = state.status === 'open' && state.error !== null;
  const isStuck = (isFailed || hasProblem) && counts.waiting > 0;
  return [
    ...(counts.refused > 0 ? [words.refusedLine[direction](counts.refused, name)] : []),
    ...(isStuck ? [words.waitingLine(counts.waiting, name)] : []),
    ...(isFailed ? [words.failedLine(name)] : []),
    // For outbound channels, waiting and refused messages already have lines.
    ...(hasProblem && direction === 'in' ? [words.problemLine(name)] : []),
    ...certificates.filter(endingSoon).map(({ days_left: days }) => words.endingLine(days, name)),
  ];
}

/** `false`: there are no problems. */
export function renderProblems(words: PortalWords, channels: readonly Channel[]): Html | false {
  const lines = channels.flatMap((channel) =>
    listProblems(words, channel).map((text) => html`<li><a href="${channelPath(channel.id)}">${text}</a></li>`),
  );
  return (
    lines.length > 0 &&
    html`<ul class="trouble" aria-label="${words.channels.trouble}">
      ${lines}
    </ul>`
  );
}
