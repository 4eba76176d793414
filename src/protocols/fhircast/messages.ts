/** The messages of FHIRcast 3.0.0 (STU3), and how a hub reads what an application posts. */
/** A part of a context: a resource in full, a reference to one, or a value that an extension defines. */
export interface ContextPart {
  readonly key: string;
  readonly resource?: Resource;
  readonly reference?: { readonly reference?: string };
  readonly [extension: string]: unknown;
}

export interface Resource {
  readonly resourceType: string;
  readonly id?: string;
  readonly [element: string]: unknown;
}

export interface CastEvent {
  readonly 'hub.topic': string;
  readonly 'hub.event': string;
  readonly 'context.versionId'?: string;
  readonly 'context.priorVersionId'?: string;
  readonly context: readonly ContextPart[];
}

export interface Notification {
  /** ISO 8601, as the sender wrote it. */
  readonly timestamp: string;
  /** The sender's own: a repeated one is the same notification. */
  readonly id: string;
  readonly event: CastEvent;
}

/** The context that a topic has now; without one the type is empty. */
export interface CurrentContext {
  readonly 'context.type': string;
  readonly 'context.versionId': string;
  readonly context: readonly ContextPart[];
}

/** Why a hub does not take what was sent, with the status of its answer. */
export class CastRefusal extends Error {
  readonly status: 400 | 403 | 404 | 409 | 413 | 415 | 429;
  constructor(status: CastRefusal['status'], message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Reads the body of a request for a change of context (2.6). CastRefusal 400 where a part that the standard requires is missing or
 * has another form.
 */
export function readNotification(body: unknown): Notification {
  if (!isJsonObject(body)) throw new CastRefusal(400, 'The body is not a JSON object.');
  const { id, timestamp, event } = body;
  if (!isWord(id)) throw new CastRefusal(400, 'id is missing: send a new one with each event.');
  if (typeof timestamp !== 'string' || Number.isNaN(Date.parse(timestamp)))
    throw new CastRefusal(400, 'timestamp is missing, or no time in ISO 8601.');
  if (!isJsonObject(event)) throw new CastRefusal(400, 'event is missing.');
  const { 'hub.topic': topic, 'hub.event': name, context } = event;
  if (!isWord(topic)) throw new CastRefusal(400, 'event["hub.topic"] is missing.');
  if (!isWord(name)) throw new CastRefusal(400, 'event["hub.event"] is missing.');
  if (!Array.isArray(context) || !context.every(isContextPart))
    throw new CastRefusal(400, 'event.context is not a list of {key, resource} or {key, reference}.');
  const { 'context.versionId': version, 'context.priorVersionId': prior } = event;
  return {
    timestamp,
    id,
    event: {
      'hub.topic': topic,
      'hub.event': name,
      ...(typeof version === 'string' && { 'context.versionId': version }),
      ...(typeof prior === 'string' && { 'context.priorVersionId': prior }),
      context,
    },
  };
}

const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isWord = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 500;

export const isContextPart = (part: unknown): part is ContextPart =>
  isJsonObject(part) &&
  typeof part['key'] === 'string' &&
  (part['resource'] === undefined || isResource(part['resource']));

/** The objects of an element that may repeat: some applications write one without a list. */
export const listObjects = (value: unknown): Readonly<Record<string, unknown>>[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'object' && each !== null);

export const isResource = (value: unknown): value is Resource =>
  isJsonObject(value) && typeof value['resourceType'] === 'string';

/** `Observation/abc`; `undefined` where a resource has no id. */
export const nameResource = ({ resourceType, id }: Resource): string | undefined =>
  id === undefined || id === '' ? undefined : `${resourceType}/${id}`;
