/**
 * The words of the app. `t('worklist.title')` reads the chosen language, so that a view renders again when it changes.
 * The keys are those of English; a language is loaded when it is chosen, never more than one at a time.
 */
import { batch, signal } from '@preact/signals';
import type { Language } from '../../../src/contract/shared.ts';
import type { en } from './en/index.ts';
import type * as enFiles from './en/files.ts';
import type * as enLate from './en/late.ts';
import type { Slots, Wording, Wordings } from '../../../src/contract/messages/wording.ts';

type Late = typeof enLate;
type Source = typeof en & Late & typeof enFiles;
export type MessageKey = {
  [P in keyof Source & string]: `${P}.${keyof Source[P] & string}`;
}[keyof Source & string];
type MessageAt<K extends MessageKey> = K extends `${infer P extends keyof Source & string}.${infer N}`
  ? Source[P][N & keyof Source[P]]
  : never;
type Values<K extends MessageKey> = { readonly [S in Slots<MessageAt<K>>]: S extends 'n' ? number : string | number };
type Rest<K extends MessageKey> = [Slots<MessageAt<K>>] extends [never] ? [] : [Values<K>];

type Words<P extends string> = Readonly<Record<P, Wordings>>;
const load: Readonly<Record<Language, () => Promise<Words<keyof typeof en>>>> = {
  'en-US': () => import('./en/index.ts').then((module) => module.en),
  'pt-BR': () => import('./pt/index.ts').then((module) => module.pt),
  'es-ES': () => import('./es/index.ts').then((module) => module.es),
};
/** The words of all views but the first screen come with those views. */
const loadLate: Readonly<Record<Language, () => Promise<Words<keyof Late>>>> = {
  'en-US': () => import('./en/late.ts'),
  'pt-BR': () => import('./pt/late.ts'),
  'es-ES': () => import('./es/late.ts'),
};

interface Wish {
  readonly language: Language;
  readonly isWithLate: boolean;
}
interface Shown {
  readonly language: Language;
  readonly messages: Words<keyof typeof en>;
  readonly plural: Intl.PluralRules;
}
const current = signal<Shown | undefined>(undefined);
/** Apart from the others: where they arrive, nothing is drawn again that says none of them. */
const late = signal<Partial<Words<keyof Source>> | undefined>(undefined);
/** What was asked for last; the page shows this once the words are loaded. */
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
  const shown = current.value;
  const [part = '', name = ''] = key.split('.');
  if (shown === undefined) return key;
  const words = shown.messages as Partial<Words<keyof Source>>;
  const message: Wording | undefined = (words[part as keyof Source] ?? late.value?.[part as keyof Source])?.[name];
  if (message === undefined) return key;
  const values = (rest[0] ?? {}) as Readonly<Record<string, string | number>>;
  const text =
    typeof message === 'string'
      ? message
      : message[shown.plural.select(Number(values['n'])) === 'one' ? 'one' : 'other'];
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const value = values[name];
    return value === undefined ? slot : typeof value === 'number' ? value.toLocaleString(shown.language) : value;
  });
}
