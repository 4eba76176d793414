/** The tables of all languages. */
import type { Language } from '../../contract/shared.ts';
import { speech as enSpeech } from './en-US/corrections.ts';
import { meaning as enMeaning } from './en-US/facts.ts';
import { instructions as enInstructions } from './en-US/instructions.ts';
import { messages as enMessages } from './en-US/messages.ts';
import { marks as enMarks } from './en-US/marks.ts';
import { figures as enFigures } from './en-US/numbers.ts';
import { sections as enSections } from './en-US/sections.ts';
import { terms as enTerms } from './en-US/terms.ts';
import { speech as esSpeech } from './es-ES/corrections.ts';
import { meaning as esMeaning } from './es-ES/facts.ts';
import { instructions as esInstructions } from './es-ES/instructions.ts';
import { messages as esMessages } from './es-ES/messages.ts';
import { marks as esMarks } from './es-ES/marks.ts';
import { figures as esFigures } from './es-ES/numbers.ts';
import { sections as esSections } from './es-ES/sections.ts';
import { terms as esTerms } from './es-ES/terms.ts';
import { speech as ptSpeech } from './pt-BR/corrections.ts';
import { meaning as ptMeaning } from './pt-BR/facts.ts';
import { instructions as ptInstructions } from './pt-BR/instructions.ts';
import { messages as ptMessages } from './pt-BR/messages.ts';
import { marks as ptMarks } from './pt-BR/marks.ts';
import { figures as ptFigures } from './pt-BR/numbers.ts';
import { sections as ptSections } from './pt-BR/sections.ts';
import { terms as ptTerms } from './pt-BR/terms.ts';
import type { LanguageTables } from './tables.ts';

export const tables: Readonly<Record<Language, LanguageTables>> = {
  'pt-BR': {
    marks: ptMarks,
    ...ptFigures,
    terms: ptTerms,
    ...ptSpeech,
    sections: ptSections,
    ...ptMeaning,
    messages: ptMessages,
    instructions: ptInstructions,
  },
  'en-US': {
    marks: enMarks,
    ...enFigures,
    terms: enTerms,
    ...enSpeech,
    sections: enSections,
    ...enMeaning,
    messages: enMessages,
    instructions: enInstructions,
  },
  'es-ES': {
    marks: esMarks,
    ...esFigures,
    terms: esTerms,
    ...esSpeech,
    sections: esSections,
    ...esMeaning,
    messages: esMessages,
    instructions: esInstructions,
  },
};
