/**
 * The grammar of the contract: an endpoint is data, a group is a named table of endpoints. Validation, answers, the
 * OpenAPI document, the typed client and `laudio api` are all read from this data; nothing else names a path or a scope.
 */
import type { ErrorCode } from './errors.ts';
import type { Schema, TypeOf } from './schema.ts';
import type { Scope } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Media types of bodies that the handler reads while they arrive; it is the one to check them. */
export const streamTypes = ['application/x-tar', 'application/x-ndjson'] as const;

/** Media types in which a body may come. */
export type BodyType =
  | 'application/json'
  | 'multipart/form-data'
  | 'application/x-www-form-urlencoded'
  | (typeof streamTypes)[number];

/**
 * Who may call: `public` anyone; `client` a partner application by its id and secret; `bearer` an access token;
 * `admin` the operator of this server, by the admin token of its data directory.
 */
export type Access = 'public' | 'client' | 'bearer' | 'admin';

/**
 * How an answer looks: `envelope` as in section 2.7 of the specification; `plain` the JSON alone (OAuth and discovery
 * documents, whose shapes are given by RFCs); or the media types of a page, a file or a stream.
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
  /** Needed with `bearer`. Absent: any valid token will do. */
  readonly scope?: Scope;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Default: JSON alone. */
  readonly bodyTypes?: readonly BodyType[];
  /** In bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** The handler checks query and body itself: a part of a batch may be refused and the rest taken; OAuth has its own errors. */
  readonly checksOwnInput?: true;
  /** The body holds an `audio` that is streamed to disk while it arrives. */
  readonly takesAudio?: true;
  readonly answer: AnswerStyle;
  /** Success status → schema of `data` (of the body where `answer` is not `envelope`). */
  readonly responses: Readonly<Partial<Record<SuccessStatus, Schema>>>;
  /** Besides those that every endpoint of its access can give. */
  readonly errors?: readonly ErrorCode[];
  /** Honours `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Gives or honours `ETag`/`If-Match`. */
  readonly versioned?: true;
  /** Not in the specification: added by Laudio, marked `x-extension` in the OpenAPI document. */
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

/** Whether the answer goes on until one side ends it. */
export const isEventStream = ({ answer }: Endpoint): boolean =>
  typeof answer !== 'string' && answer.includes('text/event-stream');

export const endpoint = <const E extends Endpoint>(definition: E): E => definition;
export const group = <const G extends Group>(definition: G): G => definition;

/** What a caller may say: path parameters, query and body. */
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
}

/** What comes back: a success status, its data and the headers that belong to it. */
export type Output<E extends Endpoint> = E['answer'] extends readonly string[] ? RawOutput : JsonOutput<E>;

type JsonOutput<E extends Endpoint> = {
  [S in keyof E['responses'] & number]: {
    readonly status: S;
    readonly data: TypeOf<E['responses'][S]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof E['responses'] & number];

/** One handler an endpoint; `Call` is what the server knows besides the input (who calls, from where, …). */
export type Handlers<G extends Group, Call> = {
  readonly [K in keyof G['endpoints']]: (
    input: Input<G['endpoints'][K]>,
    call: Call,
  ) => Promise<Output<G['endpoints'][K]>>;
};
