/**
 * The text of a settings file. A power loss may leave it empty, or full of zeros, if the disk had not written it yet.
 */
import { AppError } from '../contract/errors.ts';

export const isBlank = (content: string): boolean => /^\uFEFF?[\0\s]*$/.test(content);

/** The error for a file whose settings are lost; `mend`: what to do about the request. */
export const lostFile = (path: string, mend?: string): AppError =>
  new AppError('CONFIGURATION', {
    message: `${path} is empty, as a power loss can leave it.`,
    hint: `Its settings are lost. ${mend ?? 'Put a copy in its place, or remove it to go on with the defaults'}.`,
  });

export function parseObject(content: string, path: string): Record<string, unknown> {
  // Windows editors begin a file with a byte-order mark.
  const text = content.replace(/^\uFEFF/, '');
  if (isBlank(text)) throw lostFile(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('CONFIGURATION', { message: `${path} is not valid JSON.` });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new AppError('CONFIGURATION', { message: `${path} must hold one JSON object.` });
}
