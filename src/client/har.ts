/**
 * HTTP Archive 1.2 (HAR), the format in which browsers and other tools store calls: its shape, and how Laudio writes
 * it.
 */

export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** A field of a form; `fileName` and `contentType` of a file. */
export interface HarParam extends HarPair {
  readonly fileName?: string;
  readonly contentType?: string;
}

export interface HarPostData {
  readonly mimeType: string;
  readonly text?: string;
  readonly params?: readonly HarParam[];
}

export interface HarEntry {
  readonly startedDateTime: string;
  /** Milliseconds. */
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly never[];
    readonly headers: readonly HarPair[];
    readonly queryString: readonly HarPair[];
    readonly postData?: HarPostData;
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly response: {
    /** 0: there was no answer. */
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly never[];
    readonly headers: readonly HarPair[];
    readonly content: {
      readonly size: number;
      readonly mimeType: string;
      readonly text?: string;
      readonly encoding?: 'base64';
    };
    readonly redirectURL: string;
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly cache: Record<never, never>;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
  /** The format reserves names with a leading underscore for the writer of the file. */
  readonly [own: `_${string}`]: unknown;
}

export interface Har {
  readonly log: {
    readonly version: string;
    readonly creator: { readonly name: string; readonly version: string };
    readonly pages: readonly never[];
    readonly entries: readonly HarEntry[];
  };
}

/** `version` is that of Laudio. */
export const buildHar = (entries: readonly HarEntry[], version: string): Har => ({
  log: { version: '1.2', creator: { name: 'Laudio', version }, pages: [], entries },
});

/** A call, in the form for writers of archives. */
export interface ArchivedCall {
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly method: string;
  readonly url: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly request: { readonly headers: Headers; readonly bytes: number | null; readonly postData?: HarPostData };
  readonly answer: {
    /** `null`: there was none. */
    readonly status: number | null;
    readonly headers: Headers;
    readonly bytes: number | null;
    readonly text?: string;
    readonly encoding?: 'base64';
  };
}

type Headers = Readonly<Record<string, unknown>>;

const pairs = (values: Headers): HarPair[] =>
  Object.entries(values).flatMap(([name, value]) => [value].flat().map((each) => ({ name, value: String(each) })));

export function harEntry({ startedAt, duration, method, url, query, request, answer }: ArchivedCall): HarEntry {
  const { text, encoding } = answer;
  return {
    startedDateTime: startedAt,
    time: duration,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: pairs(query),
      ...(request.postData && { postData: request.postData }),
      headersSize: -1,
      bodySize: request.bytes ?? -1,
    },
    response: {
      status: answer.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(answer.headers),
      content: {
        size: answer.bytes ?? -1,
        mimeType: String(answer.headers['content-type'] ?? ''),
        ...(text !== undefined && { text, ...(encoding && { encoding }) }),
      },
      redirectURL: String(answer.headers['location'] ?? ''),
      headersSize: -1,
      bodySize: answer.bytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
  };
}
