/**
 * Keeps report and viewer at one exam: opens the report of the screen at the hub, passes to the pages what other applications open and
 * measure, and answers for them.
 */
import { hubPath } from '../../../src/protocols/fhircast/place.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { WorkplaceHub } from '../../../src/contract/viewer.ts';
import type { JoinFault } from '../../bridge/hub.ts';
import type { AppSettings } from '../../bridge/settings.ts';
import type { Service } from '../service.ts';
import type { HubPlace } from './hub-client.ts';
import { createLink } from './link.ts';
import type { LinkDeps } from './link.ts';
import { openPlacedMeasurements } from './placed-measurements.ts';
import type { PlacedMeasurements } from './placed-measurements.ts';

/** A token that expires within this time is replaced before it is used. */
const marginMs = 30_000;

type Carrier = Pick<HubPlace, 'transport' | 'dial'>;

/** The service as its hub needs it. */
export interface HubAccess extends Pick<HubPlace, 'token'>, Carrier {
  readonly server: () => string;
  /** To the hub of another system. */
  readonly network: Carrier;
}

export interface HubDeps extends Omit<LinkDeps, 'find'>, HubAccess {
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
  const link = createLink({ ...deps, find: () => findHub(deps) });
  let isClosed = false;
  /** Joins with the first page that is there. */
  const look = (): void => {
    if (!settings.current().follow_viewer) void link.leave();
    else if (!isClosed) link.join();
  };
  const endings = [deps.onOnline(link.hurry), settings.onChange(look)];
  return {
    handlers: {
      async 'hub.join'({ item_id }) {
        look();
        link.begin(item_id);
        return link.status.state();
      },
      async 'hub.show'({ item_id, again = false }) {
        look();
        link.show(item_id, again);
        return link.status.state();
      },
      async 'hub.answer'({ id, refusal, item_id = null, reason }) {
        // The answer may be late.
        look();
        return { is_first: link.news.claim(id) || link.answer(id, item_id, refusal && { why: refusal, reason }) };
      },
      async 'hub.settle'({ id, is_done }) {
        link.news.settle(id, is_done);
        return {};
      },
      async 'hub.placed'({ item_id, brought }) {
        await placed.put(item_id, brought);
        return {};
      },
      'hub.measurements': async ({ item_id }) => ({
        waiting: link.news.waiting(item_id),
        placed: [...placed.list(item_id)],
      }),
    },
    placed,
    async close() {
      isClosed = true;
      for (const end of endings) end();
      link.news.close();
      await link.leave();
    },
  };
}

/** The hub of the service, or of the system that its operator has set. */
async function findHub({
  connect,
  server,
  token,
  transport,
  dial,
  network,
  clock,
}: HubDeps): Promise<HubPlace | JoinFault> {
  const ask = async (): Promise<WorkplaceHub> => (await connect().client.viewers.hub({})).data;
  const first = await ask().catch((error: unknown) => {
    // A service of a version without hubs.
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
  if (!first) return 'none';
  const { address, topic, fault } = first;
  if (fault) return fault;
  if (first.access_token === null) return { address: `${server()}${hubPath}`, topic, token, transport, dial };
  let given: WorkplaceHub = first;
  return {
    address,
    topic,
    ...network,
    async token() {
      if (Date.parse(given.expires_at ?? '') - clock.now() < marginMs) given = await ask();
      if (given.access_token === null) throw new AppError('LOGIN_REQUIRED');
      return given.access_token;
    },
  };
}
