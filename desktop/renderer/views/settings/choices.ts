import type { Language } from '../../../../src/contract/shared.ts';

/** Each language by its own name. */
export const languageChoices: readonly { value: Language; label: string }[] = [
  { value: 'pt-BR', label: 'Português (Brasil)' },
  { value: 'en-US', label: 'English' },
  { value: 'es-ES', label: 'Español' },
];
