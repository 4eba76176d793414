/** The operator's calls for the most recent calls of the server. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { inspector } from '../../src/contract/inspector.ts';
import type { InspectedCall, InspectedMessages } from '../../src/contract/inspector.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createEventReader } from '../../src/client/events/event-reader.ts';
import { comment, eventStreamHeaders, eventText } from '../../src/client/events/server-sent-events.ts';
import type { Call } from '../http/call.ts';
import type { Inspector } from '../qa/inspector/inspector.ts';

const textOf = (call: InspectedCall): Buffer =>
  Buffer.from(eventText({ name: 'request', id: String(call.number), data: call }));

export function inspectorRoutes(inspected: Inspector, clock: Clock): Handlers<typeof inspector, Call> {
  const find = (number: number): InspectedMessages => {
    const call = inspected.get(number);
    if (call) return call;
    throw new AppError('NOT_FOUND', {
      message: 'The server no longer has a call with that number.',
      hint: 'laudio server requests lists the stored calls.',
    });
  };
  return {
    list: async ({ query }) => ({ status: 200, data: { items: inspected.list(query) } }),
    async events(_input, { header, signal }) {
      const lastSeen = header('last-event-id');
      const leave = inspected.follow((call) => reader.offer(textOf(call)));
      const reader = createEventReader(clock, leave);
      signal.addEventListener('abort', reader.end, { once: true });
      reader.offer(Buffer.from(comment));
      const missed = lastSeen === undefined ? [] : inspected.list({ after: Number(lastSeen) || 0, limit: Infinity });
      for (const call of missed.toReversed()) reader.offer(textOf(call));
      if (signal.aborted) reader.end();
      return { status: 200, headers: eventStreamHeaders, body: reader.stream };
    },
    show: async ({ params: { number } }) => ({ status: 200, data: find(number) }),
    async replay({ params: { number } }) {
      find(number);
      const made = await inspected.replay(number);
      if (made === undefined) {
        throw new AppError('INVALID_TRANSITION', {
          message: 'The server does not have the whole request, so it cannot repeat it.',
          hint: 'Only the most recent calls of test clients can be repeated, and only without audio.',
        });
      }
      return { status: 200, data: find(made) };
    },
  };
}
