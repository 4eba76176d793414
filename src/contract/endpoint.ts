/**
 * The grammar of the contract: an endpoint is data, a group is a named table of endpoints. Validation, answers, the
 * OpenAPI document, the typed client and `laudio api` are all read from this data; nothing else names a path or a scope.
 */
import type { ErrorCode } from './errors.ts';
import type { AnswerHeader } from './headers.ts';
import type { Schema, TypeOf } from './schema.ts';
import type { Scope } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Media types of bodies that the handler reads, and checks, while they arrive. */
export const streamTypes = ['application/x-tar', 'application/x-ndjson', 'application/octet-stream'] as const;

/** Media types of messages that a RIS sends instead of items, and the format of each. */
export const messageTypes = {
  'application/hl7-v2': 'hl7',
  'application/hl7-v2+er7': 'hl7',
  'x-application/hl7-v2+er7': 'hl7',
  'text/hl7v2': 'hl7',
  'application/fhir+json': 'fhir',
  'application/fhir+xml': 'fhir',
} as const;
export type MessageType = keyof typeof messageTypes;

/** Media types that a body may have. */
export type BodyType =
  | 'application/json'
  | 'multipart/form-data'
  | 'application/x-www-form-urlencoded'
  | MessageType
  | (typeof streamTypes)[number];

/**
 * Who may call: `public` anyone; `client` a partner application by its id and secret; `bearer` an access token;
 * `admin` the operator of this server, by the admin token of its data directory.
 */
export type Access = 'public' | 'client' | 'bearer' | 'admin';

/**
 * The form of an answer: `envelope` as in section 2.7 of the specification; `plain` the JSON alone (OAuth and discovery
 * documents, whose shapes RFCs define); or the media types of a page, a file or a stream.
 */
export type AnswerStyle = 'envelope' | 'plain' | readonly string[];

export type SuccessStatus = 200 | 201 | 202 | 303;

export interface Endpoint {
  readonly method: Method;
  /** OpenAPI path template: `/api/v1/jobs/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** The scope that the access token must have, with `bearer`. Absent: any valid token will do. */
  readonly scope?: Scope;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** A request without a body means the same as one with `{}`. */
  readonly bodyIsOptional?: true;
  /** Media types of the body. Default: JSON alone. */
  readonly bodyTypes?: readonly BodyType[];
  /** Largest body, in bytes. Default: 1 MiB. */
  readonly bodyLimit?: number;
  /**
   * The handler validates query and body: an ingest may refuse some items and accept the others; OAuth has its own
   * errors.
   */
  readonly checksOwnInput?: true;
  /** The body holds an `audio`, which the server streams to disk while it arrives. */
  readonly takesAudio?: true;
  /** The body is live sound: its seconds are counted, by the handler, and not the requests. */
  readonly takesLiveSound?: true;
  /** With `admin`: the token that the operator gave a monitor is accepted too. */
  readonly takesMonitor?: true;
  readonly answer: AnswerStyle;
  /** Success status → schema of `data` (of the body if `answer` is not `envelope`). */
  readonly responses: Readonly<Partial<Record<SuccessStatus, Schema>>>;
  /**
   * The handler builds the lists of the answer for this answer, with declared fields alone: long ones are written as
   * they are.
   */
  readonly ownLists?: true;
  /** Schema of the answer of the JSON media type, if `answer` lists one among others. */
  readonly jsonAnswer?: Schema;
  /**
   * Success status → headers of only this endpoint; all others follow from the rest of the endpoint. A `?` marks an
   * optional one.
   */
  readonly headers?: Readonly<Partial<Record<SuccessStatus, readonly (AnswerHeader | `${AnswerHeader}?`)[]>>>;
  /**
   * With `public`: the answer stays the same as long as the server runs. It has an entity tag, for `If-None-Match`, and
   * is large, so that calls count against the limit of their address.
   */
  readonly fixed?: true;
  /** The endpoint honours `Range` and `If-Range`: 206 and 416 (RFC 9110 14). */
  readonly takesRange?: true;
  /** Errors of this endpoint, in addition to those of every endpoint with its access. */
  readonly errors?: readonly ErrorCode[];
  /** The endpoint honours `Idempotency-Key`. */
  readonly idempotent?: true;
  /** The endpoint honours `If-Match`: 412 if the version is another one. */
  readonly versioned?: true;
  /** The specification does not have this endpoint: the OpenAPI document marks it `x-extension`. */
  readonly extension?: true;
  readonly examples?: {
    readonly body?: Readonly<Record<string, unknown>>;
    readonly responses?: Readonly<Partial<Record<200 | 201 | 202, Readonly<Record<string, unknown>>>>>;
  };
}

export interface Group {
  readonly title: string;
  readonly description: string;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
}

/** Whether the answer is an event stream, which continues until one side ends it. */
export const isEventStream = ({ answer }: Endpoint): boolean =>
  typeof answer !== 'string' && answer.includes('text/event-stream');

export const endpoint = <const E extends Endpoint>(definition: E): E => definition;
export const group = <const G extends Group>(definition: G): G => definition;

/** A caller's input: path parameters, query and body. */
export type Input<E extends Endpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>;

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E extends {
  readonly [P in K]: infer S extends Schema;
}
  ? { readonly [P in K]: TypeOf<S> }
  : { readonly [P in K]?: undefined };

/** An answer that is not JSON: a page, a file, a stream. */
export interface RawOutput {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** Ids of the documents that it shows, for the audit trail. Default: the document in the path. */
  readonly shows?: readonly string[];
}

/** A successful answer: its status, its data and its own headers. */
export type Output<E extends Endpoint> = E['answer'] extends readonly string[] ? RawOutput : JsonOutput<E>;

type JsonOutput<E extends Endpoint> = {
  [S in keyof E['responses'] & number]: {
    readonly status: S;
    readonly data: TypeOf<E['responses'][S]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof E['responses'] & number];

/** A handler for each endpoint; `Call` holds the server's knowledge in addition to the input (caller, address, …). */
export type Handlers<G extends Group, Call> = {
  readonly [K in keyof G['endpoints']]: (
    input: Input<G['endpoints'][K]>,
    call: Call,
  ) => Promise<Output<G['endpoints'][K]>>;
};
