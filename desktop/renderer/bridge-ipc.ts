/** The bridge over Electron's IPC: the page runs in a window of the app. */
import { ipc } from '../bridge/carriers.ts';
import type { Bridge, BridgeError } from '../bridge/bridge.ts';
import type { EventData, EventName } from '../bridge/events.ts';
import type { IpcAnswer, IpcDoor } from '../bridge/carriers.ts';

type AnyListener = (data: never) => void;

/** `laudio`: the door that the preload script put on the window. */
export function createIpcBridge({ laudio }: { readonly laudio: unknown }): Bridge {
  const door = laudio as IpcDoor;
  const listeners = new Map<string, Set<AnyListener>>();
  door.onEvent((name, data) => {
    for (const listener of listeners.get(name) ?? []) listener(data as never);
  });
  return {
    async call(name, input, bytes, _signal, desk) {
      const answer = await door.call(name, input, bytes, desk).catch((): IpcAnswer => ({ error: unreachable }));
      if ('error' in answer) throw answer.error;
      return answer.output as never;
    },
    on<N extends EventName>(name: N, listener: (data: EventData<N>) => void) {
      const others = listeners.get(name) ?? new Set();
      listeners.set(name, others.add(listener as AnyListener));
      return () => void others.delete(listener as AnyListener);
    },
    // The app and its page live and die together, so no event is missed.
    onGap: () => () => undefined,
    address: (file) => `${ipc.files}${file}`,
  };
}

/** The app behind the window is closing. */
const unreachable: BridgeError = {
  code: 'NETWORK',
  message: 'Laudio does not answer any more.',
  hint: 'Start it again; what was saved is still there.',
};
