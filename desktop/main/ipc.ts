/** The bridge over Electron's IPC: the only module that listens to a page and sends it events. */
import { ipcMain } from 'electron';
import type { WebContents } from 'electron';
import type { App } from '../app/page/app.ts';
import { ipc } from '../bridge/carriers.ts';
import type { EventData, EventName } from '../bridge/events.ts';
import type { Calls } from './calls.ts';

/** Sends an event to the page of one window. */
export interface PageLine {
  emit<N extends EventName>(name: N, data: EventData<N>): void;
}

/** Serves only the page of `contents`, until its window closes. */
export function serveBridge(contents: WebContents, app: App, calls: Calls): PageLine {
  ipcMain.handle(ipc.call, ({ sender, senderFrame: frame }, ...call: unknown[]) =>
    calls.answer(
      frame === null || sender !== contents
        ? undefined
        : { origin: frame.origin, isMain: frame.parent === null && frame === contents.mainFrame },
      ...call,
    ),
  );
  const send = (name: string, data: unknown): void => {
    if (!contents.isDestroyed()) contents.send(ipc.event, name, data);
  };
  const stop = app.on(({ name, data }) => send(name, data));
  contents.once('destroyed', () => {
    stop();
    ipcMain.removeHandler(ipc.call);
  });
  return { emit: send };
}
