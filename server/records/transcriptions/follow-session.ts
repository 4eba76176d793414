/** Sends the words of a transcription as server-sent events while they are recognised. */
import type { TranscriptionEvent } from '../../../src/contract/transcription.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { elementAt } from '../../../src/domain/elements.ts';
import { comment, eventText } from '../../../src/client/events/server-sent-events.ts';
import { toPhrase } from './stored-transcription.ts';
import type { LiveState } from './transcriber.ts';

const heartbeatMs = 15_000;

/** Events after phrase `seen`, until the end or until the signal is aborted. `machine`: the clock of heartbeats. */
export async function* followSession(
  machine: Pick<Clock, 'now' | 'schedule'>,
  state: LiveState,
  seen: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { phrases, bell, closing } = state;
  const either = AbortSignal.any([signal, closing]);
  let sent = Math.min(seen, phrases.length);
  let shown = '';
  let failed = false;
  yield Buffer.from(comment);
  while (!either.aborted) {
    const events: TranscriptionEvent[] = [];
    for (; sent < phrases.length; sent++, shown = '')
      events.push({ type: 'final', phrase: toPhrase(elementAt(phrases, sent)) });
    if (state.partial !== shown) events.push({ type: 'partial', text: (shown = state.partial) });
    if (state.stored.error && !failed) events.push({ type: 'failed' });
    failed = state.stored.error !== null;
    const isOver = state.stored.status === 'ended';
    if (isOver) events.push({ type: 'ended' });
    if (events.length > 0) yield Buffer.from(events.map(textOf).join(''));
    if (isOver) return;
    if (events.length > 0) continue;
    const beat = new AbortController();
    const calm = machine.schedule(machine.now() + heartbeatMs, () => beat.abort());
    await bell.rung(AbortSignal.any([either, beat.signal]));
    calm();
    if (beat.signal.aborted) yield Buffer.from(comment);
  }
}

const textOf = (event: TranscriptionEvent): string =>
  eventText({
    name: event.type,
    ...(event.type === 'final' && { id: String(event.phrase.n) }),
    data: event,
  });
