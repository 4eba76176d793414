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
  readonly name: EventName;
  readonly event: CastEvent;
  /** Nothing newer was opened since. */
  readonly isNewest: boolean;
}

export interface Questions {
  ask(kind: CastNews['kind'], name: EventName, notification: Pick<Notification, 'id' | 'event'>): void;
  /** The question that gets its answer; `undefined`: it has one. */
  settle(id: string): Question | undefined;
  clear(): void;
}

/** `onSilence`: no page is there. */
export function createQuestions(
  { clock, emit }: { readonly clock: Clock } & Pick<ServiceDeps, 'emit'>,
  onSilence: (id: string) => void,
): Questions {
  const waiting = new Map<string, Omit<Question, 'isNewest'> & { readonly stop: () => void }>();
  let newest: string | undefined;
  return {
    ask(kind, name, { id, event }) {
      const exam = readExamLink(event);
      const stop = clock.schedule(clock.now() + patienceMs, () => {
        waiting.delete(id);
        onSilence(id);
      });
      waiting.set(id, { event, name, stop });
      if (kind === 'opened') newest = id;
      emit('cast', { kind, id, ...(exam && { exam }) });
    },
    settle(id) {
      const found = waiting.get(id);
      if (!found) return undefined;
      found.stop();
      waiting.delete(id);
      return { name: found.name, event: found.event, isNewest: newest === id };
    },
    clear() {
      for (const { stop } of waiting.values()) stop();
      waiting.clear();
    },
  };
}
