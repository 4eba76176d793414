/** The settings' choices for the parts of an embedded server, with the keys of the services behind them. */
import type { Choice } from '../domain/choice.ts';
import type { Settings } from './settings.ts';

export const engineParts = ['recogniser', 'writer'] as const;
export const storeParts = ['store', 'blobs'] as const;

type Part = (typeof engineParts | typeof storeParts)[number];

/** Leaves out settings without a value: the server has defaults. */
export function choices<P extends Part>(
  parts: readonly P[],
  settings: Pick<Settings, P>,
  env: Readonly<Record<string, string | undefined>>,
): Partial<Record<P, Choice>> {
  const chosen: Partial<Record<P, Choice>> = {};
  for (const part of parts) {
    const choice: Choice | undefined = settings[part];
    if (choice) chosen[part] = { ...choice, key: env[`LAUDIO_${part.toUpperCase()}_KEY`] || undefined };
  }
  return chosen;
}
