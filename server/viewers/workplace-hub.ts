/** The hub at which a person's report and viewer follow each other: the server's, or that of another system with a token for it. */
import { isForHub } from '../../src/contract/scopes.ts';
import type { WorkplaceHub } from '../../src/contract/viewer.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { askForHubToken } from '../../src/node/login/hub-token.ts';
import type { HubLogin } from '../../src/node/login/hub-token.ts';
import { hubPath, topicFor } from '../../src/protocols/fhircast/place.ts';
import type { Call } from '../http/call.ts';

/** The hub of another system. */
export interface OtherHub extends HubLogin {
  readonly address: string;
  /** The topic of a person there: `{username}` is the name with which they log in here. */
  readonly topic: string;
}

/** How long the other system may be silent, in ms. */
const silence = 5000;

export async function findWorkplaceHub(
  other: OtherHub | undefined,
  { base_url, caller }: Pick<Call, 'base_url' | 'caller'>,
  clock: Clock,
): Promise<WorkplaceHub> {
  const { user, space, client_id } = caller;
  const none = { access_token: null, expires_at: null };
  // A test client must not move the viewer of a patient.
  if (!other || !user || caller.test_mode) {
    const topic = topicFor(space, user?.id ?? client_id);
    return { address: `${base_url}${hubPath}`, topic, ...none, fault: isForHub(caller.scopes) ? null : 'forbidden' };
  }
  const { address } = other;
  const topic = other.topic.replaceAll('{username}', user.username);
  const { createHttpCall } = await import('../../src/node/http/http-call.ts');
  const http = createHttpCall({ timeout: silence });
  try {
    const token = await askForHubToken(other, { transport: http.transport, clock });
    if (typeof token === 'string') return { address, topic, ...none, fault: token };
    const { access_token, expires_at } = token;
    return { address, topic, access_token, expires_at: new Date(expires_at).toISOString(), fault: null };
  } finally {
    await http.close();
  }
}
