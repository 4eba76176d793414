/** The other end of an `OwnProcess`: how its module communicates with the parent process. */

export interface Parent {
  post(message: unknown): void;
  /** Calls the listener with each message. Listening keeps the process alive while the parent exists. */
  listen(listener: (message: unknown) => void): void;
}

/** Electron's `process.parentPort` in a utility process. */
interface ParentPort {
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

export function connectParent(own: NodeJS.Process = process): Parent {
  const { parentPort } = own as { readonly parentPort?: ParentPort };
  if (parentPort) {
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
      post: (message) => parentPort.postMessage(message),
      listen: (listener) => parentPort.on('message', ({ data }) => listener(data)),
    };
  }
  return {
    post: (message) => void own.send?.(message),
    listen: (listener) => void own.on('message', listener),
  };
}
