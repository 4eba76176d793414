/** As much of pg as the bench uses. */
declare module 'pg' {
  export interface Query {
    readonly name?: string;
    readonly text: string;
    readonly values?: readonly unknown[];
  }
  interface Client {
    query(query: string | Query, values?: readonly unknown[]): Promise<unknown>;
    release(): void;
  }
  export class Pool {
    constructor(options: { host: string; user: string; database: string; max: number });
    query(query: string | Query): Promise<unknown>;
    connect(): Promise<Client>;
  }
}
