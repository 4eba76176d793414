/** How the bridge is carried: by HTTP to a browser, by Electron's IPC to a window. */
import type { BridgeError } from './bridge.ts';

/** The bridge over HTTP. Inputs never stand in an address, since addresses are logged. */
export const web = {
  /** `POST` to this path and the name of the call: the body is the input as JSON, the answer `{output}` or `{error}`. */
  calls: '/app/call/',
  /** Server-sent events, named as in `events`, with JSON. */
  events: '/app/events',
  /** `GET` of this path and an address of `files`; parts by Range. */
  files: '/app/files/',
  /** The path to which a login redirects the browser. */
  callback: '/app/callback',
  /** Every `POST` has this header with the value `1`: a page of another origin cannot send it. */
  ownHeader: 'x-laudio-app',
  /** The input of a call whose body is raw bytes: JSON, percent-encoded as by encodeURIComponent. */
  inputHeader: 'x-laudio-input',
  /** For whom the page makes the call: the `desk` of the session. */
  deskHeader: 'x-laudio-desk',
} as const;

/** The bridge over Electron's IPC. */
export const ipc = {
  /** `invoke` with the name of the call, its input, its bytes and the desk for which it is made: `IpcAnswer`. */
  call: 'laudio:call',
  /** `send` to the page with the name of an event and its data. */
  event: 'laudio:event',
  /** Origin of the page. */
  origin: 'laudio://app',
  /** This path and an address of `files`; parts by Range. */
  files: '/files/',
} as const;

/** The answer to a call. An error thrown through IPC would lose its code. */
export type IpcAnswer = { readonly output: unknown } | { readonly error: BridgeError };

/** What the preload script puts on the `window` of the page as `laudio`. */
export interface IpcDoor {
  call(name: string, input: unknown, bytes?: ArrayBuffer, desk?: string): Promise<IpcAnswer>;
  onEvent(listener: (name: string, data: unknown) => void): void;
}
