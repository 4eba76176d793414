import { AppError } from '../contract/errors.ts';

/** Problems of a port, by the code of the system's error. */
const ofPort: Readonly<Record<string, string>> = { EADDRINUSE: 'is in use', EACCES: 'needs more rights than you have' };
/** Codes by which the system says that the host is at fault. */
const ofHost: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT', 'EINVAL']);

/**
 * The error for an address that cannot be bound; its cause holds the code. `option`: the command's option for the port.
 */
export function cannotListen(error: unknown, host: string, port: number, option = '--port'): AppError {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (ofHost.has(code)) {
    return new AppError('CONFIGURATION', {
      message: `This computer does not have the address ${host}.`,
      hint: 'Choose one of its own: 127.0.0.1 is reached by this computer alone, 0.0.0.0 by others too.',
      cause: error,
    });
  }
  return new AppError('CONFIGURATION', {
    message: `Port ${port} ${ofPort[code] ?? `cannot be used (${code})`}.`,
    hint: `Choose another one with ${option}, or 0 for any free one.`,
    cause: error,
  });
}
