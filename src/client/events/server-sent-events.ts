/** Writes server-sent events as text (HTML Living Standard 9.2). */

/** Asks a proxy not to buffer the answer (the header of nginx; other proxies know it too). */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** A comment, which readers skip: it keeps the stream open. */
export const comment = ':\n\n';

export interface ServerSentEvent {
  readonly name: string;
  /** Id after which a reconnecting reader resumes: its `Last-Event-ID`. */
  readonly id?: string;
  /** The data, written as JSON. */
  readonly data: unknown;
}

export const eventText = ({ name, id, data }: ServerSentEvent): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
