/**
 * Keeps report and viewer at one exam: opens the report of the screen at the hub, passes to the pages what other applications open and
 * measure, and answers for them.
 */
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { findLinkedExams } from '../../../src/domain/exam-link.ts';
import { parseEvent } from '../../../src/protocols/fhircast/events.ts';
import type { EventName } from '../../../src/protocols/fhircast/events.ts';
import { buildExamContext, readExamLink, reportId } from '../../../src/protocols/fhircast/exam-context.ts';
import type { CastEvent, CurrentContext, Notification } from '../../../src/protocols/fhircast/messages.ts';
import { hubPath } from '../../../src/protocols/fhircast/place.ts';
import { readSyncError } from '../../../src/protocols/fhircast/sync-error.ts';
import { nameReport } from '../../../src/protocols/fhircast/topic.ts';
import type { Refusal } from '../../bridge/hub.ts';
import type { AppSettings } from '../../bridge/settings.ts';
import { describeError } from '../page/failure.ts';
import type { Service, ServiceDeps } from '../service.ts';
import { createCastSender, subscriber } from './cast-sender.ts';
import { createMeasurementNews } from './cast-news.ts';
import type { MeasurementNews } from './cast-news.ts';
import { createHubClient } from './hub-client.ts';
import type { HubClient, HubPlace } from './hub-client.ts';
import { createHubStatus } from './hub-status.ts';
import { openPlacedMeasurements } from './placed-measurements.ts';
import type { PlacedMeasurements } from './placed-measurements.ts';
import { createQuestions } from './questions.ts';

const events: readonly EventName[] = [
  'Patient-open',
  'Patient-close',
  'ImagingStudy-open',
  'ImagingStudy-close',
  'DiagnosticReport-open',
  'DiagnosticReport-close',
  'DiagnosticReport-update',
  'DiagnosticReport-select',
  'SyncError',
  'userLogout',
  'heartbeat',
];

/** The service as its hub needs it. */
export interface HubAccess extends Pick<HubPlace, 'token' | 'transport' | 'dial'> {
  readonly server: () => string;
}

export interface HubDeps extends ServiceDeps, HubAccess {
  readonly examOf: (id: string) => WorklistItem | undefined;
  readonly settings: {
    current(): Pick<AppSettings, 'follow_viewer'>;
    onChange(listener: () => void): () => void;
  };
}

export interface HubLink extends Service<'hub'> {
  readonly placed: PlacedMeasurements;
}

export async function createHub(deps: HubDeps): Promise<HubLink> {
  const { settings } = deps;
  const placed = await openPlacedMeasurements(deps);
  const { status, news, answer, show, join, leave, hurry } = createLink(deps);
  /** Joins with the first page that is there. */
  const look = (): void => (settings.current().follow_viewer ? join() : void leave());
  const endings = [deps.onOnline(hurry), settings.onChange(look)];
  return {
    handlers: {
      async 'hub.show'({ item_id, again = false }) {
        look();
        await show(item_id, again);
        return status.state();
      },
      async 'hub.answer'({ id, refusal, item_id = null, reason }) {
        return { is_first: news.claim(id) || (await answer(id, item_id, refusal && { why: refusal, reason })) };
      },
      async 'hub.placed'({ item_id, brought }) {
        await placed.put(item_id, brought);
        return {};
      },
      'hub.measurements': async ({ item_id }) => ({
        waiting: news.waiting(item_id),
        placed: [...placed.list(item_id)],
      }),
    },
    placed,
    async close() {
      for (const end of endings) end();
      await leave();
    },
  };
}

/** The report that is the context of the hub, as far as Laudio knows. */
interface OpenContext {
  readonly itemId: string | null;
  /** `DiagnosticReport/…`; `undefined`: another application opened a patient or a study. */
  readonly report: string | undefined;
  readonly isOurs: boolean;
  /** The last version that was heard of. */
  version?: string | undefined;
}

function createLink(deps: HubDeps) {
  const { clock, uuid, examOf } = deps;
  let client: HubClient | undefined;
  let context: OpenContext | undefined;
  /** The exam on the screen. */
  let shown: string | null = null;
  /** When other applications last opened something, in ms since 1970. */
  let openedAt = 0;
  const status = createHubStatus(deps);
  const news = createMeasurementNews(deps);
  const sender = createCastSender(deps, () => client);
  const questions = createQuestions(deps, (id) => {
    // Without a page nobody works with Laudio here: the other applications go on without it.
    client?.acknowledge(id, 200);
    void leave();
  });

  /** Opens the report of the exam on the screen at the hub; a report that is finished or left for the list is closed. */
  const announce = async (itemId: string | null): Promise<void> => {
    const left = context?.isOurs && context.itemId !== itemId ? examIn(context) : undefined;
    const item = itemId === null ? undefined : examOf(itemId);
    context = item && { itemId, report: nameOwnReport(item.id), isOurs: true };
    status.change({ apart: null });
    if (item) await sender.send('DiagnosticReport-open', buildExamContext(item));
    // A report that goes on is suspended: it stays open at the hub.
    if (left && (!item || left.status === 'completed'))
      await sender.send('DiagnosticReport-close', buildExamContext(left));
  };
  const examIn = (open: OpenContext | undefined): WorklistItem | undefined =>
    open?.itemId ? examOf(open.itemId) : undefined;

  const answer = async (
    id: string,
    itemId: string | null,
    refusal: { readonly why: Refusal; readonly reason: string | undefined } | undefined,
  ): Promise<boolean> => {
    const question = questions.settle(id);
    if (!question) return false;
    const { name, event, isNewest } = question;
    const { action } = parseEvent(name);
    client?.acknowledge(id, refusal ? 409 : 200);
    if (refusal) {
      const exam = readExamLink(event);
      await sender.report(id, name, refusal.reason ?? refusal.why);
      if (isNewest || action !== 'open') status.change({ apart: { why: refusal.why, ...(exam && { exam }) } });
    } else if (action === 'close' && nameReport(event) !== undefined) context = undefined;
    else if (action === 'open' && isNewest) {
      shown = itemId;
      status.change({ apart: null });
      const report = nameReport(event);
      // A viewer that opened a study gets the report, about which it can share what is measured.
      if (report !== undefined || itemId === null)
        context = { itemId, report, isOurs: false, version: event['context.versionId'] };
      else await announce(itemId);
    }
    return true;
  };

  const onEvent = (name: EventName, notification: Notification): void => {
    const { id, event } = notification;
    const failure = name === 'SyncError' ? readSyncError(event) : undefined;
    const isHere = context?.report !== undefined && nameReport(event) === context.report;
    if (isHere && context && sender.isOwn(id)) context.version = event['context.versionId'];
    // The hub delivers an event to its sender too.
    if (sender.isOwn(id) || name === 'heartbeat' || failure?.subscriber === subscriber)
      return client?.acknowledge(id, 200);
    status.change({ others: true, ...(failure && { apart: { why: 'not_followed', message: failure.reason } }) });
    const { action } = parseEvent(name);
    const item = examIn(context);
    if (action === 'open') {
      const at = Date.parse(notification.timestamp);
      // An older opening came late (2.5).
      if (at < openedAt) return client?.acknowledge(id, 200);
      openedAt = at;
      return questions.ask('opened', name, notification);
    }
    if (action === 'close' && item && (isHere || isAbout(event, item)))
      return questions.ask('closed', name, notification);
    if (name === 'userLogout') return questions.ask('logged_out', name, notification);
    if (action === 'update' && isHere && context) takeUpdate(news, context, event, () => client?.current());
    if (action === 'select' && isHere && item) news.selected(event, item.id);
    client?.acknowledge(id, 200);
  };

  const onJoined = (current: CurrentContext | undefined): void => {
    status.change({ link: 'joined', ...(status.now.apart?.why === 'lost' && { apart: null }) });
    const event: CastEvent = { 'hub.topic': '', 'hub.event': '', context: current?.context ?? [] };
    const report = nameReport(event);
    const isOurs = report !== undefined && [context?.report, shown && nameOwnReport(shown)].includes(report);
    takeContent(news, context, current);
    // Nothing is open at the hub, or what Laudio opened before the connection was lost.
    if (!current || current['context.type'] === '' || (isOurs && context?.itemId !== shown))
      return void announce(shown);
    if (isOurs) return;
    status.change({ others: true });
    const name = report === undefined ? 'ImagingStudy-open' : 'DiagnosticReport-open';
    questions.ask('opened', name, { id: uuid(), event });
  };

  const join = (): void => {
    if (client) return;
    status.change({ link: 'joining' });
    const onLost = (isRefused: boolean): void => {
      const { others, apart } = status.now;
      const lost = others && apart === null ? { apart: { why: 'lost' } as const } : {};
      status.change({ link: isRefused ? 'refused' : 'joining', ...lost });
    };
    client = createHubClient({
      clock,
      random: deps.random,
      find: () => findHub(deps),
      subscriber,
      events,
      onJoined,
      onEvent,
      onLost,
      onFault: (error) => deps.log({ level: 'error', event: 'hub_defect', ...describeError(error) }),
    });
  };
  const leave = async (): Promise<void> => {
    const left = client;
    if (!left) return;
    if (context?.isOurs) await announce(null);
    [client, context] = [undefined, undefined];
    questions.clear();
    status.change({ link: 'off', others: false, apart: null });
    await left.close();
  };
  const show = async (itemId: string | null, again: boolean): Promise<void> => {
    shown = itemId;
    if (status.now.link === 'joined' && (again || (context?.itemId ?? null) !== itemId)) await announce(itemId);
  };
  return { status, news, answer, show, join, leave, hurry: () => client?.hurry() };
}

const nameOwnReport = (itemId: string): string => `DiagnosticReport/${reportId(itemId)}`;

function takeUpdate(
  news: MeasurementNews,
  context: OpenContext,
  event: CastEvent,
  readCurrent: () => Promise<CurrentContext | undefined> | undefined,
): void {
  // The report of another Laudio of the person, which takes its measurements itself.
  if (context.itemId === null || (!context.isOurs && context.report === nameOwnReport(context.itemId))) return;
  const isGap = event['context.priorVersionId'] !== context.version;
  context.version = event['context.versionId'];
  news.measured(event, context.itemId);
  if (isGap) void readCurrent()?.then((current) => takeContent(news, context, current));
}

/** Takes the measurements of updates that were missed. */
function takeContent(
  news: MeasurementNews,
  context: OpenContext | undefined,
  current: CurrentContext | undefined,
): void {
  if (!current || !context?.itemId || nameReport(current) !== context.report) return;
  context.version = current['context.versionId'];
  news.measured(current, context.itemId);
}

/** The hub of the service; `undefined`: it has none, or none for this login. */
async function findHub({ connect, server, token, transport, dial }: HubDeps): Promise<HubPlace | undefined> {
  const { topic } = (await connect().client.oauth.validate()).data.hub ?? {};
  return topic === undefined ? undefined : { address: `${server()}${hubPath}`, topic, token, transport, dial };
}

/** Whether an event is about the exam, by its numbers. */
function isAbout(event: CastEvent, item: WorklistItem): boolean {
  const exam = readExamLink(event);
  return exam !== undefined && findLinkedExams([item], exam).kind === 'one';
}
