/** Settles when the signal is aborted: a server waits for requests, and this keeps the process from ending before. */
export const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const alive = setInterval(() => {}, 2 ** 30);
    const end = () => {
      clearInterval(alive);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
