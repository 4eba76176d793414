/** The Subscription of a FHIR client, as it is stored. */
import { fhirVersions } from '../../src/contract/fhir-types.ts';
import { array, integer, nullable, object, oneOf, string } from '../../src/contract/schema.ts';

export const Subscription = object(
  {
    id: string(),
    space: string(),
    client_id: string(),
    status: oneOf(['requested', 'active', 'error', 'off']),
    reason: string(),
    endpoint: string(),
    /** Headers of each notification, `NAME: VALUE`. */
    headers: array(string()),
    content: oneOf(['empty', 'id-only', 'full-resource']),
    heartbeat_seconds: nullable(integer({ minimum: 1 })),
    ends_at: nullable(string()),
    /** Number of the last event. */
    events: integer({ minimum: 0 }),
    /** Why the status is `error`, or why the last handshake failed. */
    error: nullable(string()),
    /** Origin of this server as the client called it. */
    base_url: string(),
    created_at: string(),
    updated_at: string(),
  },
  {
    /** The form of the resource and of its notifications. Default: R4. */
    fhir_version: oneOf(fhirVersions),
    /** Since the Subscription was requested. */
    failed_handshakes: integer({ minimum: 0 }),
    /** When the handshake is tried again; `null`: at once. */
    next_handshake_at: nullable(string()),
  },
);
