/** A viewer at the FHIRcast hub, for the person who is logged in: opens exams, measures in them, and points at the measurements. */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../src/contract/errors.ts';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { itemsOf } from '../../src/client/pages.ts';
import { createBell } from '../../src/domain/bell.ts';
import { findLinkedExams } from '../../src/domain/exam-link.ts';
import { dialNetwork } from '../../src/node/http/web-socket.ts';
import type { EventName } from '../../src/protocols/fhircast/events.ts';
import { buildExamContext, readExamLink } from '../../src/protocols/fhircast/exam-context.ts';
import type { ContextPart, CurrentContext, Notification } from '../../src/protocols/fhircast/messages.ts';
import { hubPath } from '../../src/protocols/fhircast/place.ts';
import { readSyncError } from '../../src/protocols/fhircast/sync-error.ts';
import type { Context } from '../context.ts';
import type { SimulatedEvent, Simulator } from './simulator.ts';

const subscriber = 'Simulated viewer';
const patienceMs = 10_000;
const events = ['ImagingStudy-open', 'DiagnosticReport-open', 'DiagnosticReport-close', 'SyncError'] as const;

export const viewer: Simulator = {
  options: ['count'],
  faults: {
    refuse: 'the report is not followed: each of its events is answered with 409',
    unknown: 'a study that nobody knows is opened first',
  },
  async run(context, { count = 1, faults }) {
    const exams = await listExams(context, count);
    const heard: Notification[] = [];
    const bell = createBell();
    const hub = await joinHub(context, (notification) => {
      heard.push(notification);
      bell.ring();
      return faults.has('refuse') ? 409 : 200;
    });
    const all: SimulatedEvent[] = [];
    const note = (what: string, answer: string, isGood: boolean, more = ''): void =>
      void all.push({ number: all.length + 1, what, answer, isGood, more });
    /** The report that Laudio opens for the exam, or why it did not. */
    const waitFor = async (exam: Pick<WorklistItem, 'id'>, from: number): Promise<Notification | undefined> => {
      const late = AbortSignal.any([AbortSignal.timeout(patienceMs), context.signal]);
      while (!late.aborted) {
        const found = heard.slice(from).find(({ event }) => isAnswer(event, exam as WorklistItem));
        if (found) return found;
        await bell.rung(late);
      }
      return undefined;
    };
    const unknown = { id: 'unknown', patient_id: 'unknown', accession_number: 'UNKNOWN-0', accession_issuer: null };
    const none = { ...unknown, study_uid: null, metadata: {} } as unknown as WorklistItem;
    try {
      for (const exam of [...(faults.has('unknown') ? [none] : []), ...exams]) {
        if (context.signal.aborted) break;
        const from = heard.length;
        await hub.send(
          'ImagingStudy-open',
          buildExamContext(exam).filter(({ key }) => key !== 'report'),
        );
        const opened = await waitFor(exam, from);
        const failure = opened && readSyncError(opened.event);
        if (!opened || failure) {
          note('ImagingStudy-open', failure ? 'SyncError' : 'none', false, failure?.reason ?? 'No report was opened.');
          continue;
        }
        note('ImagingStudy-open', 'DiagnosticReport-open', true, exam.accession_number ?? '');
        const [part] = opened.event.context;
        const report = { reference: `DiagnosticReport/${part?.resource?.id ?? ''}` };
        await hub.send('DiagnosticReport-update', measure(report), opened.event['context.versionId']);
        note('DiagnosticReport-update', 'taken', true, '12.4 x 8.1 mm');
        await hub.send('DiagnosticReport-select', [
          { key: 'report', reference: report },
          { key: 'select', reference: { reference: `Observation/${observationId}` } },
        ]);
        note('DiagnosticReport-select', 'taken', true);
      }
    } finally {
      await hub.close();
    }
    return all;
  },
};

const observationId = 'simulated-1';

const measure = (report: { readonly reference: string }): ContextPart[] => [
  { key: 'report', reference: report },
  {
    key: 'updates',
    resource: {
      resourceType: 'Bundle',
      entry: [
        {
          request: { method: 'PUT' },
          resource: {
            resourceType: 'Observation',
            id: observationId,
            status: 'preliminary',
            code: { text: 'Size' },
            component: [12.4, 8.1].map((value) => ({
              code: { text: 'Axis' },
              valueQuantity: { value, unit: 'mm', system: 'http://unitsofmeasure.org', code: 'mm' },
            })),
          },
        },
      ],
    },
  },
];

/** Whether the event opens the report of the exam, or says that somebody did not follow. */
function isAnswer(event: Notification['event'], exam: WorklistItem): boolean {
  const failure = readSyncError(event);
  if (failure) return failure.subscriber !== subscriber;
  const link = event['hub.event'] === 'DiagnosticReport-open' ? readExamLink(event) : undefined;
  return link !== undefined && findLinkedExams([exam], link).kind === 'one';
}

async function listExams(context: Context, count: number): Promise<WorklistItem[]> {
  const { worklists } = await context.client();
  const exams: WorklistItem[] = [];
  for await (const item of itemsOf((paging) => worklists.list({ query: paging }, { signal: context.signal }))) {
    if (exams.length >= count) break;
    if (item.accession_number !== null || item.study_uid !== null) exams.push(item);
  }
  if (exams.length > 0) return exams;
  throw new AppError('USAGE', {
    message: 'The worklist has no exam with an accession number or a study UID.',
    hint: 'laudio worklist ingest sends some.',
  });
}

/** `hear`: gives the status of the answer to an event of another application. */
async function joinHub(context: Context, hear: (notification: Notification) => 200 | 409) {
  const { createHubClient } = await import('../../desktop/app/hub/hub-client.ts');
  const { client, server, newToken } = await context.session();
  const { topic } = (await client.oauth.validate()).data.hub ?? {};
  if (topic === undefined) {
    throw new AppError('CONFIGURATION', {
      message: 'The login has no scope of FHIRcast.',
      hint: 'Log in again with: laudio login',
    });
  }
  const token = async () => (await newToken()).access_token;
  const { transport } = await context.deps();
  const joined = Promise.withResolvers<CurrentContext | undefined>();
  const own = new Set<string>();
  const hub = createHubClient({
    clock: context.clock,
    random: Math.random,
    subscriber,
    events,
    find: async () => ({ address: `${server}${hubPath}`, topic, token, transport, dial: dialNetwork }),
    onJoined: joined.resolve,
    onEvent: (_, notification) => hub.acknowledge(notification.id, own.has(notification.id) ? 200 : hear(notification)),
    onFault: joined.reject,
    onLost: (isRefused) =>
      isRefused && joined.reject(new AppError('FORBIDDEN', { message: 'The hub takes no application of this login.' })),
  });
  await joined.promise.catch(async (error: unknown) => {
    await hub.close();
    throw error;
  });
  return {
    send(name: EventName, parts: readonly ContextPart[], version?: string): Promise<void> {
      const id = randomUUID();
      own.add(id);
      return hub.send(id, name, parts, version);
    },
    close: () => hub.close(),
  };
}
