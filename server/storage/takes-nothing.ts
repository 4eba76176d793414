/** Why a server does not start on a disk that is full or broken. */
import { AppError } from '../../src/contract/errors.ts';
import { explain, isSystemError } from '../../src/node/system-error.ts';

/** The error for a disk that refuses a write which the start needs. */
export function takesNothing({ cause }: AppError): AppError {
  const { message, hint } = isSystemError(cause) ? explain(cause) : { message: '', hint: 'Check its disk.' };
  return new AppError('CONFIGURATION', {
    message: `The data directory takes no changes. ${message}`.trim(),
    hint,
    cause,
  });
}
