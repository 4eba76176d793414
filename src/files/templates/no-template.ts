/** The error for a file that holds no template. */
import { AppError } from '../../contract/errors.ts';

const kinds =
  'A template is a JSON file, as laudio template export writes it, or an HTML file of the MRRT profile, as RSNA publishes them.';

export const noTemplate = (message: string, hint = kinds): AppError =>
  new AppError('VALIDATION_FAILED', { message, hint });
