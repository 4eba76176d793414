/** Which handlers serve which calls of the contract. All but those of the server's own state load with the first call. */
import type { FastifyInstance } from 'fastify';
import type { Endpoint, Group, Handlers } from '../src/contract/endpoint.ts';
import { contract } from '../src/contract/index.ts';
import { systemRoutes } from './api/system.ts';
import type { SystemFacts } from './api/system.ts';
import type { ViewerDeps } from './api/viewers.ts';
import type { AuthorizationServices } from './auth/exchange.ts';
import { oauthRoutes } from './auth/index.ts';
import type { PendingRequests } from './auth/pending-requests.ts';
import type { Pins } from './auth/pins.ts';
import type { Channels } from './delivery/channels/channels.ts';
import type { DeliveryDeps } from './delivery/deps.ts';
import type { Targets } from './delivery/webhooks/target.ts';
import type { Call } from './http/call.ts';
import { implement } from './http/implement.ts';
import type { Surroundings } from './http/implement.ts';
import type { OtherMembers } from './http/other-members.ts';
import type { DeferredEntries } from './operations/audit/deferred-entries.ts';
import type { Backups } from './operations/backups/backups.ts';
import type { Care } from './operations/maintenance/care.ts';
import type { Faults } from './qa/faults/faults.ts';
import type { Inspector } from './qa/inspector/inspector.ts';
import type { RecordDeps } from './records/deps.ts';
import { registerAudioParsers } from './records/uploads/uploads.ts';
import type { Timekeeper } from './runtime/clock/timekeeper.ts';
import type { Randomness } from './runtime/randomness.ts';
import type { Compile } from './runtime/validation.ts';
import type { ChangeFeed } from './storage/feed.ts';
import type { ItemChange, RecordChange } from './storage/feeds.ts';
import type { Bundling } from './worklists/ingest/bundling.ts';

/** The parts of the server whose calls are served. */
export interface ServedParts extends RecordDeps, Pick<DeliveryDeps, 'letterheads'> {
  readonly viewers: Omit<ViewerDeps, 'clock'>;
  readonly pins: Pins;
  readonly authorization: AuthorizationServices;
  readonly pending: PendingRequests;
  readonly feed: ChangeFeed<ItemChange>;
  readonly recordFeed: ChangeFeed<RecordChange>;
  readonly bundling: Bundling;
  readonly others: OtherMembers;
  readonly channels: Channels;
  readonly targets: Targets;
  /** For the secrets of webhooks. */
  readonly secrets: Randomness['bytes'];
  readonly care: Care;
  readonly backups: Backups | undefined;
  readonly gathered: DeferredEntries;
  readonly inspector: Inspector;
  readonly simulatedFaults: Faults;
  /** Known once the server runs. */
  readonly timekeeper: () => Timekeeper;
  readonly validation: Compile;
}

export function registerRoutes(
  fastify: FastifyInstance,
  around: Surroundings,
  parts: ServedParts,
  { facts, timeZone }: { readonly facts: SystemFacts; readonly timeZone: string },
): void {
  const { authorization, pending, channels, targets, secrets, gathered, clock, validation } = parts;
  const takesAudio = (endpoint: Endpoint) => endpoint.takesAudio === true;
  const takesNoAudio = (endpoint: Endpoint) => !takesAudio(endpoint);
  const records = async () => (await import('./api/records.ts')).recordRoutes(parts);
  const systemHandlers = systemRoutes(parts, facts);

  /** Registers a group of calls, whose handlers load with the first call. */
  const route = <G extends Group>(group: G, handlers: () => Promise<Handlers<G, Call>>): void =>
    implement(fastify, group, handlers, around);
  route(contract.oauth, async () => oauthRoutes(authorization, pending));
  route(contract.worklists, async () =>
    (await import('./api/worklists.ts')).worklistRoutes({ ...parts, timeZone }, validation),
  );
  implement(fastify, contract.records, records, around, takesNoAudio);
  fastify.register(async (scope) => {
    registerAudioParsers(scope, parts);
    implement(scope, contract.records, records, around, takesAudio);
  });
  route(contract.jobs, async () => (await import('./api/jobs.ts')).jobRoutes(parts));
  route(contract.engines, async () => (await import('./api/engines.ts')).engineRoutes(parts));
  route(contract.transcriptions, async () => (await import('./api/transcriptions.ts')).liveRoutes(parts));
  route(contract.reviews, async () => (await import('./api/reviews.ts')).reviewRoutes(parts));
  route(contract.impressions, async () => (await import('./api/impressions.ts')).impressionRoutes(parts));
  route(contract.priors, async () => (await import('./api/priors.ts')).priorRoutes(parts, validation));
  route(contract.signatures, async () => (await import('./api/signatures.ts')).signatureRoutes(parts));
  route(contract.criticalResults, async () => (await import('./api/critical-results.ts')).criticalRoutes(parts));
  route(contract.distribution, async () => (await import('./api/distribution.ts')).distributionRoutes(parts));
  route(contract.fhir, async () => (await import('./api/fhir.ts')).fhirRoutes({ ...parts, version: facts.version }));
  route(contract.templates, async () => (await import('./api/templates.ts')).templateRoutes(parts));
  route(contract.letterheads, async () => (await import('./api/letterheads.ts')).letterheadRoutes(parts));
  route(contract.viewers, async () => (await import('./api/viewers.ts')).viewerRoutes({ ...parts.viewers, clock }));
  route(contract.macros, async () => (await import('./api/owned.ts')).macroRoutes(parts));
  route(contract.vocabulary, async () => (await import('./api/owned.ts')).vocabularyRoutes(parts));
  route(contract.clients, async () => (await import('./api/clients.ts')).clientRoutes(authorization));
  route(contract.users, async () => (await import('./api/users.ts')).userRoutes(authorization));
  route(contract.webhooks, async () =>
    (await import('./api/webhooks.ts')).webhookRoutes(parts, { targets, random: secrets }),
  );
  route(contract.channels, async () =>
    (await import('./api/channels.ts')).channelRoutes(parts, await channels.load(), validation),
  );
  route(contract.system, async () => systemHandlers);
  route(contract.maintenance, async () =>
    (await import('./api/maintenance.ts')).maintenanceRoutes(parts.care, gathered),
  );
  route(contract.patients, async () => (await import('./api/patients.ts')).patientRoutes({ ...parts, ...parts.care }));
  route(contract.inspector, async () => (await import('./api/inspector.ts')).inspectorRoutes(parts.inspector, clock));
  route(contract.faults, async () => (await import('./api/faults.ts')).faultRoutes(parts.simulatedFaults));
  route(contract.audit, async () =>
    (await import('./api/audit.ts')).auditRoutes(parts, { store: parts.store, gathered, clock }),
  );
  route(contract.clock, async () => (await import('./api/clock.ts')).clockRoutes(parts.timekeeper()));
}
