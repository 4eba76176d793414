/** What the sections of the bench are given, and what they give. */
import type { Serving } from '../support/process.ts';
import { testToken } from '../support/test-token.ts';
import { ingestOf } from './ingest.ts';
import type { Taker } from './ingest.ts';

type Unit = 'ms' | 'µs' | 'requests/s' | 'commits/s' | 'items/s' | 'MiB';

export interface Row {
  readonly what: string;
  readonly against: string;
  readonly value: number;
  readonly base: number;
  readonly unit: Unit;
  /** What the ratio should be. */
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
}

/** Places and servers that last as long as a section. */
export interface Bench {
  readonly env: NodeJS.ProcessEnv;
  /** The built command line. */
  readonly entry: string;
  /** A path that nobody uses yet. */
  fresh(): string;
  /** Starts the server on a data directory, by default a fresh one, with further options. */
  serve(dataDirectory?: string, options?: readonly string[]): Promise<Serving>;
  /** Starts the server, which writes its long turns to that file (loop-watch.ts). */
  serveWatched(turns: string, dataDirectory?: string, options?: readonly string[]): Promise<Serving>;
  /** Starts one of the programs beside this file. */
  run(program: string, args?: readonly string[]): Promise<Serving>;
}

export const takerOf = async ({ ready }: Serving): Promise<Taker> => ingestOf(ready.url, await testToken(ready));
