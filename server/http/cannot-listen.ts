import { AppError } from '../../src/contract/errors.ts';

/** The error for a port that cannot be had; its cause tells the code. */
export function cannotListen(error: unknown, port: number): AppError {
  const { code } = error as NodeJS.ErrnoException;
  const reason =
    code === 'EADDRINUSE'
      ? 'is in use'
      : code === 'EACCES'
        ? 'needs more rights than you have'
        : `cannot be used (${code})`;
  return new AppError('CONFIGURATION', {
    message: `Port ${port} ${reason}.`,
    hint: 'Choose another one with --port, or 0 for any free one.',
    cause: error,
  });
}
