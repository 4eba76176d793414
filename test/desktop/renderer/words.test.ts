/**
 * The words that people read, in the three languages: what a rule of the glossary (docs/glossary.md) forbids and a pattern can
 * find. Good sentences are not found by patterns; bad words that came back are.
 */
import { describe, expect, it } from 'vitest';
import { words as shell } from '../../../desktop/main/shell-words.ts';
import * as english from '../../../desktop/renderer/i18n/en/index.ts';
import * as englishLate from '../../../desktop/renderer/i18n/en/late.ts';
import * as spanish from '../../../desktop/renderer/i18n/es/index.ts';
import * as spanishLate from '../../../desktop/renderer/i18n/es/late.ts';
import * as portuguese from '../../../desktop/renderer/i18n/pt/index.ts';
import * as portugueseLate from '../../../desktop/renderer/i18n/pt/late.ts';
import { words as pages } from '../../../server/http/page/page-words.ts';
import { portalWords } from '../../../server/pages/portal/words.ts';
import { messages as englishFindings } from '../../../src/reporting/languages/en-US/messages.ts';
import { messages as spanishFindings } from '../../../src/reporting/languages/es-ES/messages.ts';
import { messages as portugueseFindings } from '../../../src/reporting/languages/pt-BR/messages.ts';

type Text = readonly [key: string, text: string];
type Rules = Readonly<Record<string, RegExp>>;

/** Every text below `value`, by its path. A function is called for one and for two, as its numbers and its names. */
function textsIn(value: unknown, path: string): Text[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [1, 2].map((n) => [path, String(value(n, n))] as const);
  return Object.entries(value as object).flatMap(([key, inner]) =>
    textsIn(inner, path === '' ? key : `${path}.${key}`),
  );
}

const texts = {
  en: [
    ...textsIn({ ...english.en, ...englishLate }, ''),
    ...textsIn(shell['en-US'], 'shell'),
    ...textsIn(pages.en, 'pages'),
    ...textsIn(portalWords.en, 'portal'),
    ...textsIn(englishFindings, 'findings'),
  ],
  pt: [
    ...textsIn({ ...portuguese.pt, ...portugueseLate }, ''),
    ...textsIn(shell['pt-BR'], 'shell'),
    ...textsIn(pages.pt, 'pages'),
    ...textsIn(portalWords.pt, 'portal'),
    ...textsIn(portugueseFindings, 'findings'),
  ],
  es: [
    ...textsIn({ ...spanish.es, ...spanishLate }, ''),
    ...textsIn(shell['es-ES'], 'shell'),
    ...textsIn(pages.es, 'pages'),
    ...textsIn(portalWords.es, 'portal'),
    ...textsIn(spanishFindings, 'findings'),
  ],
} satisfies Record<string, readonly Text[]>;

/** What no text in any language has. */
const everywhere: Rules = {
  'an exclamation mark': /[!¡]/,
  'a quotation mark other than “ ”': /["«»]/,
  'an apostrophe other than ’': /\p{L}'/u,
  'three dots, or a space before the ellipsis': /\.\.\.| …/,
  'a space at an end, or two in a row': /^ | $| {2}/,
};

/** What a language does not say, by what it says instead. */
const forbidden: Readonly<Record<keyof typeof texts, Rules>> = {
  en: {
    'American spelling':
      /colour|licence|gynaec|favour|behaviour|\b(?:centre|grey|programme)\b|misspelt|cancell(?:ed|ing)|(?:recogn|organ|summar|normal)is(?:e|ing)/i,
    'speech recognition': /recogni[sz]er|turn(?:s|ed)? (?:speech )?into text|\bheard\b/i,
    'server, or department': /\bservices?\b/i,
    audio: /\bsounds?\b/i,
    'is not responding': /(?:does|do) not answer|cannot be had/i,
    automatically: /\bby (?:itself|themselves)\b/i,
    saved: /\bkept\b/i,
    download: /\bfetch/i,
    'generate report, in progress': /make the report|in the making/i,
    'undo, redo': /\btak(?:e|en|ing)\b.{0,25}\bback\b|bring (?:it )?back/i,
    'prior report': /(?:earlier|former) reports?/i,
    communicate: /(?:was|were|be|been) told/i,
    'keep as is': /lets? it stand/i,
    'the person’s task, or the thing': /\bnobody (?:has|is|was|said|can)|\bwhoever\b/i,
    overdue: /\blate (?:by )?\{/i,
    'hand over, return to the list': /^give\b|^releas/i,
  },
  pt: {
    servidor: /serviço/i,
    salvar: /\bguard(?:a|ar|am|e|ad[oa]s?)\b/i,
    áudio: /\bsom\b/i,
    'reconhecimento de voz': /reconhecedor|(?:vira|transforma|virar) .{0,12}texto|modelos? de fala/i,
    automaticamente: /sozinh[oa]s?|\bpor si\b/i,
    'enquanto isso': /entretanto/i,
    configurações: /\bajustes?\b/i,
    dispositivo: /\baparelhos?\b/i,
    'pressione, clique, toque': /\baperte\b/i,
    criptografado: /(?<!\p{L})cifrad/iu,
    'devolver à lista': /\bliber(?:ar|ad[oa]s?|ação)\b/i,
    'realizado, concluído, laudado': /^feit[oa]s?\b/i,
    'não… mais': /\bjá não\b/i,
    'a laudar': /\bpor laudar\b/i,
    ditado: /\b(?:foi|que) dit[oa]\b|\bdisse\b/i,
    autotexto: /textos? automátic/i,
    'a pessoa ou a coisa': /\b(?:alguém|ninguém)\b/i,
    'nº de acesso, permissão, login': /^acesso$|\bseu acesso\b/i,
    administrador: /quem (?:cuida|administra|mantém|opera)/i,
    'transcrição literal': /palavra por palavra/i,
    'resultado comunicado': /(?:foi|será|ser) avisado/i,
    'sem particípio da pessoa': /\bconectad[oa] como\b|você mesm[oa]|vocês dois/i,
    'Brasil, não Portugal': /copie-[oa]|deixe-[oa]|continuar a \p{L}+r\b/iu,
  },
  es: {
    estudio: /\bex[aá]men(?:es)?\b/i,
    servidor: /\bservicios?\b/i,
    equipo: /\bordenador(?:es)?\b|\bcomputador/i,
    audio: /\bsonidos?\b/i,
    'reconocimiento de voz': /reconocedor|(?:convierte|convierta|convertir) .{0,12}texto/i,
    automáticamente: /por s[ií] mism|\bsigue sol[oa]\b|\bsol[oa]s\b/i,
    'mientras tanto': /entretanto/i,
    configuración: /\bajustes?\b/i,
    dispositivo: /\baparatos?\b/i,
    archivo: /\bficheros?\b/i,
    completar: /\brellen/i,
    'realizado, finalizado, firmado': /^hech[oa]s?\b/i,
    'iniciar sesión': /(?:vuelva a|volver a|para) entrar\b|^entrar$|\bsu acceso\b/i,
    pendiente: /\bpor informar\b|espera su envío|a la espera del/i,
    supervisor: /\badjunt[oa]\b/i,
    autotexto: /textos? automátic/i,
    'la persona o la cosa': /\b(?:nadie|alguien)\b/i,
    administrador: /quien (?:administra|mantiene|opera|cuida)/i,
    'transcripción literal': /palabra por palabra/i,
    orden: /\bpetici[oó]n/i,
    impresión: /\bconclusi[oó]n\b/i,
    'usted por el verbo': /por favor|usted mism[oa]|\bvosotros\b|\bcoger\b|\bmóvil\b/i,
    'infinitivo sin pronombre al comienzo': /^\p{L}+r(?:l[oa]s?)(?!\p{L})/iu,
    'un signo ¿ por cada ?': /^(?:[^¿?]*¿[^?]*\?)*[^¿?]*\?/,
  },
};

/** Texts that use a forbidden word rightly, and why. A name that ends with a dot means a whole part. */
const exceptions: Readonly<Record<keyof typeof texts, Readonly<Record<string, string>>>> = {
  en: {
    'settings.speech_fixed': 'names of options',
    'recorder.alarm_dead': 'what a microphone picks up is sound',
    'settings.test_dead': 'what a microphone picks up is sound',
    'vocabulary.for_hint': 'what a word sounds like',
    'document.finding_dismissed': 'the warning is kept as is, and not stored',
    'worklist.take_back': 'an exam, and no change',
    'worklist.hand_over_hint': 'an exam, and no change',
  },
  pt: {
    'files.mrrt_sections': 'HTML',
    'recorder.alarm_dead': 'o que o microfone capta é som',
    'settings.test_dead': 'o que o microfone capta é som',
  },
  es: {
    'files.mrrt_sections': 'HTML',
    'files.fhir_text': 'nombre de un campo',
    'recorder.alarm_dead': 'lo que el micrófono capta es sonido',
    'settings.test_dead': 'lo que el micrófono capta es sonido',
  },
};

/** The rules that a text breaks; the names of its slots are nobody’s words. */
const broken = (rules: Rules, text: string): string[] => {
  const said = text.replaceAll(/\{\w+\}/g, '{}');
  return Object.entries(rules).flatMap(([rule, pattern]) => (pattern.test(said) ? [rule] : []));
};

describe.each(Object.keys(texts) as (keyof typeof texts)[])('%s', (language) => {
  const rules = { ...everywhere, ...forbidden[language] };
  const named = Object.keys(exceptions[language]);
  const exceptionOf = (key: string) => named.find((name) => (name.endsWith('.') ? key.startsWith(name) : key === name));
  const faults = texts[language].flatMap(([key, text]) =>
    broken(rules, text).map((rule) => ({ key, text, rule, exception: exceptionOf(key) })),
  );

  it('follows the glossary', () => {
    expect(texts[language].length).toBeGreaterThan(1_500);
    expect(faults.filter(({ exception }) => exception === undefined)).toEqual([]);
  });

  it('has no exception that is not needed', () => {
    const needed = new Set(faults.map(({ exception }) => exception));
    expect(named.filter((name) => !needed.has(name))).toEqual([]);
  });
});
