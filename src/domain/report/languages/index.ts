/** The tables of all languages. */
import type { Language } from '../../../contract/shared.ts';
import * as enCorrections from './en-US/corrections.ts';
import * as enFacts from './en-US/facts.ts';
import { instructions as enInstructions } from './en-US/instructions.ts';
import { messages as enMessages } from './en-US/messages.ts';
import { marks as enMarks } from './en-US/marks.ts';
import * as enNumbers from './en-US/numbers.ts';
import { sections as enSections } from './en-US/sections.ts';
import { terms as enTerms } from './en-US/terms.ts';
import * as esCorrections from './es-ES/corrections.ts';
import * as esFacts from './es-ES/facts.ts';
import { instructions as esInstructions } from './es-ES/instructions.ts';
import { messages as esMessages } from './es-ES/messages.ts';
import { marks as esMarks } from './es-ES/marks.ts';
import * as esNumbers from './es-ES/numbers.ts';
import { sections as esSections } from './es-ES/sections.ts';
import { terms as esTerms } from './es-ES/terms.ts';
import * as ptCorrections from './pt-BR/corrections.ts';
import * as ptFacts from './pt-BR/facts.ts';
import { instructions as ptInstructions } from './pt-BR/instructions.ts';
import { messages as ptMessages } from './pt-BR/messages.ts';
import { marks as ptMarks } from './pt-BR/marks.ts';
import * as ptNumbers from './pt-BR/numbers.ts';
import { sections as ptSections } from './pt-BR/sections.ts';
import { terms as ptTerms } from './pt-BR/terms.ts';
import type { LanguageTables } from './tables.ts';

export const tables: Readonly<Record<Language, LanguageTables>> = {
  'pt-BR': {
    marks: ptMarks,
    ...ptNumbers,
    terms: ptTerms,
    ...ptCorrections,
    sections: ptSections,
    ...ptFacts,
    messages: ptMessages,
    instructions: ptInstructions,
  },
  'en-US': {
    marks: enMarks,
    ...enNumbers,
    terms: enTerms,
    ...enCorrections,
    sections: enSections,
    ...enFacts,
    messages: enMessages,
    instructions: enInstructions,
  },
  'es-ES': {
    marks: esMarks,
    ...esNumbers,
    terms: esTerms,
    ...esCorrections,
    sections: esSections,
    ...esFacts,
    messages: esMessages,
    instructions: esInstructions,
  },
};
