import { unknownWord } from '../../domain/unknown-word.ts';

/** USAGE for an unknown option, which a program without types would never notice. */
export function refuseUnknown(name: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw unknownWord(`${name} has no option ${unknown}.`, unknown, known, `Its options are ${known.join(', ')}.`);
}
