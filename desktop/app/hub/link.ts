/** The link with the hub: what it means for the screen that others open and close, and for them what the screen shows. */
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import { findLinkedExams } from '../../../src/domain/exam-link.ts';
import { parseEvent } from '../../../src/protocols/fhircast/events.ts';
import type { EventName } from '../../../src/protocols/fhircast/events.ts';
import { buildExamContext, readExamLink } from '../../../src/protocols/fhircast/exam-context.ts';
import type { CastEvent, CurrentContext, Notification } from '../../../src/protocols/fhircast/messages.ts';
import { readSyncError } from '../../../src/protocols/fhircast/sync-error.ts';
import { nameReport } from '../../../src/protocols/fhircast/topic.ts';
import type { JoinFault, Refusal } from '../../bridge/hub.ts';
import type { ServiceDeps } from '../service.ts';
import { createCastSender, subscriber } from './cast-sender.ts';
import { createMeasurementNews } from './cast-news.ts';
import type { MeasurementNews } from './cast-news.ts';
import { createHubClient } from './hub-client.ts';
import type { HubClient, HubPlace } from './hub-client.ts';
import type { HubProblem } from './hub-calls.ts';
import { createHubStatus } from './hub-status.ts';
import type { HubStatus, LinkStatus } from './hub-status.ts';
import { createOpenReport, nameOwnReport } from './open-report.ts';
import type { OpenReport } from './open-report.ts';
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

export interface LinkDeps extends ServiceDeps {
  /** A fault: there is no hub for this person now. */
  readonly find: () => Promise<HubPlace | JoinFault>;
  readonly examOf: (id: string) => WorklistItem | undefined;
}

interface PageRefusal {
  readonly why: Refusal;
  readonly reason: string | undefined;
}

export interface Link {
  readonly status: HubStatus;
  readonly news: MeasurementNews;
  /** The exam on the screen has changed. `again`: also if the hub knows it. */
  show(itemId: string | null, again: boolean): void;
  /** The exam on the screen of a page that has come, if none has shown one. */
  begin(itemId: string | null): void;
  /** Answers a question; `false`: it has its answer. */
  answer(id: string, itemId: string | null, refusal: PageRefusal | undefined): boolean;
  join(): void;
  /** Resolves once it has left, within the time of a few calls. */
  leave(): Promise<void>;
  hurry(): void;
}

/** The hub repeats an event that nobody acknowledged for this long, in ms. */
const maxLateMs = 60_000;

/** Why Laudio did not do what was asked, where that is no opening. */
const notDone = { closed: 'not_closed', logged_out: 'not_logged_out' } as const;

export function createLink(deps: LinkDeps): Link {
  const { clock, random, uuid, log } = deps;
  let client: HubClient | undefined;
  /** The exam on the screen; `undefined`: no page has said. */
  let shown: string | null | undefined;
  /** When other applications last opened something, in ms since 1970. */
  let openedAt = 0;
  let leaving: Promise<void> = Promise.resolve();
  const status = createHubStatus(deps);
  const news = createMeasurementNews(deps);
  const sender = createCastSender(deps, () => client);
  const report = createOpenReport(deps.examOf, { sender, news });
  const questions = createQuestions(deps, (id, name) => {
    // Without a page nobody works with Laudio here: the other applications go on without it. A page that is slow joins again.
    client?.acknowledge(id, 409);
    sender.report(id, name, 'No page of Laudio answered in time.');
    void leave('no_answer');
  });
  const onFault = (error: unknown): void => log({ level: 'error', event: 'hub_defect', ...describeError(error) });

  const announce = (itemId: string | null): void => {
    status.change({ apart: null });
    report.announce(itemId);
  };

  const answer: Link['answer'] = (id, itemId, refusal) => {
    const question = questions.settle(id);
    if (!question) return false;
    const { kind, name, event, isNewest } = question;
    client?.acknowledge(id, refusal ? 409 : 200);
    if (refusal) {
      sender.report(id, name, refusal.reason ?? refusal.why);
      const exam = readExamLink(event);
      if (kind === 'closed' || kind === 'logged_out') status.change({ apart: { why: notDone[kind] } });
      else if (isNewest) status.change({ apart: { why: refusal.why, ...(exam && { exam }) } });
    } else if (kind === 'closed' && isOpen(report, event)) {
      shown = null;
      report.leave(event);
    } else if (kind === 'opened' && isNewest) {
      shown = itemId;
      status.change({ apart: null });
      report.follow(itemId, event);
    }
    return true;
  };

  const onEvent = (name: EventName, notification: Notification): void => {
    const { id, event, timestamp } = notification;
    const acknowledge = () => client?.acknowledge(id, 200);
    const failure = name === 'SyncError' ? readSyncError(event) : undefined;
    // The hub delivers an event to its sender too.
    if (sender.isOwn(id)) report.hearOwn(event);
    if (sender.isOwn(id) || name === 'heartbeat' || failure?.subscriber === subscriber) return acknowledge();
    // A failure without an event: its connection was lost.
    status.change({
      others: failure?.eventName !== 'SyncError',
      ...(failure && { apart: { why: 'not_followed', message: failure.reason } }),
    });
    const { action } = parseEvent(name);
    if (action === 'open') {
      // A sender's clock may be fast.
      const at = Math.min(Date.parse(timestamp), clock.now());
      // An older opening came late (2.5). One that is much older was made by a slow clock.
      if (at < openedAt && openedAt - at < maxLateMs) return acknowledge();
      openedAt = at;
      return questions.ask('opened', name, notification);
    }
    if (action === 'close' && isOpen(report, event))
      return questions.ask('closed', name, notification, report.item?.id);
    if (name === 'userLogout') return questions.ask('logged_out', name, notification);
    const takeMissed = action === 'update' ? report.update(event) : undefined;
    if (takeMissed) client?.current().then(takeMissed).catch(onFault);
    if (action === 'select' && report.itemId !== null && report.isAbout(event)) news.selected(event, report.itemId);
    acknowledge();
  };

  const onJoined = (current: CurrentContext | undefined): void => {
    status.change({ link: 'joined', fault: null, ...(status.now.apart?.why === 'lost' && { apart: null }) });
    const itemId = shown ?? null;
    if (!current || current['context.type'] === '') return announce(itemId);
    const { 'context.versionId': version, context } = current;
    const event: CastEvent = { 'hub.topic': '', 'hub.event': '', 'context.versionId': version, context };
    const open = nameReport(event);
    const isOurs = open !== undefined && (report.isOurs(open) || (itemId !== null && open === nameOwnReport(itemId)));
    const isKnown = isOurs || report.isCurrent(current);
    report.catchUp(current);
    if (isKnown) return report.name === open && report.itemId === itemId ? undefined : announce(itemId);
    status.change({ others: true });
    questions.ask('opened', open === undefined ? 'ImagingStudy-open' : 'DiagnosticReport-open', { id: uuid(), event });
  };

  const onLost = (fault: HubProblem | undefined): void => {
    const { others, apart } = status.now;
    const lost = others && apart === null ? { apart: { why: 'lost' } as const } : {};
    status.change({ link: 'joining', fault: fault ?? null, others: false, ...lost });
  };

  const join = (): void => {
    if (client) return;
    status.change({ link: 'joining' });
    const find = async (): Promise<HubPlace | JoinFault> => {
      // The report that is closed on leaving may be the next one that is opened.
      await leaving;
      return deps.find();
    };
    client = createHubClient({ clock, random, find, subscriber, events, onJoined, onEvent, onLost, onFault });
  };

  const leave = (why?: NonNullable<LinkStatus['apart']>['why']): Promise<void> => {
    const left = client;
    const item = report.forget();
    if (item) sender.send('DiagnosticReport-close', buildExamContext(item));
    [client, shown] = [undefined, undefined];
    questions.clear();
    status.change({ link: 'off', fault: null, others: false, apart: why ? { why } : null });
    if (left) leaving = left.close(sender.idle());
    return leaving;
  };

  const show: Link['show'] = (itemId, again) => {
    shown = itemId;
    if (status.now.link === 'joined' && (again || report.itemId !== itemId)) announce(itemId);
  };

  return {
    status,
    news,
    show,
    begin(itemId) {
      if (shown === undefined) show(itemId, false);
    },
    answer,
    join,
    leave: () => leave(),
    hurry: () => client?.hurry(),
  };
}

/** Whether an event is about the exam that is open at the hub: its report, or its numbers. */
function isOpen({ item, isAbout }: OpenReport, event: CastEvent): boolean {
  if (!item || isAbout(event)) return item !== undefined;
  const exam = readExamLink(event);
  return exam !== undefined && findLinkedExams([item], exam).kind === 'one';
}
