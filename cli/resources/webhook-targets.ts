/** `--forward-to`: the addresses of receivers that get events, one for all or one per type. */
import { AppError } from '../../src/contract/errors.ts';
import { eventTypeNames } from '../../src/contract/events.ts';
import type { EventType } from '../../src/contract/events.ts';
import type { ForwardResult } from '../../src/node/http/webhook-forwarder.ts';
import { shownLine } from '../../src/domain/characters.ts';
import { list } from '../command.ts';
import type { Io } from '../shell/io.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

export const forwardOption = {
  forwardTo: list('Forward events to this address, or those of one type with TYPE=URL; repeatable', {
    placeholder: '[TYPE=]URL',
  }),
};

export const eventOption = {
  event: list(`Only these: ${eventTypeNames.join(', ')}`, { placeholder: 'TYPE' }),
};

export interface WebhookTargets {
  /** For people, without what may be secret. */
  readonly shown: readonly string[];
  /** The address for events of that type; `undefined`: they are not forwarded. */
  choose(type: EventType): string | undefined;
}

/** `undefined` without addresses. USAGE for an unknown type, an unusable address, or two for one type. */
export function parseTargets(typed: readonly string[]): WebhookTargets | undefined {
  if (typed.length === 0) return undefined;
  const addresses = new Map<EventType | undefined, URL>();
  for (const word of typed) {
    const [type, address] = splitTarget(word);
    if (addresses.has(type)) {
      throw new AppError('USAGE', { message: `--forward-to names two addresses for ${type ?? 'all events'}.` });
    }
    addresses.set(type, parseReceiver(address));
  }
  return {
    shown: Array.from(
      addresses,
      ([type, { origin, pathname }]) =>
        `${type ?? (addresses.size === 1 ? 'all events' : 'all others')} to ${origin}${pathname}`,
    ),
    choose: (type) => (addresses.get(type) ?? addresses.get(undefined))?.href,
  };
}

function splitTarget(word: string): [type: EventType | undefined, address: string] {
  const [, typed, address = ''] = /^([a-z_.]+)=(.*)$/s.exec(word) ?? [];
  if (typed === undefined) return [undefined, word];
  return [parseEventType(typed), address];
}

/** USAGE for an unknown type. */
export function parseEventType(typed: string): EventType {
  const type = eventTypeNames.find((known) => known === typed);
  if (type) return type;
  throw unknownWord(`${typed} is not an event.`, typed, eventTypeNames, `Events are ${eventTypeNames.join(', ')}.`);
}

/** The receiver belongs to the developer: loopback and private addresses are normal. */
function parseReceiver(address: string): URL {
  const url = URL.parse(address);
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  throw new AppError('USAGE', {
    message: '--forward-to takes an http or https address, without a user name.',
    hint: 'For example --forward-to http://127.0.0.1:3000/events, or --forward-to webhook.test=http://127.0.0.1:3000/test',
  });
}

export const isTaken = ({ http_status: status }: ForwardResult): boolean =>
  status !== null && status >= 200 && status < 300;

/** The receiver's answer on a line; `next` says what follows a refusal. */
export function answerLine(io: Io, answer: ForwardResult, next = ''): string {
  const { http_status: status, error, duration_ms } = answer;
  const words = status === null ? `no answer after ${duration_ms} ms` : `${status} in ${duration_ms} ms`;
  if (isTaken(answer)) return `your receiver  ${io.paint(words, 'good')}`;
  return `your receiver  ${io.paint(words, 'bad')}${shownLine(error === null ? '' : `  ${error}`)}${next && `  ${next}`}`;
}
