/** Which engines the settings choose for an embedded server, with their keys. */
import type { EngineChoice } from '../domain/engine-choice.ts';
import type { Settings } from './settings.ts';

type Chosen = Partial<Record<'recogniser' | 'writer', EngineChoice>>;

/** What is not set is left out: the server has defaults. */
export function engineChoices(
  { recogniser, writer }: Pick<Settings, 'recogniser' | 'writer'>,
  env: Readonly<Record<string, string | undefined>>,
): Chosen {
  return {
    ...(recogniser && { recogniser: { ...recogniser, key: env['LAUDIO_RECOGNISER_KEY'] || undefined } }),
    ...(writer && { writer: { ...writer, key: env['LAUDIO_WRITER_KEY'] || undefined } }),
  };
}
