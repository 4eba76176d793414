/**
 * Records which data was shown, and refused logins and calls. No answer waits for these entries, so that reading works with a full
 * disk. Repeated reads are recorded once an hour: a worklist on a screen refreshes every few seconds.
 */
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { contract } from '../../../src/contract/index.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { fromReference } from '../../delivery/fhir/find-reports.ts';
import type { EndedCall, WatchedCalls } from '../../http/watched-calls.ts';
import { isOwnId } from '../../http/own-ids.ts';
import { findActor } from '../../http/actor.ts';
import type { Actor } from '../../storage/actor.ts';
import type { DeferredEntries } from './deferred-entries.ts';
import { createRefusals } from './refusals.ts';
import { removeOldest } from '../../../src/domain/oldest.ts';

/** In ms. */
const oncePer = 3600_000;
/** Maximum of recently shown documents whose time is remembered. */
const maxRemembered = 100_000;
const { worklists, records, reviews, priors, jobs, transcriptions, channels, maintenance, patients, fhir } = contract;

/** The patient data that each call shows: the document in its path, or those in its list. */
const kinds = new Map<Endpoint, string>([
  [worklists.endpoints.list, 'items'],
  [worklists.endpoints.get, 'items'],
  [worklists.endpoints.history, 'items'],
  [records.endpoints.list, 'records'],
  [records.endpoints.get, 'records'],
  [records.endpoints.versions, 'records'],
  [records.endpoints.version, 'records'],
  [records.endpoints.audio, 'records'],
  [records.endpoints.export, 'records'],
  [fhir.endpoints.search, 'records'],
  [fhir.endpoints.report, 'records'],
  [fhir.endpoints.binary, 'records'],
  [fhir.endpoints.patient, 'items'],
  [reviews.endpoints.provenance, 'records'],
  [priors.endpoints.ofItem, 'priors'],
  [priors.endpoints.list, 'priors'],
  [priors.endpoints.get, 'priors'],
  [priors.endpoints.versions, 'priors'],
  [jobs.endpoints.list, 'jobs'],
  [jobs.endpoints.get, 'jobs'],
  [jobs.endpoints.result, 'jobs'],
  [transcriptions.endpoints.get, 'transcriptions'],
  [transcriptions.endpoints.events, 'transcriptions'],
  [channels.endpoints.message, 'messages'],
  [channels.endpoints.try, 'messages'],
  [channels.endpoints.search, 'messages'],
  [patients.endpoints.find, 'patients'],
  [patients.endpoints.get, 'patients'],
  [patients.endpoints.export, 'patients'],
  [patients.endpoints.erase, 'patients'],
  [patients.endpoints.restrict, 'patients'],
  [patients.endpoints.release, 'patients'],
  [maintenance.endpoints.backup, 'everything'],
  [maintenance.endpoints.sealedBackup, 'everything'],
  [maintenance.endpoints.export, 'everything'],
  [maintenance.endpoints.seed, 'everything'],
  [maintenance.endpoints.reset, 'everything'],
]);
/** These export documents from the server, so each call is recorded. */
const everyTime: ReadonlySet<Endpoint> = new Set<Endpoint>([
  records.endpoints.export,
  fhir.endpoints.search,
  fhir.endpoints.report,
  fhir.endpoints.binary,
  channels.endpoints.message,
  channels.endpoints.try,
  ...Object.values(patients.endpoints),
  maintenance.endpoints.backup,
  maintenance.endpoints.sealedBackup,
  maintenance.endpoints.export,
  maintenance.endpoints.seed,
  maintenance.endpoints.reset,
]);
/** Their paths name documents by FHIR ids. */
const fhirCalls: ReadonlySet<Endpoint> = new Set<Endpoint>(Object.values(fhir.endpoints));
const refusals: ReadonlySet<string | undefined> = new Set(['FORBIDDEN', 'INSUFFICIENT_SCOPE']);

/** How long further refusals of a caller are counted before they are entered, in ms. */
const refusedCallsMs = 3600_000;
const refusedLoginsMs = 60_000;

/** An attempt to log in. */
export interface LoginAttempt extends Pick<Actor, 'user_id' | 'client_id' | 'request_id' | 'address'> {
  readonly action: 'login' | 'client_login' | 'operator_login' | 'device_login' | 'provider_login';
  readonly outcome: 'done' | 'refused';
}

export interface AccessRecorder {
  enterLogin(attempt: LoginAttempt): void;
  /** Enters counts of refusals that are not entered yet. */
  flush(): void;
  close(): void;
}

/** Who acts by each way to log in. */
const actors = {
  login: 'person',
  client_login: 'client',
  operator_login: 'operator',
  device_login: 'person',
  provider_login: 'person',
} as const;
/** The kind of the documents that a login is about; otherwise it is about a call. */
const loginKinds: Partial<Record<LoginAttempt['action'], string>> = {
  login: 'users',
  client_login: 'clients',
  provider_login: 'users',
};

export function recordAccess(
  calls: WatchedCalls,
  { enter }: Pick<DeferredEntries, 'enter'>,
  clock: Clock,
): AccessRecorder {
  const recent = new Map<string, number>();
  const refused = createRefusals({ enter }, machineClockOf(clock));

  const isNew = (key: string): boolean => {
    const now = clock.elapsed();
    const before = recent.get(key);
    if (before !== undefined && now - before < oncePer) return false;
    recent.delete(key);
    recent.set(key, now);
    if (recent.size > maxRemembered) removeOldest(recent);
    return true;
  };

  const note = ({ request, endpoint, status }: EndedCall): void => {
    if (!endpoint || status === undefined) return;
    const { id } = (request.params ?? {}) as { id?: string };
    if (refusals.has(request.refusal) && request.caller) {
      const named = id !== undefined && fhirCalls.has(endpoint) ? fromReference(id) : id;
      const ids = named !== undefined && isOwnId(named) ? [named] : [];
      const actor = findActor(request, endpoint);
      return refused.enter({ ...actor, kind: kinds.get(endpoint) ?? 'calls', ids }, refusedCallsMs);
    }
    const kind = kinds.get(endpoint);
    if (kind === undefined || status >= 300) return;
    if (endpoint === channels.endpoints.message && !showsContent(request.answered)) return;
    const shown = request.shows ?? (id === undefined ? readIds(request.answered) : [id]);
    const caller = request.caller;
    const who = caller ? `${caller.user?.id} ${caller.client_id}` : 'operator';
    const ids = everyTime.has(endpoint) ? shown : shown.filter((each) => isNew(`${who} ${each}`));
    if (ids.length === 0 && kind !== 'everything') return;
    enter({ ...findActor(request, endpoint), kind, ids: [...ids], outcome: 'done' });
  };
  calls.onEnd(note);

  return {
    enterLogin({ outcome, ...attempt }) {
      const { action, user_id: user, client_id: client } = attempt;
      const about = action === 'client_login' ? client : user;
      const fact = {
        ...attempt,
        by: actors[action],
        kind: loginKinds[action] ?? 'calls',
        ids: about === null ? [] : [about],
      };
      if (outcome === 'refused') refused.enter(fact, refusedLoginsMs);
      else enter({ ...fact, outcome });
    },
    flush: refused.flush,
    close: refused.close,
  };
}

/** A reader of the trail sees every refusal so far. */
export const withRefusals = (entries: DeferredEntries, { flush }: AccessRecorder): DeferredEntries => ({
  ...entries,
  flush() {
    flush();
    return entries.flush();
  },
});

/** A message without content has no patient data. */
function showsContent(answer: unknown): boolean {
  const { data = {} } = (answer ?? {}) as { data?: object };
  return 'content' in data || 'answer' in data;
}

/** The ids on a page. */
function readIds(answer: unknown): string[] {
  const { items = [] } = (answer as { data?: { items?: readonly { id: string }[] } } | undefined)?.data ?? {};
  return items.map(({ id }) => id);
}
