/** The one way out of the page. Whoever starts the page sets it: main.tsx, a test, a story. */
import { otherWindow } from '../../bridge.ts';
import type { Bridge, BridgeError } from '../../bridge.ts';

let current: Bridge | undefined;

export const setBridge = (bridge: Bridge): void => {
  current = bridge;
};

/** The app behind the page. Throws when nobody set it, which is a defect of the start. */
export function bridge(): Bridge {
  if (current === undefined) throw new Error('The page was started without its bridge.');
  return current;
}

/** What a refused call said. What isn't one of those errors (a defect of the page) is told as INTERNAL_ERROR. */
export function asBridgeError(thrown: unknown): BridgeError {
  const isError =
    typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    'message' in thrown;
  return isError
    ? (thrown as BridgeError)
    : { code: 'INTERNAL_ERROR', message: thrown instanceof Error ? thrown.message : String(thrown) };
}

/** `details.reason` of a refusal. */
export const reasonOf = (error: BridgeError): unknown => error.details?.['reason'];

/** Refused because another window of the same person records the dictation. */
export const isElsewhere = (error: BridgeError): boolean => reasonOf(error) === otherWindow;
