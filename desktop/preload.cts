/**
 * The page's interface to the app: calls and events, and nothing else of Electron (contextBridge copies all values).
 */
import type { ContextBridge, IpcRenderer } from 'electron';
import type { ipc, IpcDoor } from './bridge/carriers.ts' with { 'resolution-mode': 'import' };

const { contextBridge, ipcRenderer } = require('electron') as {
  readonly contextBridge: ContextBridge;
  readonly ipcRenderer: IpcRenderer;
};

/** A sandboxed script can't import our modules; the type ensures that these names are those of `ipc`. */
const channels: Pick<typeof ipc, 'call' | 'event'> = { call: 'laudio:call', event: 'laudio:event' };

const door: IpcDoor = {
  call: (...call) => ipcRenderer.invoke(channels.call, ...call),
  onEvent: (listener) => void ipcRenderer.on(channels.event, (_event, name: string, data) => listener(name, data)),
};
contextBridge.exposeInMainWorld('laudio', door);
