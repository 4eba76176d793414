/** A topic against a model: whatever applications send, in whatever order, the context and its content are those of what was taken. */
import { expect, test } from 'vitest';
import { CastRefusal } from '../../../src/protocols/fhircast/messages.ts';
import type { Notification } from '../../../src/protocols/fhircast/messages.ts';
import { createTopic } from '../../../src/protocols/fhircast/topic.ts';
import type { Topic } from '../../../src/protocols/fhircast/topic.ts';
import * as fc from '../../support/properties.ts';

const counting = (prefix: string): (() => string) => {
  let count = 0;
  return () => `${prefix}${(count += 1)}`;
};

const part = (key: string, resourceType: string, id: string) => ({ key, resource: { resourceType, id } });

interface Step {
  readonly kind: 'open' | 'close' | 'put' | 'delete' | 'stale' | 'again';
  readonly report: string;
  readonly resource: string;
}
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('open', 'open', 'close', 'put', 'put', 'delete', 'stale', 'again'),
  report: fc.constantFrom('r1', 'r2'),
  resource: fc.constantFrom('o1', 'o2', 'o3'),
});

const contentOf = (topic: Topic): string[] => {
  const { context } = topic.current(() => true);
  const bundle = context.find(({ key }) => key === 'content')?.resource;
  const entries = (bundle?.['entry'] ?? []) as { readonly resource: { readonly id: string } }[];
  return entries.map(({ resource }) => resource.id).toSorted();
};

function take(topic: Topic, notification: Notification): Notification | 'refused' | undefined {
  try {
    return topic.take(notification);
  } catch (error) {
    if (error instanceof CastRefusal) return 'refused';
    throw error;
  }
}

test('the current context, its version and its content follow from what was taken, and a refusal changes nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const topic = createTopic({ name: 't', uuid: counting('v') });
      const id = counting('e');
      const model = new Map<string, { version: string; content: Set<string> }>();
      let current: string | undefined;
      let last: Notification | undefined;
      for (const { kind, report, resource } of steps) {
        const before = { ...topic.current(() => true), context: contentOf(topic) };
        if (kind === 'again') {
          if (last) expect(take(topic, last)).toBeUndefined();
          expect({ ...topic.current(() => true), context: contentOf(topic) }).toEqual(before);
          continue;
        }
        const verb = kind === 'open' || kind === 'close' ? kind : 'update';
        const held = model.get(report);
        const method = kind === 'delete' ? 'DELETE' : 'PUT';
        const entry = [
          {
            fullUrl: `Observation/${resource}`,
            request: { method },
            resource: { resourceType: 'Observation', id: resource },
          },
        ];
        const context =
          verb === 'update'
            ? [
                { key: 'report', reference: { reference: `DiagnosticReport/${report}` } },
                { key: 'updates', resource: { resourceType: 'Bundle', entry } },
              ]
            : [part('report', 'DiagnosticReport', report), part('patient', 'Patient', `p-${report}`)];
        const version = kind === 'stale' ? 'of-before' : (held?.version ?? 'none');
        const notification: Notification = {
          id: id(),
          timestamp: '2026-03-02T11:30:00.000Z',
          event: {
            'hub.topic': 't',
            'hub.event': `DiagnosticReport-${verb}`,
            ...(verb === 'update' && { 'context.versionId': version }),
            context,
          },
        };
        const taken = take(topic, notification);
        const isUpdatable = held !== undefined && current === report && kind !== 'stale';
        if (verb === 'update' && !isUpdatable) {
          expect(taken).toBe('refused');
          expect({ ...topic.current(() => true), context: contentOf(topic) }).toEqual(before);
          continue;
        }
        if (taken === 'refused' || taken === undefined) throw new Error('refused');
        last = notification;
        const { event } = taken;
        if (kind === 'open') {
          model.set(report, { version: event['context.versionId'] ?? '', content: held?.content ?? new Set() });
          current = report;
        } else if (kind === 'close') {
          model.delete(report);
          if (current === report) current = undefined;
        } else if (held) {
          expect(event['context.priorVersionId']).toBe(held.version);
          held.version = event['context.versionId'] ?? '';
          if (kind === 'delete') held.content.delete(resource);
          else held.content.add(resource);
        }
        const now = current === undefined ? undefined : model.get(current);
        expect(topic.current(() => true)['context.versionId']).toBe(now?.version ?? '');
        expect(contentOf(topic)).toEqual([...(now?.content ?? [])].toSorted());
      }
      const opened = topic.missed().map(({ event }) => event['hub.event']);
      expect(opened).toEqual(model.size > 0 ? ['DiagnosticReport-open'] : []);
    }),
    { numRuns: 60 },
  );
});
