/**
 * The commands that a person can say during a dictation. A phrase is a command only if it is alone between two pauses
 * and equals one in full, so that the words of a report never act.
 */
import type { Language } from '../contract/shared.ts';
import type { Phrase } from '../contract/transcription.ts';
import { fold, phraseList } from './fold.ts';
import { normalForm } from './normal-form.ts';

type Sayings = Readonly<Record<Language, string>>;

/**
 * The commands of each language: ways to say each, the shown one first; `…` is for words of the report. None may be
 * words that occur in reports, such as "previous exam" or the name of a section.
 */
export const voiceCommands = {
  next_field: {
    'en-US': 'next field, next section, go to next field, go to next section, go to the next field',
    'pt-BR':
      'próximo campo, campo seguinte, próxima seção, seção seguinte, ir para o próximo campo, ir para próximo campo',
    'es-ES':
      'siguiente campo, campo siguiente, próximo campo, siguiente sección, sección siguiente, ir al siguiente campo',
  },
  previous_field: {
    'en-US': 'previous field, previous section, go to previous field, go to the previous field, back to previous field',
    'pt-BR': 'campo anterior, seção anterior, voltar ao campo anterior, ir para o campo anterior',
    'es-ES': 'campo anterior, sección anterior, volver al campo anterior, ir al campo anterior',
  },
  select: {
    'en-US': 'select … through …, select from … through …',
    'pt-BR': 'selecionar … até …, selecione … até …, seleciona … até …, selecionar de … até …',
    'es-ES': 'seleccionar … hasta …, seleccione … hasta …, selecciona … hasta …, seleccionar desde … hasta …',
  },
  delete: {
    'en-US': 'delete that, erase that, remove that',
    'pt-BR': 'apagar isso, apaga isso, apague isso, excluir isso, remover isso',
    'es-ES': 'borrar eso, borra eso, borre eso, eliminar eso, elimine eso',
  },
  undo: {
    'en-US': 'undo that',
    'pt-BR': 'desfazer isso, desfaz isso, desfaça isso',
    'es-ES': 'deshacer eso, deshaz eso, deshaga eso',
  },
  priors: {
    'en-US': 'show priors, show prior reports, show the priors, show previous reports, open priors',
    'pt-BR':
      'mostrar anteriores, mostrar laudos anteriores, mostre os anteriores, mostrar os anteriores, mostrar exames anteriores, abrir anteriores, ver anteriores',
    'es-ES':
      'mostrar anteriores, mostrar informes anteriores, muestre los anteriores, mostrar los anteriores, mostrar estudios anteriores, abrir anteriores, ver anteriores',
  },
  hide_priors: {
    'en-US': 'hide priors, close priors, hide the priors, close the priors',
    'pt-BR': 'fechar anteriores, fechar laudos anteriores, ocultar anteriores, fechar os anteriores',
    'es-ES': 'cerrar anteriores, cerrar informes anteriores, ocultar anteriores, cerrar los anteriores',
  },
  next_prior: {
    'en-US': 'next prior, next prior report',
    'pt-BR': 'próximo anterior, próximo laudo anterior',
    'es-ES': 'siguiente anterior, siguiente informe anterior',
  },
  next_exam: {
    'en-US': 'next exam, next study, next case, next patient, open next exam, go to next exam, go to the next exam',
    'pt-BR':
      'próximo exame, exame seguinte, próximo estudo, próximo paciente, abrir próximo exame, ir para o próximo exame',
    'es-ES':
      'siguiente estudio, estudio siguiente, próximo estudio, siguiente examen, siguiente paciente, abrir siguiente estudio, ir al siguiente estudio',
  },
  previous_exam: {
    'en-US':
      'back to previous exam, back to the previous exam, open previous exam, go to previous exam, go back to the previous exam',
    'pt-BR': 'voltar ao exame anterior, volta ao exame anterior, abrir exame anterior',
    'es-ES':
      'volver al estudio anterior, vuelve al estudio anterior, abrir estudio anterior, volver al examen anterior',
  },
  pause: {
    'en-US': 'pause dictation, pause recording, stop dictation, stop recording',
    'pt-BR': 'pausar ditado, pausar gravação, pausar o ditado, pausa o ditado, parar gravação, parar ditado',
    'es-ES':
      'pausar dictado, pausar grabación, pausar el dictado, pausa el dictado, detener grabación, detener dictado, parar grabación, parar dictado',
  },
  generate: {
    'en-US': 'generate report, generate the report, make report, make the report',
    'pt-BR': 'gerar laudo, gerar o laudo, gere o laudo, gera o laudo',
    'es-ES': 'generar informe, generar el informe, genere el informe, genera el informe',
  },
  sign: {
    'en-US': 'sign report, sign the report, sign this report',
    'pt-BR': 'assinar laudo, assinar o laudo, assine o laudo, assina o laudo',
    'es-ES': 'firmar informe, firmar el informe, firme el informe, firma el informe',
  },
  voice_help: {
    'en-US': 'what can I say, show voice commands',
    'pt-BR':
      'o que posso dizer, o que eu posso dizer, o que posso falar, o que eu posso falar, mostrar comandos de voz',
    'es-ES': 'qué puedo decir, mostrar comandos de voz',
  },
} as const satisfies Record<string, Sayings>;
export type VoiceCommand = keyof typeof voiceCommands;
export const voiceCommandNames = Object.keys(voiceCommands) as VoiceCommand[];

/** Commands that the writer carries out in every dictation, also where no words appear during speech. */
export const writtenCommands = {
  insert: { 'en-US': 'insert …', 'pt-BR': 'inserir …', 'es-ES': 'insertar …' },
  go_to: { 'en-US': 'go to …', 'pt-BR': 'ir para …', 'es-ES': 'ir a …' },
} as const satisfies Record<string, Sayings>;

/** The ways to say a command, the shown one first. */
export const listSayings = (command: VoiceCommand, language: Language): string[] =>
  phraseList(voiceCommands[command][language]);

export interface SpokenCommand {
  readonly command: VoiceCommand;
  /** The words that stand for `…`, folded, without punctuation. */
  readonly words: readonly string[];
}

/** The words of a text for comparison, between spaces. */
const keyOf = (text: string): string =>
  fold(normalForm(text))
    .replace(/[^\p{L}\p{N}…]+/gu, ' ')
    .trim();

interface Saying {
  readonly command: VoiceCommand;
  readonly pattern: RegExp;
}

/** The longest range that `select` takes, in words at each end. */
const maxEndWords = 6;
const words = String.raw`(\S+(?: \S+){0,${maxEndWords - 1}}?)`;
const read = new Map<Language, readonly Saying[]>();

function readSayings(language: Language): readonly Saying[] {
  const known = read.get(language);
  if (known) return known;
  const sayings = voiceCommandNames.flatMap((command) =>
    listSayings(command, language).map((saying) => ({
      command,
      pattern: new RegExp(`^${keyOf(saying).replaceAll('…', words)}$`, 'u'),
    })),
  );
  // The more precise saying first: "select from … through …".
  const ordered = sayings.toSorted((a, b) => b.pattern.source.length - a.pattern.source.length);
  read.set(language, ordered);
  return ordered;
}

/** The command that the text is, as a whole; `undefined`: none. */
export function matchCommand(text: string, language: Language): SpokenCommand | undefined {
  const key = keyOf(text);
  for (const { command, pattern } of readSayings(language)) {
    const match = pattern.exec(key);
    if (match) return { command, words: match.slice(1) };
  }
  return undefined;
}

/** Seconds without words before and after a command. */
const pause = 0.3;

/**
 * The command that a final phrase is, if it is alone. `before`: the phrases before it in the take. `isLast`: the
 * take ended with it. Without the times of words no pause is certain, and there is no command.
 */
export function hearCommand(
  phrase: Phrase,
  {
    before,
    isLast,
    language,
  }: { readonly before: readonly Phrase[]; readonly isLast: boolean; readonly language: Language },
): SpokenCommand | undefined {
  const [first, last] = [phrase.words[0], phrase.words.at(-1)];
  if (!first || !last) return undefined;
  const previous = before.findLast(({ text }) => text.trim() !== '');
  const spokenTo = previous ? (previous.words.at(-1)?.end ?? previous.end) : -Infinity;
  const isAlone = first.start - spokenTo >= pause && (isLast || phrase.end - last.end >= pause);
  return isAlone ? matchCommand(phrase.text, language) : undefined;
}

/** A range of a text. */
export interface FoundRange {
  readonly start: number;
  readonly end: number;
}

/** The last place where a text has the words from the first to the last ones, other than in the command itself. */
export function findSpokenRange(
  text: string,
  [first = '', last = '']: readonly string[],
  said = '',
): FoundRange | undefined {
  const all = Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ 0: word, index }) => ({
    key: keyOf(word),
    start: index,
    end: index + word.length,
  }));
  const own = keyOf(said).split(' ');
  const command = all.findLastIndex((_, at) => own.every((word, n) => all[at + n]?.key === word));
  const found = all.filter((_, at) => command < 0 || at < command || at >= command + own.length);
  const at = (wanted: readonly string[], from: number): boolean =>
    wanted.every((word, n) => found[from + n]?.key === word);
  const [begins, ends] = [first.split(' '), last.split(' ')];
  for (let from = found.length - 1; from >= 0; from -= 1) {
    if (!at(begins, from)) continue;
    const to = found.findIndex((_, n) => n >= from + begins.length && at(ends, n));
    const [start, end] = [found[from], found[to + ends.length - 1]];
    if (to >= 0 && start && end) return { start: start.start, end: end.end };
  }
  return undefined;
}
