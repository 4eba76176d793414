/** One state of the page, as a scripted app brings it about. */
import type { Script, ScriptedBridge } from './scripted-bridge.ts';

export interface Story {
  readonly script: Script;
  /** The part of the address after `#`. */
  readonly at?: string;
  /** What happens after the page has settled. */
  readonly then?: (bridge: ScriptedBridge) => void | Promise<void>;
}
