import { AppError } from '../../contract/errors.ts';
import { suggestWord } from '../../domain/nearest-word.ts';

/** USAGE for an unknown option, which a program without types would never notice. */
export function refuseUnknown(name: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new AppError('USAGE', {
    message: `${name} has no option ${unknown}.`,
    hint: [suggestWord(unknown, known), `Its options are ${known.join(', ')}.`].filter(Boolean).join(' '),
  });
}
