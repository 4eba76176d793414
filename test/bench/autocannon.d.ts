/** The part of autocannon 9 that the load generator uses; the package brings no types. */
declare module 'autocannon' {
  export interface Load {
    readonly url: string;
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    /** `[<id>]` in it stands for an id of each request's own, with `idReplacement`. */
    readonly body: string;
    readonly idReplacement: boolean;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
  }

  export interface Outcome {
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
    readonly timeouts: number;
    /** Seconds. */
    readonly duration: number;
    /** Milliseconds. */
    readonly latency: { readonly p99: number };
  }

  export default function autocannon(load: Load): Promise<Outcome>;
}
