/**
 * The commands that a person can say during a dictation. A phrase is a command only if it is alone between two pauses
 * and equals one in full, so that the words of a report never act.
 */
import type { Language } from '../contract/shared.ts';
import type { Phrase } from '../contract/transcription.ts';
import { fold, phraseList } from './fold.ts';
import { normalForm } from './normal-form.ts';
import { voiceCommandNames } from './voice-command-names.ts';
import type { VoiceCommand } from './voice-command-names.ts';

type SayingsByLanguage = Readonly<Record<Language, string>>;

/**
 * The commands of each language: ways to say each, the shown one first; `…` is for words of the report, and a word in
 * brackets may be left out. None may be words that occur in reports, such as "previous exam", the name of a section, "ver
 * anteriores" or "sección anterior", which is a part of the liver.
 */
const voiceCommands: Readonly<Record<VoiceCommand, SayingsByLanguage>> = {
  next_field: {
    'en-US': 'next field, next section, go to (the) next field, go to (the) next section, move to (the) next field',
    'pt-BR': `próximo campo, campo seguinte, próxima seção, seção seguinte, ir para (o) próximo campo, ir para (a) próxima seção,
      vai para (o) próximo campo, vá para (o) próximo campo`,
    'es-ES': `siguiente campo, campo siguiente, próximo campo, siguiente sección, sección siguiente, ir al siguiente campo,
      ir al próximo campo, ir a la siguiente sección, pasar al siguiente campo`,
  },
  previous_field: {
    'en-US': `previous field, previous section, go to (the) previous field, go to (the) previous section, back to (the) previous field,
      go back to (the) previous field`,
    'pt-BR': `campo anterior, voltar ao campo anterior, ir para (o) campo anterior, volta ao campo anterior,
      voltar para (o) campo anterior, voltar à seção anterior, ir para (a) seção anterior`,
    'es-ES': `campo anterior, volver al campo anterior, ir al campo anterior, vuelve al campo anterior, volver a la sección anterior,
      ir a la sección anterior`,
  },
  select: {
    'en-US': 'select … through …, select from … through …, select from … to …',
    'pt-BR': 'selecionar … até …, selecione … até …, seleciona … até …, selecionar de … até …, selecione de … até …',
    'es-ES':
      'seleccionar … hasta …, seleccione … hasta …, selecciona … hasta …, seleccionar desde … hasta …, seleccione desde … hasta …',
  },
  delete: {
    'en-US': 'delete that, erase that, scratch that, remove that',
    'pt-BR': `apagar isso, apaga isso, apague isso, apagar isto, excluir isso, exclui isso, exclua isso, remover isso, remove isso,
      remova isso, deletar isso, deleta isso, delete isso, riscar isso, risca isso`,
    'es-ES': `borrar eso, borra eso, borre eso, borrar esto, eliminar eso, elimina eso, elimine eso, quitar eso, quita eso, quite eso,
      suprime eso, tachar eso, tacha eso`,
  },
  undo: {
    'en-US': 'undo that',
    'pt-BR': 'desfazer isso, desfaz isso, desfaça isso',
    'es-ES': 'deshacer eso, deshaz eso, deshaga eso',
  },
  priors: {
    'en-US': `show priors, show (the) prior reports, show (the) prior report, show (the) prior, show the priors, show (the) previous reports,
      show (the) previous report, open (the) priors, open (the) prior report`,
    'pt-BR': `mostrar anteriores, mostrar (os) laudos anteriores, mostrar (o) laudo anterior, mostre os anteriores, mostrar os anteriores,
      mostrar (os) exames anteriores, mostrar (o) exame anterior, mostra os anteriores, abrir (os) anteriores, abrir (o) laudo anterior`,
    'es-ES': `mostrar anteriores, mostrar (los) informes anteriores, mostrar (el) informe anterior, muestre los anteriores,
      mostrar los anteriores, mostrar (los) estudios anteriores, mostrar (el) estudio anterior, muestra los anteriores,
      abrir (los) anteriores, abrir (el) informe anterior`,
  },
  hide_priors: {
    'en-US': `hide priors, close priors, hide the priors, close the priors, hide (the) prior report, close (the) prior report,
      hide (the) prior, close (the) prior`,
    'pt-BR': `fechar anteriores, fechar (os) laudos anteriores, fechar (o) laudo anterior, ocultar (os) anteriores, fechar os anteriores,
      fecha os anteriores, esconder (os) anteriores`,
    'es-ES': `cerrar anteriores, cerrar (los) informes anteriores, cerrar (el) informe anterior, ocultar (los) anteriores,
      cerrar los anteriores, cierra los anteriores`,
  },
  next_prior: {
    'en-US': 'next prior, next prior report, show (the) next prior, older prior',
    'pt-BR': 'próximo anterior, próximo laudo anterior, mostrar (o) próximo anterior',
    'es-ES': 'siguiente anterior, siguiente informe anterior, mostrar (el) siguiente anterior',
  },
  next_exam: {
    'en-US': `next exam, next study, next case, next patient, open (the) next exam, open (the) next study, open (the) next case,
      open (the) next patient, go to (the) next exam, go to (the) next study, go to (the) next case, go to (the) next patient`,
    'pt-BR': `próximo exame, exame seguinte, próximo estudo, próximo paciente, próximo caso, abrir (o) próximo exame,
      abrir (o) próximo estudo, abrir (o) próximo paciente, ir para (o) próximo exame, ir para (o) próximo paciente,
      vai para (o) próximo exame`,
    'es-ES': `siguiente estudio, estudio siguiente, próximo estudio, siguiente examen, siguiente paciente, siguiente caso, próximo paciente,
      abrir (el) siguiente estudio, abrir (el) siguiente examen, abrir (el) próximo estudio, ir al siguiente estudio,
      ir al siguiente examen, ir al siguiente paciente, ir al próximo estudio, pasar al siguiente estudio`,
  },
  previous_exam: {
    'en-US': `back to previous exam, back to the previous exam, open (the) previous exam, go to (the) previous exam,
      go back to (the) previous exam, back to (the) previous patient, go back to (the) previous patient, back to (the) previous study,
      go back to (the) previous study`,
    'pt-BR': `voltar ao exame anterior, volta ao exame anterior, abrir (o) exame anterior, voltar para (o) exame anterior,
      ir para (o) exame anterior, voltar ao paciente anterior`,
    'es-ES': `volver al estudio anterior, vuelve al estudio anterior, abrir (el) estudio anterior, volver al examen anterior,
      vuelve al examen anterior, abrir (el) examen anterior, ir al estudio anterior, volver al paciente anterior`,
  },
  pause: {
    'en-US': `pause dictation, pause recording, stop dictation, stop recording, pause the dictation, pause the recording,
      stop the dictation, stop the recording, stop listening, microphone off, turn off (the) microphone`,
    'pt-BR': `pausar ditado, pausar gravação, pausar (o) ditado, pausar a gravação, pausa o ditado, parar gravação, parar a gravação,
      parar (o) ditado, pare a gravação, desligar (o) microfone`,
    'es-ES': `pausar dictado, pausar grabación, pausar el dictado, pausar la grabación, pausa el dictado, detener (la) grabación,
      detener (el) dictado, parar (la) grabación, parar (el) dictado, apagar (el) micrófono`,
  },
  generate: {
    'en-US': 'generate report, generate the report, make (the) report, create (the) report',
    'pt-BR': 'gerar laudo, gerar o laudo, gere o laudo, gera o laudo, criar (o) laudo, fazer (o) laudo',
    'es-ES':
      'generar informe, generar el informe, genere el informe, genera el informe, crear (el) informe, hacer (el) informe',
  },
  sign: {
    'en-US': `sign report, sign the report, sign this report, sign off (the) report, sign off on (the) report, finalize (the) report,
      approve (the) report`,
    'pt-BR': `assinar laudo, assinar o laudo, assine o laudo, assina o laudo, assinar este laudo, finalizar (o) laudo, finalize o laudo,
      liberar (o) laudo, libere o laudo`,
    'es-ES': `firmar informe, firmar el informe, firme el informe, firma el informe, firmar este informe, finalizar (el) informe,
      finalice el informe, validar (el) informe, valide el informe`,
  },
  voice_help: {
    'en-US': 'what can I say, show voice commands, show (the) commands, list commands',
    'pt-BR': `o que posso dizer, o que eu posso dizer, o que posso falar, o que eu posso falar, mostrar (os) comandos,
      mostrar comandos de voz`,
    'es-ES': 'qué puedo decir, mostrar comandos de voz, mostrar (los) comandos, qué comandos hay',
  },
};

/** Commands that the writer carries out in every dictation, also where no words appear during speech. */
export const writtenCommands = {
  insert: { 'en-US': 'insert …', 'pt-BR': 'inserir …', 'es-ES': 'insertar …' },
  go_to: { 'en-US': 'go to …', 'pt-BR': 'ir para …', 'es-ES': 'ir a …' },
} as const satisfies Record<string, SayingsByLanguage>;

/** The ways to say a command, the shown one first. */
export const listSayings = (command: VoiceCommand, language: Language): string[] => [
  ...new Set(phraseList(voiceCommands[command][language]).flatMap(expandSaying)),
];

/** With and without each word in brackets. */
const expandSaying = (saying: string): string[] =>
  /\(/.test(saying)
    ? [saying.replace(/\([^()]*\) /, ''), saying.replace(/\(([^()]*)\)/, '$1')].flatMap(expandSaying)
    : [saying];

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

interface Sayings {
  /** The key is the words of a saying. */
  readonly whole: ReadonlyMap<string, VoiceCommand>;
  /** Those with words of the report in them. */
  readonly open: readonly { readonly command: VoiceCommand; readonly pattern: RegExp }[];
}

/** The longest range that `select` takes, in words at each end. */
const maxEndWords = 6;
const words = String.raw`(\S+(?: \S+){0,${maxEndWords - 1}}?)`;
const read = new Map<Language, Sayings>();

function readSayings(language: Language): Sayings {
  const known = read.get(language);
  if (known) return known;
  const all = voiceCommandNames.flatMap((command) =>
    listSayings(command, language).map((saying) => ({ command, key: keyOf(saying) })),
  );
  const open = all
    .filter(({ key }) => key.includes('…'))
    .map(({ command, key }) => ({ command, pattern: new RegExp(`^${key.replaceAll('…', words)}$`, 'u') }));
  const sayings: Sayings = {
    whole: new Map(all.map(({ command, key }) => [key, command])),
    // The more precise saying first: "select from … through …".
    open: open.toSorted((a, b) => b.pattern.source.length - a.pattern.source.length),
  };
  read.set(language, sayings);
  return sayings;
}

/** The command that the text is, as a whole; `undefined`: none. */
export function matchCommand(text: string, language: Language): SpokenCommand | undefined {
  const key = keyOf(text);
  const { whole, open } = readSayings(language);
  const command = whole.get(key);
  if (command) return { command, words: [] };
  for (const each of open) {
    const match = each.pattern.exec(key);
    if (match) return { command: each.command, words: match.slice(1) };
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
