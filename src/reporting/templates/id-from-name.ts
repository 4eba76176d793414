/** The default id of a template. */
import { phraseWords } from '../words/phrases.ts';

/** `TC de tórax (nossa)` → `tc_de_torax_nossa`; a name without Latin letters or figures gives `template`. */
export function idFromName(name: string): string {
  const id = phraseWords(name)
    .map((word) => word.replace(/[^a-z0-9]/g, ''))
    .filter((word) => word !== '')
    .join('_')
    .slice(0, 64)
    .replace(/(?<!_)_+$/, '');
  return id === '' ? 'template' : id;
}
