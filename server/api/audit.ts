/** The operator's calls for the audit trail. */
import { Readable } from 'node:stream';
import type { audit } from '../../src/contract/audit.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { validationFailed } from '../../src/contract/errors.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';
import { eventStreamHeaders } from '../../src/client/events/server-sent-events.ts';
import { followTrail } from '../operations/audit/follow-trail.ts';
import type { FollowedTrail } from '../operations/audit/follow-trail.ts';
import type { DeferredEntries } from '../operations/audit/deferred-entries.ts';
import { listEntries } from '../operations/audit/read-trail.ts';
import type { TrailFilter } from '../operations/audit/read-trail.ts';
import type { Trail } from '../operations/audit/trail.ts';
import { verifyTrail } from '../operations/audit/verify-trail.ts';
import { findPatientIds } from '../operations/patients/patient-ids.ts';
import type { Call } from '../http/call.ts';
import type { Store } from '../storage/store.ts';

/**
 * NOT_FOUND for a person or an application that there is not: an empty answer would say that it did nothing. One that was removed
 * may still have entries, which other filters or the page leave out.
 */
async function requireSubject(
  trail: Trail,
  { user_id, client_id }: { readonly user_id?: string; readonly client_id?: string },
): Promise<void> {
  const hasEntries = async (filter: TrailFilter): Promise<boolean> =>
    (await listEntries(trail, { ...filter, limit: 1 })).items.length > 0;
  if (user_id !== undefined && !(await trail.store.get('users', user_id)) && !(await hasEntries({ user_id })))
    throw noSubject('user', user_id, []);
  if (client_id !== undefined && !(await trail.store.get('clients', client_id)) && !(await hasEntries({ client_id })))
    throw noSubject('client', client_id, await trail.store.find('clients', { limit: 200 }));
}

function noSubject(noun: string, id: string, known: readonly { readonly id: string }[]): Error {
  const message = `There is no such ${noun}, and the trail has no entry of ${id}.`;
  const ids = known.map((each) => each.id);
  return unknownWord(message, id, ids, undefined, 'NOT_FOUND');
}

export function auditRoutes(
  trail: FollowedTrail,
  { store, gathered, clock }: { readonly store: Store; readonly gathered: DeferredEntries; readonly clock: Clock },
): Handlers<typeof audit, Call> {
  // Includes recent entries; if the store cannot write, the trail so far is still readable.
  const settle = () => gathered.flush().catch(() => undefined);
  return {
    async list({ query: { patient, ...query } }) {
      await settle();
      const about = patient === undefined ? undefined : await findPatientIds(store, patient);
      const data = await listEntries(trail, { ...query, about });
      if (data.items.length === 0) await requireSubject(trail, query);
      return { status: 200, data };
    },
    async events({ query }, { header, signal }) {
      await settle();
      const stream = followTrail(trail, clock, { ...query, lastSeen: header('last-event-id'), signal });
      const first = await stream.next();
      const body = Readable.from(
        (async function* () {
          if (!first.done) yield first.value;
          yield* stream;
        })(),
        { highWaterMark: 1 },
      );
      return { status: 200, headers: eventStreamHeaders, body };
    },
    async verify({ query: { number, hash } }) {
      if ((number === undefined) !== (hash === undefined)) {
        throw validationFailed([
          {
            field: number === undefined ? 'number' : 'hash',
            message: 'number and hash belong together',
            code: 'FIELD_REQUIRED',
          },
        ]);
      }
      await settle();
      const noted = number === undefined || hash === undefined ? undefined : { number, hash };
      return { status: 200, data: await verifyTrail(trail, noted) };
    },
  };
}
