/** Reads the head of a subscription notification: FHIR R5, R4B, and R4 by the backport guide. The resources in it are not read. */
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import { parseObject } from '../fhir/client.ts';

export interface Notification {
  readonly type: string;
  /** Events since the Subscription began, this one included. */
  readonly events: number | undefined;
}

/** `body`: parsed JSON or its bytes. `undefined`: not a notification by topic. */
export function readNotification(body: unknown): Notification | undefined {
  const bundle = body instanceof Uint8Array ? parseObject(Buffer.from(body).toString()) : body;
  if (!isPlainObject(bundle) || !Array.isArray(bundle['entry'])) return undefined;
  const [first] = bundle['entry'] as unknown[];
  const status = isPlainObject(first) ? first['resource'] : undefined;
  if (!isPlainObject(status)) return undefined;
  const { type, events } = status['resourceType'] === 'Parameters' ? readParameters(status) : readStatus(status);
  return typeof type === 'string' ? { type, events: readCount(events) } : undefined;
}

const readStatus = ({ type, eventsSinceSubscriptionStart: events }: Readonly<Record<string, unknown>>) => ({
  type,
  events,
});

function readParameters({ parameter }: Readonly<Record<string, unknown>>) {
  const values = new Map<unknown, unknown>();
  for (const each of Array.isArray(parameter) ? parameter : []) {
    if (!isPlainObject(each)) continue;
    values.set(each['name'], each['valueCode'] ?? each['valueString'] ?? each['valueUnsignedInt']);
  }
  return { type: values.get('type'), events: values.get('events-since-subscription-start') };
}

/** Large numbers are strings in FHIR's JSON. */
function readCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) ? count : undefined;
}
