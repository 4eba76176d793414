/**
 * Polls a FHIR server for changes since the previous poll, and passes each resource to the intake with what it refers to. The
 * progress is stored after the intake has applied everything: a crash in between repeats the poll without effect.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import type { InboundDeps, ChannelConfig, OpenChannel } from '../../channel.ts';
import { createFhirClient } from '../fhir/client.ts';
import type { FhirClient, Resource } from '../fhir/client.ts';
import { startPoller } from '../../poller.ts';
import { createBulkExport } from './bulk-export.ts';
import { createReferences, nameOf, readPages } from './pages.ts';
import type { References } from './pages.ts';
import { takeOrder } from './take-order.ts';
import type { FhirInSettings, fhirTypes } from './settings.ts';
import { createSubscription } from './subscription.ts';

type Type = (typeof fhirTypes)[number];

/** Orders that wait before the server counts as out of order. */
const maxPostponed = 5;

/** Resources to include in the answer, if the server can, which saves requests. */
const includes: Readonly<Record<Type, readonly string[]>> = {
  ServiceRequest: ['ServiceRequest:subject', 'ServiceRequest:requester'],
  ImagingStudy: ['ImagingStudy:subject', 'ImagingStudy:basedon'],
  Appointment: ['Appointment:patient', 'Appointment:based-on'],
};

export async function openFhir(channel: ChannelConfig<FhirInSettings>, deps: InboundDeps): Promise<OpenChannel> {
  const machine = machineClockOf(deps.clock);
  const { settings } = channel;
  const client = await createFhirClient(withScope(settings), () => machine.now());
  const changes = new Changes(settings, client, deps);
  const subscription =
    settings.subscribe === undefined ? undefined : createSubscription(channel, settings.subscribe, client, deps);
  const bulkExport = createBulkExport(channel, client, deps);
  let isChanged = true;
  let safeUntil = 0;
  const poller = startPoller(deps, {
    channel: channel.name,
    seconds: settings.interval_seconds ?? 60,
    failure: { event: 'fhir_not_read', message: 'The FHIR server could not be read.' },
    async poll(signal) {
      // Before the poll, so that no change falls between both.
      const problems = [await subscription?.keep(signal), await bulkExport.step(signal)];
      const problem = problems.filter((each) => typeof each === 'string').join(' ') || null;
      if (subscription?.isReliable() && !isChanged && machine.elapsed() < safeUntil) return problem;
      isChanged = false;
      try {
        await changes.poll(signal);
      } catch (error) {
        isChanged = true;
        throw error;
      }
      safeUntil = machine.elapsed() + (settings.safety_seconds ?? 900) * 1000;
      return problem;
    },
  });
  return {
    address: channel.settings.base_url,
    async test(signal) {
      const answer = await client.get(client.urlOf('metadata'), signal);
      if (answer?.resource['resourceType'] !== 'CapabilityStatement') {
        throw new AppError('BAD_ANSWER', { message: 'The server has no metadata: is base_url right?' });
      }
      return `${client.urlOf('').origin} answers.`;
    },
    notice(body) {
      if (subscription?.hear(body) === false) return;
      isChanged = true;
      poller.pollSoon();
    },
    async close() {
      await poller.close();
      await client.close();
    },
  };
}

/** To subscribe is to write. */
const withScope = ({ scope, subscribe, ...settings }: FhirInSettings): FhirInSettings => ({
  ...settings,
  ...(subscribe !== undefined && { scope: 'system/*.read system/Subscription.write' }),
  ...(scope !== undefined && { scope }),
});

class Changes {
  readonly #settings: FhirInSettings;
  readonly #client: FhirClient;
  readonly #deps: InboundDeps;
  /** Versions of the resources of the previous poll, which overlaps with the next one. */
  #known = new Map<string, string>();
  #mayInclude = true;
  /** Why orders of this poll were not taken: the server could not give what they refer to. */
  #postponed: AppError[] = [];

  constructor(settings: FhirInSettings, client: FhirClient, deps: InboundDeps) {
    this.#settings = settings;
    this.#client = client;
    this.#deps = deps;
  }

  /** One poll: all types in turn. If an order has to wait, the next poll begins where this one did. */
  async poll(signal: AbortSignal): Promise<void> {
    const { intake, clock } = this.#deps;
    const { resources = ['ServiceRequest'], overlap_seconds = 300, lookback_days = 1 } = this.#settings;
    const now = machineClockOf(clock).now();
    const mark = await intake.readUntil();
    const from = mark === undefined ? now - lookback_days * 86_400_000 : Date.parse(mark) - overlap_seconds * 1000;
    const seen = new Map<string, string>();
    this.#postponed = [];
    /** Earliest time that the server's clock showed at the beginning of a search. */
    let until: number | undefined;
    for (const type of resources) {
      const began = await this.#search(type, new Date(from).toISOString(), seen, signal);
      if (began !== undefined) until = Math.min(until ?? began, began);
    }
    this.#known = seen;
    const [reason] = this.#postponed;
    if (reason) throw reason;
    // If the server sends no time, the next poll starts at the local time of this one.
    await intake.markRead(new Date(until ?? now).toISOString());
  }

  /** Resolves to the beginning of the search by the server's clock. */
  async #search(type: Type, from: string, seen: Map<string, string>, signal: AbortSignal): Promise<number | undefined> {
    const references = createReferences(this.#client, signal);
    let began: number | undefined;
    for await (const { matches, others, at } of this.#pages(type, from, signal)) {
      began ??= at;
      references.learn([...others, ...matches]);
      for (const resource of matches) {
        if (resource['resourceType'] === type) await this.#take(resource, references, seen);
      }
    }
    return began;
  }

  /** Some servers refuse a search with unknown includes. */
  async *#pages(type: Type, from: string, signal: AbortSignal) {
    const search = () => readPages(this.#client, this.#urlOf(type, from), signal);
    let pages = search();
    let first;
    try {
      first = await pages.next();
    } catch (error) {
      const isRefused = error instanceof AppError && error.details?.['status'] === 400;
      if (!isRefused || !this.#mayInclude) throw error;
      this.#mayInclude = false;
      pages = search();
      first = await pages.next();
    }
    if (!first.done) yield first.value;
    yield* pages;
  }

  #urlOf(type: Type, from: string): URL {
    const { query = '', page_size = 100 } = this.#settings;
    const url = this.#client.urlOf(type);
    const search = new URLSearchParams(query);
    search.set('_lastUpdated', `ge${from}`);
    search.set('_count', String(page_size));
    if (this.#mayInclude) for (const each of includes[type]) search.append('_include', each);
    url.search = search.toString();
    return url;
  }

  async #take(resource: Resource, references: References, seen: Map<string, string>) {
    const name = nameOf(resource);
    const version = readVersion(resource);
    if (version !== undefined && this.#known.get(name) === version) return void seen.set(name, version);
    try {
      await takeOrder(this.#deps.intake, resource, references);
    } catch (error) {
      const isPassing = error instanceof AppError && error.code === 'NETWORK';
      if (!isPassing || this.#postponed.length >= maxPostponed) throw error;
      return void this.#postponed.push(error);
    }
    if (version !== undefined) seen.set(name, version);
  }
}

function readVersion({ meta }: Resource): string | undefined {
  if (!isPlainObject(meta)) return undefined;
  const { versionId, lastUpdated } = meta;
  return versionId === undefined && lastUpdated === undefined
    ? undefined
    : `${String(versionId)} ${String(lastUpdated)}`;
}
