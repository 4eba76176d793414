/**
 * Words without a meaning by themselves: articles, "of" and the like, fillers. Proposed wording may add and omit
 * them. None of them counts, denies, compares, or gives a place, a time, a manner or a degree of certainty.
 */
import type { Language } from '../../contract/shared.ts';
import { wordSet } from '../../domain/fold.ts';

/** As spoken, in lower case with accents: Portuguese "à" is free, "há" is not. */
export const freeWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  'pt-BR': wordSet('o os a as ao aos à às de do da dos das em no na nos nas é são medindo mede medem eh né'),
  'en-US': wordSet('the a an of in at is are there which that measuring measures er'),
  'es-ES': wordSet('el la los las al de del en es son que midiendo mide miden em'),
};
