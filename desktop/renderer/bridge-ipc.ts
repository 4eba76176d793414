/** The bridge over Electron's IPC: the page runs in a window of the app. */
import { createKeyedListeners } from '../../src/domain/listeners.ts';
import { ipc } from '../bridge/carriers.ts';
import { pageMessage } from '../../src/contract/messages/page.ts';
import type { Bridge, BridgeError } from '../bridge/bridge.ts';
import type { IpcAnswer, IpcDoor } from '../bridge/carriers.ts';

/** `laudio`: the object that the preload script added to the window. */
export function createIpcBridge({ laudio }: { readonly laudio: unknown }): Bridge {
  const door = laudio as IpcDoor;
  const listeners = createKeyedListeners<string, [data: never]>();
  door.onEvent((name, data) => listeners.notify(name, data as never));
  return {
    async call(name, input, bytes, _signal, desk) {
      const answer = await door.call(name, input, bytes, desk).catch((): IpcAnswer => ({ error: unreachable }));
      if ('error' in answer) throw answer.error;
      return answer.output as never;
    },
    on: (name, listener) => listeners.add(name, listener),
    // The app and its page live and die together, so no event is missed.
    onGap: () => () => undefined,
    address: (file) => `${ipc.files}${file}`,
  };
}

/** The app behind the window is closing. */
const unreachable: BridgeError = {
  code: 'NETWORK',
  message: pageMessage('unreachable'),
  hint: pageMessage('unreachable_hint'),
};
