/** Defines a call of the bridge. */
import type { Schema } from '../../src/contract/schema.ts';

export interface BridgeCall {
  readonly summary: string;
  readonly input: Schema;
  readonly output: Schema;
  /** The call also carries raw bytes: the body of a `POST`, or an ArrayBuffer over IPC. */
  readonly bytes?: true;
}

/** Checks a definition and keeps its exact type. */
export const call = <const C extends BridgeCall>(definition: C): C => definition;
