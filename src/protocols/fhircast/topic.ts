/**
 * One topic of a hub: which contexts its applications have open, which of them is current, and what they share about each. Pure: what
 * follows from an event is returned, and nothing is sent.
 */
import { createRecentSet, removeOldest } from '../../domain/oldest.ts';
import { applyUpdates, collectContent } from './content.ts';
import type { SharedContent } from './content.ts';
import { anchors, anchorTypes, findEvent, parseEvent } from './events.ts';
import type { AnchorType, EventName } from './events.ts';
import { CastRefusal, nameResource } from './messages.ts';
import type { CastEvent, ContextPart, CurrentContext, Notification } from './messages.ts';

interface OpenContext {
  readonly type: AnchorType;
  readonly versionId: string;
  readonly content: SharedContent;
  /** As it was delivered. */
  readonly opening: Notification;
  /** Characters of the opening and of the content. */
  readonly size: number;
}

export interface TopicOptions {
  readonly name: string;
  readonly uuid: () => string;
}

/** A workplace has a handful open; whoever never closes loses the oldest. */
const maxOpen = 50;
/** Characters of JSON that a topic holds; many times what a workplace needs. */
const maxHeld = 16 * 1024 * 1024;
/** Ids of notifications that are recognised when they are repeated. */
const maxIds = 1000;

/** The parts that an open or close must have in addition to its anchor. */
const requiredParts: Readonly<Partial<Record<EventName, readonly string[]>>> = {
  'DiagnosticReport-open': ['patient'],
};

export interface Topic {
  readonly name: string;
  /**
   * Takes an event, and returns it as all applications get it; `undefined` for one that was taken before. CastRefusal: nothing has
   * changed.
   */
  take(notification: Notification): Notification | undefined;
  /** The current context (2.9), if the events that `mayRead` allows show it. */
  current(mayRead: (name: EventName) => boolean): CurrentContext;
  /** The openings that somebody who comes now has missed: one a type, the current one last. */
  missed(): readonly Notification[];
}

export function createTopic({ name, uuid }: TopicOptions): Topic {
  /** Keyed by the name of the anchor, in the order in which they were opened. */
  const open = new Map<string, OpenContext>();
  let current: string | undefined;
  const ids = createRecentSet<string>(maxIds);

  const openContext = (type: AnchorType, key: string, notification: Notification): Notification => {
    const versionId = uuid();
    const { event, ...stamp } = withoutVersion(notification);
    const opening = { ...stamp, event: { ...event, 'context.versionId': versionId } };
    const content: SharedContent = open.get(key)?.content ?? new Map();
    open.delete(key);
    open.set(key, measure({ type, versionId, content, opening }));
    while (open.size > maxOpen || sumSizes(open) > maxHeld) removeOldest(open);
    current = key;
    return opening;
  };

  const update = ({ timestamp, id, event }: Notification): Notification => {
    const key = nameReport(event);
    const context = key === undefined ? undefined : open.get(key);
    if (!context || key === undefined || key !== current)
      throw new CastRefusal(409, 'The report is not the current context. Open it first.');
    if (event['context.versionId'] !== context.versionId)
      throw new CastRefusal(
        409,
        'context.versionId is not that of the current context. Get the context, and send the update again with its version.',
      );
    const opened = new Set(context.opening.event.context.map(({ resource }) => resource && nameResource(resource)));
    const content = applyUpdates(context.content, event, opened as ReadonlySet<string>);
    const versionId = uuid();
    const changed = measure({ ...context, content, versionId });
    if (sumSizes(open) - context.size + changed.size > maxHeld)
      throw new CastRefusal(413, 'The applications of this person share too much. Close contexts that are not used.');
    open.set(key, changed);
    const versions = { 'context.versionId': versionId, 'context.priorVersionId': context.versionId };
    return { timestamp, id, event: { ...event, ...versions } };
  };

  const apply = (notification: Notification): Notification => {
    const name = findEvent(notification.event['hub.event']);
    if (name === undefined || name === 'heartbeat')
      throw new CastRefusal(400, `The hub has no event ${notification.event['hub.event']}.`);
    const { type, action } = parseEvent(name);
    if (type !== undefined && (action === 'open' || action === 'close')) {
      const key = requireAnchor(name, type, notification.event);
      if (action === 'open') return openContext(type, key, notification);
      open.delete(key);
      // The one below doesn't come back: nobody has said that it is looked at.
      if (current === key) current = undefined;
      return withoutVersion(notification);
    }
    if (action === 'update') return update(notification);
    if (action === 'select' && nameReport(notification.event) === undefined)
      throw new CastRefusal(400, 'context has no part "report" that names the report.');
    return withoutVersion(notification);
  };

  return {
    name,
    take(notification) {
      if (ids.has(notification.id)) return undefined;
      const taken = apply(notification);
      ids.add(notification.id);
      return taken;
    },
    current(mayRead) {
      const context = current === undefined ? undefined : open.get(current);
      if (!context || !mayRead(`${context.type}-open`))
        return { 'context.type': '', 'context.versionId': '', context: [] };
      const { type, versionId, content, opening } = context;
      const shared: ContextPart = { key: 'content', resource: collectContent(content, uuid()) };
      return {
        'context.type': type,
        'context.versionId': versionId,
        context: [...opening.event.context, shared],
      };
    },
    missed() {
      const last = new Map<AnchorType, OpenContext>();
      for (const context of open.values()) {
        last.delete(context.type);
        last.set(context.type, context);
      }
      return Array.from(last.values(), ({ opening: { timestamp, id, event }, versionId }) => ({
        timestamp,
        id,
        event: { ...event, 'context.versionId': versionId },
      }));
    },
  };
}

function measure(context: Omit<OpenContext, 'size'>): OpenContext {
  let size = JSON.stringify(context.opening).length;
  for (const shared of context.content.values()) size += shared.size;
  return { ...context, size };
}

const sumSizes = (open: ReadonlyMap<string, OpenContext>): number =>
  Array.from(open.values()).reduce((sum, { size }) => sum + size, 0);

function withoutVersion({ timestamp, id, event }: Notification): Notification {
  const { 'hub.topic': topic, 'hub.event': name, context } = event;
  return { timestamp, id, event: { 'hub.topic': topic, 'hub.event': name, context } };
}

/** The name of the resource that an open or close is about. */
function requireAnchor(name: EventName, type: AnchorType, { context }: CastEvent): string {
  const key = anchors[type];
  for (const part of [key, ...(requiredParts[name] ?? [])])
    if (!context.some((each) => each.key === part)) throw new CastRefusal(400, `context has no part "${part}".`);
  const resource = context.find((part) => part.key === key)?.resource;
  const anchor = resource && nameResource(resource);
  if (anchor === undefined) throw new CastRefusal(400, `The part "${key}" of context has no resource with an id.`);
  return anchor;
}

/** The report that an event is about, by reference or in full: `DiagnosticReport/abc`. */
export function nameReport({ context }: Pick<CastEvent, 'context'>): string | undefined {
  const part = context.find(({ key }) => key === anchors.DiagnosticReport);
  const reference: unknown = part?.reference?.reference;
  if (typeof reference === 'string') return reference.split('/').slice(-2).join('/');
  return part?.resource && nameResource(part.resource);
}

/**
 * The openings of the resources that an opening carries, for applications that read those events but not its own (2.5). A case is
 * one study.
 */
export function deriveOpenings(
  { timestamp, event }: Notification,
  reads: (name: EventName) => boolean,
  uuid: () => string,
): Notification[] {
  const name = findEvent(event['hub.event']);
  const own = name && parseEvent(name);
  if (name === undefined || own?.action !== 'open' || reads(name)) return [];
  return anchorTypes.flatMap((type) => {
    const part = event.context.find(({ key, resource }) => key === anchors[type] && resource);
    if (type === own.type || !part || !reads(`${type}-open`)) return [];
    const patients = type === 'ImagingStudy' ? event.context.filter(({ key }) => key === anchors.Patient) : [];
    const derived = { ...event, 'hub.event': `${type}-open`, context: [part, ...patients] };
    return [{ timestamp, id: uuid(), event: derived }];
  });
}
