/** The bridge over Electron's IPC: the only module that listens to a page and sends it events. */
import { ipcMain } from 'electron';
import type { WebContents } from 'electron';
import type { App } from '../app/page/app.ts';
import { ipc } from '../bridge/carriers.ts';
import type { EventData, EventName } from '../bridge/events.ts';
import type { Calls } from './calls.ts';

/** The pages of our windows. */
export interface PageLine {
  /** Sends an event to the page of the first window. */
  emit<N extends EventName>(name: N, data: EventData<N>): void;
  /** Serves another window, until it closes. */
  add(contents: WebContents): void;
}

/** Serves only the page of `contents` and of windows that are added, until the first window closes. */
export function serveBridge(contents: WebContents, app: App, calls: Calls): PageLine {
  const served = new Set<WebContents>();
  ipcMain.handle(ipc.call, ({ sender, senderFrame: frame }, ...call: unknown[]) =>
    calls.answer(
      frame === null || !served.has(sender)
        ? undefined
        : { origin: frame.origin, isMain: frame.parent === null && frame === sender.mainFrame },
      ...call,
    ),
  );
  const sendTo = (to: WebContents, name: string, data: unknown): void => {
    if (!to.isDestroyed()) to.send(ipc.event, name, data);
  };
  const add = (to: WebContents): void => {
    served.add(to);
    const stop = app.on(({ name, data }) => sendTo(to, name, data));
    to.once('destroyed', () => {
      stop();
      served.delete(to);
    });
  };
  add(contents);
  contents.once('destroyed', () => ipcMain.removeHandler(ipc.call));
  return { emit: (name, data) => sendTo(contents, name, data), add };
}
