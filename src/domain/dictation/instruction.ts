/** Understands what a physician says to change a document: replace, delete, add, take back. */
import type { Section } from '../../contract/document.ts';
import { languages } from '../../contract/shared.ts';
import type { Language } from '../../contract/shared.ts';
import { languageOf } from './language-vote.ts';
import { punctuate } from './punctuation.ts';
import { sectionKinds } from './section-kinds.ts';
import { sentencesOf } from './sentences.ts';
import { fold } from './words.ts';
import { normalForm } from '../normal-form.ts';

/** `section` is a key; without one, the whole document is meant. */
export type Command =
  | {
      readonly kind: 'replace';
      readonly section: string | undefined;
      readonly ways: readonly { what: string; by: string }[];
    }
  | { readonly kind: 'delete'; readonly section: string | undefined; readonly what: string }
  | { readonly kind: 'clear'; readonly section: string }
  | { readonly kind: 'add'; readonly section: string; readonly what: string }
  | { readonly kind: 'take_back' };

interface Grammar {
  readonly polite: string;
  readonly replace: string;
  /** Between what is replaced and what comes instead. */
  readonly by: string;
  readonly delete: string;
  readonly add: string;
  readonly takeBack: string;
  /** Before a section's name, at the beginning or at the end of an instruction. */
  readonly in: string;
}

/** Folded alternatives, as the inside of a regular expression. */
const grammars: Readonly<Record<Language, Grammar>> = {
  'pt-BR': {
    polite: 'por favor',
    replace: 'troque|trocar|troca|substitua|substituir|substitui|mude|mudar|altere|alterar|corrija|corrigir',
    by: 'por|para|pela|pelo',
    delete:
      'apague|apagar|apaga|exclua|excluir|remova|remover|delete|deletar|retire|retirar|elimine|eliminar|suprima|suprimir',
    add: 'acrescente|acrescentar|acrescenta|adicione|adicionar|adiciona|inclua|incluir|insira|inserir',
    takeBack: '(?:apagar|apague|apaga|desfazer|desfaca) isso|(?:apague|apagar|remova|remover) a ultima frase',
    in: '(?:em|no|na|nos|nas|a|ao|aos|as|do|da|dos|das)(?: (?:secao|campo|item)(?: (?:de|da|do|das|dos))?)?',
  },
  'en-US': {
    polite: 'please',
    replace: 'replace|change|correct|exchange',
    by: 'with|by|to',
    delete: 'delete|remove|erase|strike',
    add: 'add|insert|append|include',
    takeBack: '(?:scratch|delete|undo|strike) that|(?:delete|remove|erase) the last sentence',
    in: '(?:in|to|into|from|under|of)(?: the)?(?: section)?',
  },
  'es-ES': {
    polite: 'por favor',
    replace:
      'cambie|cambiar|cambia|reemplace|reemplazar|reemplaza|sustituya|sustituir|sustituye|corrija|corregir|corrige',
    by: 'por|a|con',
    delete: 'borre|borrar|borra|elimine|eliminar|elimina|quite|quitar|quita|suprima|suprimir',
    add: 'agregue|agregar|agrega|anada|anadir|anade|incluya|incluir|incluye|inserte|insertar',
    takeBack:
      '(?:borrar|borre|borra|eliminar|deshacer|deshaga) eso|(?:borre|borrar|elimine|eliminar) la ultima (?:frase|oracion)',
    in: '(?:en|a|al|de|del)(?: (?:el|la|los|las))?(?: (?:seccion|campo|apartado)(?: (?:de|del))?(?: (?:el|la|los|las))?)?',
  },
};

/** What may stand before the name of a section that is deleted. */
const article = '(?:(?:o|a|os|as|the|el|la|los|las) )?(?:(?:section|secao|seccion) (?:(?:de|do|da|dos|das|del) )?)?';

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

interface SectionNames {
  /** The inside of a regular expression, the longest name first. */
  readonly pattern: string;
  readonly keyOf: ReadonlyMap<string, string>;
}

/** Names by which the document's sections can be called; kinds that it does not have are known by their names as well. */
function namesOf(sections: readonly Section[]): SectionNames {
  const keyOf = new Map<string, string>();
  const has = (key: string | undefined): boolean => sections.some((section) => section.key === key);
  for (const { key, title } of sections) keyOf.set(fold(normalForm(title)).replace(/\s+/g, ' '), key);
  for (const kind of sectionKinds) {
    const key = !has(kind.key) && kind.instead !== undefined && has(kind.instead) ? kind.instead : kind.key;
    for (const language of languages) {
      for (const phrase of [kind.titles[language], ...kind.phrases[language]]) {
        const name = fold(phrase.replace(/:$/, ''));
        if (!keyOf.has(name)) keyOf.set(name, key);
      }
    }
  }
  const pattern = [...keyOf.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map(escapeRegExp)
    .join('|');
  return { pattern, keyOf };
}

/** Quotation marks and stops around a piece of an instruction are not part of it. */
const bare = (piece: string): string => piece.replace(/^[\s"'“”«»,:]+|[\s"'“”«»,;:]+$/gu, '');

/** An instruction (and its folded copy, place by place), without the section that it names. */
function takeSection(
  instruction: string,
  grammar: Grammar,
  names: SectionNames,
): { rest: string; section: string | undefined } {
  const folded = fold(instruction);
  const named = `(?:${grammar.in}) (${names.pattern})(?: section)?`;
  const leading = new RegExp(`^${named}(?:[,:]| )\\s*`).exec(folded);
  if (leading) return { rest: instruction.slice(leading[0].length), section: names.keyOf.get(leading[1] ?? '') };
  const trailing = new RegExp(`,? ${named}$`).exec(folded);
  if (trailing) return { rest: instruction.slice(0, trailing.index), section: names.keyOf.get(trailing[1] ?? '') };
  return { rest: instruction, section: undefined };
}

/** Longest instruction, in characters, and most readings of one: nobody says more, and work stays bounded. */
const longestInstruction = 10_000;
const mostWays = 20;
const mostSentences = 100;

/** Every way to read "A by B": the word between may be in A or B as well. */
function waysToReplace(operands: string, by: string): { what: string; by: string }[] {
  const folded = fold(operands);
  return [...folded.matchAll(new RegExp(` (?:${by}) `, 'g'))]
    .map((match) => ({
      what: bare(operands.slice(0, match.index)),
      by: bare(operands.slice(match.index + match[0].length)),
    }))
    .slice(0, mostWays)
    .filter((way) => way.what !== '' && way.by !== '');
}

function parse(said: string, language: Language, names: SectionNames): Command | undefined {
  const grammar = grammars[language];
  const plain = said
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?;]+$/, '')
    .trim();
  const polite = new RegExp(`^(?:${grammar.polite}),? |,? (?:${grammar.polite})$`, 'g');
  const edges = [...fold(plain).matchAll(polite)];
  const start = edges.find((edge) => edge.index === 0)?.[0].length ?? 0;
  const end = edges.find((edge) => edge.index > 0)?.index ?? plain.length;
  const asked = plain.slice(start, end);
  if (new RegExp(`^(?:${grammar.takeBack})$`).test(fold(asked))) return { kind: 'take_back' };
  const { rest, section } = takeSection(asked, grammar, names);
  const verb = (verbs: string, of: string): string | undefined => {
    const match = new RegExp(`^(?:${verbs}):? `).exec(fold(of));
    return match ? of.slice(match[0].length) : undefined;
  };
  const replaced = verb(grammar.replace, rest);
  if (replaced !== undefined) {
    const ways = waysToReplace(replaced, grammar.by);
    return ways.length > 0 ? { kind: 'replace', section, ways } : undefined;
  }
  const added = verb(grammar.add, rest);
  // "Acrescente à impressão: …" names the section in the middle.
  const add = added === undefined || section ? { rest: added ?? '', section } : takeSection(added, grammar, names);
  if (added !== undefined) {
    const what = bare(add.rest);
    return add.section && what !== '' ? { kind: 'add', section: add.section, what } : undefined;
  }
  const whole = new RegExp(`^(?:${grammar.delete}) ${article}(${names.pattern})(?: section)?$`).exec(fold(asked));
  if (whole) return { kind: 'clear', section: names.keyOf.get(whole[1] ?? '') ?? '' };
  const deleted = verb(grammar.delete, rest);
  return deleted !== undefined && bare(deleted) !== '' ? { kind: 'delete', section, what: bare(deleted) } : undefined;
}

const parseInAnyLanguage = (said: string, first: Language, names: SectionNames): Command | undefined => {
  for (const language of [first, ...languages.filter((other) => other !== first)]) {
    const command = parse(said, language, names);
    if (command) return command;
  }
  return undefined;
};

/** Whether a sentence begins as an instruction does, understood or not. */
const looksLikeCommand = (said: string): boolean =>
  languages.some((language) => {
    const { replace, delete: deleting, add } = grammars[language];
    return new RegExp(`^(?:${replace}|${deleting}|${add}) `).test(fold(said));
  });

/**
 * The commands in an instruction, in order; none where it was not understood. Sentence by sentence if every sentence
 * that begins as a command is one, else as a whole (what is added may have several sentences).
 */
export function commandsIn(instruction: string, sections: readonly Section[], language: Language): Command[] {
  if (instruction.length > longestInstruction) return [];
  const names = namesOf(sections);
  const normal = normalForm(instruction);
  const spokenIn = languageOf(normal) ?? language;
  const sentences = sentencesOf(punctuate(normal, spokenIn));
  if (sentences.length > mostSentences) return [];
  const commands: Command[] = [];
  for (const sentence of sentences) {
    const command = parseInAnyLanguage(sentence, spokenIn, names);
    if (command) commands.push(command);
    else if (looksLikeCommand(sentence)) {
      const whole = parseInAnyLanguage(sentences.join(' '), spokenIn, names);
      return whole ? [whole] : [];
    }
  }
  return commands;
}
