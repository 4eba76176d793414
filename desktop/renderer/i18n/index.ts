/**
 * The words of the app. `t('worklist.title')` reads the chosen language, so that a view renders again when it changes.
 * The keys are those of English; a language is loaded when it is chosen, never more than one at a time.
 */
import { batch, signal } from '@preact/signals';
import type { Language } from '../../../src/contract/shared.ts';
import type { en } from './en/index.ts';
import type * as enFileCodes from './en/file-codes.ts';
import type * as enLate from './en/late.ts';
import type { Message } from '../../../src/contract/messages/message.ts';
import type { Slots, Wording, Wordings } from '../../../src/contract/messages/message.ts';

type Late = typeof enLate;
type Source = typeof en & Late & typeof enFileCodes;
export type MessageKey = {
  [P in keyof Source & string]: `${P}.${keyof Source[P] & string}`;
}[keyof Source & string];
type MessageAt<K extends MessageKey> = K extends `${infer P extends keyof Source & string}.${infer N}`
  ? Source[P][N & keyof Source[P]]
  : never;
type Values<K extends MessageKey> = { readonly [S in Slots<MessageAt<K>>]: S extends 'n' ? number : string | number };
type Rest<K extends MessageKey> = [Slots<MessageAt<K>>] extends [never] ? [] : [Values<K>];

type Words<P extends string> = Readonly<Record<P, Wordings>>;
/** Messages bring their English words, so that an English page needs no table of them. */
type Loading<P extends string, Translations extends string> = Readonly<
  Record<'en-US', () => Promise<Words<P>>> & Record<Exclude<Language, 'en-US'>, () => Promise<Words<P | Translations>>>
>;
const load = {
  'en-US': () => import('./en/index.ts').then((module) => module.en),
  'pt-BR': () => import('./pt/index.ts').then((module) => module.pt),
  'es-ES': () => import('./es/index.ts').then((module) => module.es),
} satisfies Loading<keyof typeof en, 'refusals' | 'page'>;
/** The words of all views but the first screen come with those views. */
const loadLate = {
  'en-US': () => import('./en/late.ts'),
  'pt-BR': () => import('./pt/late.ts'),
  'es-ES': () => import('./es/late.ts'),
} satisfies Loading<keyof Late, 'files' | 'fileCodes'>;

interface Wish {
  readonly language: Language;
  readonly isWithLate: boolean;
}
interface ShownWords {
  readonly language: Language;
  readonly messages: Words<keyof typeof en>;
  readonly plural: Intl.PluralRules;
}
const current = signal<ShownWords | undefined>(undefined);
/** Apart from the others: where they arrive, nothing is drawn again that says none of them. */
const late = signal<Partial<Words<keyof Source>> | undefined>(undefined);
/** The last choice; the page shows it once its words are loaded. */
let wish: Wish = { language: 'en-US', isWithLate: false };

/** Each language by its own name. */
export const languageChoices: readonly { value: Language; label: string }[] = [
  { value: 'pt-BR', label: 'Português (Brasil)' },
  { value: 'en-US', label: 'English' },
  { value: 'es-ES', label: 'Español' },
];

/** The language of the page; `en-US` until the first has been loaded. */
export const shownLanguage = (): Language => current.value?.language ?? 'en-US';

/** Loads a language and shows it. */
export const showLanguage = (language: Language): Promise<void> => show({ ...wish, language });

/** Loads the words of all views but the first screen, in the language of the page. */
export const showLateWords = (): Promise<void> => show({ ...wish, isWithLate: true });

async function show(wished: Wish): Promise<void> {
  wish = wished;
  const shown = current.peek();
  const { language, isWithLate } = wished;
  const isSame = shown?.language === language;
  if (isSame && isWithLate === (late.peek() !== undefined)) return;
  try {
    const [messages, lateMessages] = await Promise.all([
      load[language](),
      isWithLate ? loadLate[language]() : undefined,
    ]);
    if (wish === wished)
      batch(() => {
        if (!isSame) current.value = { language, messages, plural: new Intl.PluralRules(language) };
        late.value = lateMessages;
      });
  } catch (thrown) {
    // Words that cannot be had are not asked for again with the next wish.
    if (wish === wished)
      wish = { language: current.peek()?.language ?? language, isWithLate: late.peek() !== undefined };
    throw thrown;
  }
  // Something else was asked for meanwhile: whoever waits for these words has them once that is shown.
  if (wish !== wished) await show(wish);
}

/** The available language that is nearest to those that the reader prefers. */
export function nearestLanguage(preferred: readonly string[]): Language {
  const known = Object.keys(load) as Language[];
  for (const wish of preferred) {
    const found = known.find((language) => language.slice(0, 2) === wish.slice(0, 2).toLowerCase());
    if (found !== undefined) return found;
  }
  return 'en-US';
}

/** A message in the language of the page, with its `{slots}` filled in. */
export function t<K extends MessageKey>(key: K, ...rest: Rest<K>): string {
  return worded(key, rest[0] ?? {}) ?? key;
}

/** A message in the language of the page; `undefined`: the page has no words for it. */
export const translated = ({ code, params, text }: Message): string | undefined =>
  worded(code, params) ?? (shownLanguage() === 'en-US' ? text : undefined);

function worded(key: string, values: Message['params']): string | undefined {
  const shown = current.value;
  const [part = '', name = ''] = key.split('.');
  const first: Partial<Words<string>> | undefined = shown?.messages;
  const wording: Wording | undefined = (first?.[part] ?? (late.value as Partial<Words<string>> | undefined)?.[part])?.[
    name
  ];
  if (shown === undefined || wording === undefined) return undefined;
  const text =
    typeof wording === 'string'
      ? wording
      : wording[shown.plural.select(Number(values['n'])) === 'one' ? 'one' : 'other'];
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const value = values[name];
    if (typeof value === 'object') return translated(value) ?? value.text;
    return value === undefined ? slot : typeof value === 'number' ? value.toLocaleString(shown.language) : value;
  });
}
