/** Functions that run in threads (workers.ts). Each belongs to the room whose work it does. */

/** A function that its module exports as `exportName`, so that a thread can import it. */
export interface ThreadTask<In, Out> {
  (input: In): Promise<Out>;
  /** URL of the module. */
  readonly module: string;
  readonly exportName: string;
}

/** `module`: the caller's `import.meta.url`. Inputs and results are copied between threads. */
export const threadTask = <In, Out>(
  module: string,
  exportName: string,
  run: (input: In) => Promise<Out>,
): ThreadTask<In, Out> => Object.assign(run, { module, exportName });
