/** What a page is told, as server-sent events (HTML Living Standard 9.2). */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../src/domain/clock.ts';
import type { App } from '../app/app.ts';

const heartbeatMs = 15_000;
/** Bytes that may wait for a page. One that falls further behind is cut off; it connects again and looks anew. */
const mostWaiting = 1024 * 1024;

/** Tells until the page is gone; the function returned ends it before. */
export function streamEvents(app: App, response: ServerResponse, clock: Clock): () => void {
  const write = (text: string): void => {
    response.write(text);
    if (response.writableLength > mostWaiting) response.destroy();
  };
  const stop = app.on(({ name, data }) => write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
  let callOff = (): void => undefined;
  const beat = (): void => {
    write(':\n\n');
    callOff = clock.schedule(clock.now() + heartbeatMs, beat);
  };
  response.once('close', () => {
    stop();
    callOff();
  });
  // At once, so that the page knows that it is connected; and soon again when it was cut off.
  write('retry: 1000\n');
  beat();
  return () => response.end();
}
