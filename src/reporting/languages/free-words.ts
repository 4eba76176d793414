/**
 * Words that say nothing by themselves: articles, "of" and the like, hesitations. Wording that somebody proposes may bring
 * them and leave them out. None of them counts, denies, compares, or tells where, when or how sure.
 */
import type { Language } from '../../contract/shared.ts';
import { wordSet } from '../../domain/fold.ts';

/** As said, in lower case with accents: Portuguese "à" is free, "há" is not. */
export const freeWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  'pt-BR': wordSet(
    'o os a as ao aos à às de do da dos das em no na nos nas é são medindo mede medem ahn ahm hum eh né hã',
  ),
  'en-US': wordSet('the a an of in at is are there which that measuring measures uh uhm um er erm hmm'),
  'es-ES': wordSet('el la los las al de del en es son que midiendo mide miden eh ehm em mmm'),
};
