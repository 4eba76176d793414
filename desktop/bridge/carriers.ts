/** The carriers of the bridge: HTTP to a browser, Electron's IPC to a window. */
import type { BridgeError } from './bridge.ts';

/** The bridge over HTTP. Addresses contain no inputs, since addresses are logged. */
export const web = {
  /** `POST` to this path and the name of the call: the body is the input as JSON, the answer `{output}` or `{error}`. */
  calls: '/app/call/',
  /** Server-sent events, named as in `events`, with JSON. */
  events: '/app/events',
  /** `GET` of this path and an address of `files`; ranges with the Range header. */
  files: '/app/files/',
  /** The path to which a login redirects the browser. */
  callback: '/app/callback',
  /** `POST` of another process of the server: begins the session of a login that was completed there. */
  enter: '/app/enter',
  /** Every `POST` has this header with the value `1`: a page of another origin cannot send it. */
  ownHeader: 'x-laudio-app',
  /** The input of a call whose body is raw bytes: JSON, percent-encoded as by encodeURIComponent. */
  inputHeader: 'x-laudio-input',
  /** The person who makes the call: the `desk` of the session. */
  deskHeader: 'x-laudio-desk',
} as const;

/** The bridge over Electron's IPC. */
export const ipc = {
  /** `invoke` with the name of the call, its input, its bytes and the person's desk: `IpcAnswer`. */
  call: 'laudio:call',
  /** `send` to the page with the name of an event and its data. */
  event: 'laudio:event',
  /** Origin of the page. */
  origin: 'laudio://app',
  /** This path and an address of `files`; ranges with the Range header. */
  files: '/files/',
} as const;

/** The answer to a call. An error thrown through IPC would lose its code. */
export type IpcAnswer = { readonly output: unknown } | { readonly error: BridgeError };

/** The object that the preload script adds to the page's `window` as `laudio`. */
export interface IpcDoor {
  call(name: string, input: unknown, bytes?: ArrayBuffer, desk?: string): Promise<IpcAnswer>;
  onEvent(listener: (name: string, data: unknown) => void): void;
}
