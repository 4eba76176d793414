/** Asks the pages to follow another application, and waits for the first answer. */
import type { Clock } from '../../../src/domain/clock.ts';
import type { EventName } from '../../../src/protocols/fhircast/events.ts';
import { readExamLink } from '../../../src/protocols/fhircast/exam-context.ts';
import type { CastEvent, Notification } from '../../../src/protocols/fhircast/messages.ts';
import type { CastNews } from '../../bridge/hub.ts';
import type { ServiceDeps } from '../service.ts';

/** The hub waits 10 s for an answer. */
const patienceMs = 5000;

export interface Question {
  readonly kind: CastNews['kind'];
  readonly name: EventName;
  readonly event: CastEvent;
  /** Nothing newer was opened since. */
  readonly isNewest: boolean;
}

export interface Questions {
  /** `itemId`: the exam that was closed. */
  ask(kind: CastNews['kind'], name: EventName, notification: Pick<Notification, 'id' | 'event'>, itemId?: string): void;
  /** The question that gets its answer; `undefined`: it has one. */
  settle(id: string): Question | undefined;
  clear(): void;
}

/** `onSilence`: no page is there, or none that answers in time. */
export function createQuestions(
  { clock, emit }: { readonly clock: Clock } & Pick<ServiceDeps, 'emit'>,
  onSilence: (id: string, name: EventName) => void,
): Questions {
  const waiting = new Map<string, Omit<Question, 'isNewest'> & { readonly stop: () => void }>();
  let newest: string | undefined;
  return {
    ask(kind, name, { id, event }, itemId) {
      const exam = readExamLink(event);
      const stop = clock.schedule(clock.now() + patienceMs, () => {
        waiting.delete(id);
        onSilence(id, name);
      });
      waiting.set(id, { kind, event, name, stop });
      if (kind === 'opened') newest = id;
      emit('cast', { kind, id, ...(exam && { exam }), ...(itemId !== undefined && { item_id: itemId }) });
    },
    settle(id) {
      const found = waiting.get(id);
      if (!found) return undefined;
      found.stop();
      waiting.delete(id);
      const { kind, name, event } = found;
      return { kind, name, event, isNewest: newest === id };
    },
    clear() {
      for (const { stop } of waiting.values()) stop();
      waiting.clear();
    },
  };
}
