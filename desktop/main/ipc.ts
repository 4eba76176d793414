/** The bridge over Electron's IPC: the only module that listens to pages and sends them events. */
import { ipcMain } from 'electron';
import type { IpcMainInvokeEvent, WebContents } from 'electron';
import type { App } from '../app/page/app.ts';
import { ipc } from '../bridge/carriers.ts';
import type { EventData, EventName } from '../bridge/events.ts';
import type { Calls } from './calls.ts';

/** Sends an event to the page of one window. */
export interface PageLine {
  emit<N extends EventName>(name: N, data: EventData<N>): void;
}

/** Serves only the pages that are added, each until its window closes. */
export function serveBridge(app: App, calls: Calls): { add(contents: WebContents): PageLine } {
  const pages = new Set<WebContents>();
  const answer = ({ sender, senderFrame: frame }: IpcMainInvokeEvent, ...call: unknown[]): Promise<unknown> =>
    calls.answer(
      frame === null || !pages.has(sender)
        ? undefined
        : { origin: frame.origin, isMain: frame.parent === null && frame === sender.mainFrame },
      ...call,
    );
  return {
    add(contents) {
      if (pages.size === 0) ipcMain.handle(ipc.call, answer);
      pages.add(contents);
      const send = (name: string, data: unknown): void => {
        if (!contents.isDestroyed()) contents.send(ipc.event, name, data);
      };
      const stop = app.on(({ name, data }) => send(name, data));
      contents.once('destroyed', () => {
        stop();
        pages.delete(contents);
        if (pages.size === 0) ipcMain.removeHandler(ipc.call);
      });
      return { emit: send };
    },
  };
}
