import { AppError } from '../../contract/errors.ts';

/** USAGE for an unknown option, which a program without types would never notice. */
export function refuseUnknown(name: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new AppError('USAGE', {
    message: `${name} has no option ${unknown}.`,
    hint: `Its options are ${known.join(', ')}.`,
  });
}
