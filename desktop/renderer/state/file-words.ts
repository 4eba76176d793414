/**
 * What the readers of files say, in the language of the page. They write English: a sentence is known again by its words
 * (i18n/en/files.ts), and said with the values that stand in it; what a service says of a field is said by its code.
 */
import { files as english } from '../i18n/en/files.ts';
import { detailCodes } from '../../../src/contract/errors.ts';
import type { DetailCode } from '../../../src/contract/errors.ts';
import { shownLanguage, t } from '../i18n/index.ts';
import type { MessageKey } from '../i18n/index.ts';
import { errorWords } from './error-words.ts';
import type { BridgeError } from '../../bridge/bridge.ts';
import { elementAt } from '../../../src/domain/elements.ts';

const slot = /\{(\w+)\}/g;
/** A sentence with its slots as a pattern; those with the fewest slots first, since they are the most exact. */
const patterns = Object.entries(english)
  .map(([key, sentence]) => ({
    key: `files.${key}` as MessageKey,
    slots: [...sentence.matchAll(slot)].map(([, name]) => name!),
    pattern: new RegExp(
      `^${sentence
        .split(slot)
        .map((part, at) => (at % 2 === 1 ? '(.+?)' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
        .join('')}$`,
      's',
    ),
  }))
  .toSorted((a, b) => a.slots.length - b.slots.length);

/** `undefined`: no reader writes that. */
function sentenceWords(sentence: string): string | undefined {
  for (const { key, slots, pattern } of patterns) {
    const [, ...values] = pattern.exec(sentence) ?? [undefined];
    if (!pattern.test(sentence)) continue;
    const said = values.map((value) => sentenceWords(value!) ?? value!);
    const words: Readonly<Record<string, string>> = Object.fromEntries(
      slots.map((name, at) => [name, elementAt(said, at)]),
    );
    return (t as (key: MessageKey, values: Readonly<Record<string, string>>) => string)(key, words);
  }
  return undefined;
}

const isDetail = (code: string | undefined): code is DetailCode =>
  (detailCodes as readonly (string | undefined)[]).includes(code);

interface Told {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly code?: string | undefined;
}

/** A remark about one entry of a file. */
export function remarkWords({ message, hint, code }: Told): string {
  if (shownLanguage() === 'en-US') return [message, hint].filter(Boolean).join(' ');
  const known = sentenceWords(message);
  if (known === undefined && isDetail(code)) {
    const [field = t('fileCodes.value')] = /^[a-z]\w*(?:\.\w+)*/.exec(message.replace(/^items\.\d+\.?/, '')) ?? [];
    return t(`fileCodes.${code}`, { field });
  }
  return [known ?? t('fileCodes.unread'), hint && sentenceWords(hint)].filter(Boolean).join(' ');
}

/** Why a file was not taken at all. */
export function fileErrorWords(error: BridgeError): string {
  const { text, hint } = errorWords(error);
  if (shownLanguage() === 'en-US') return [text, hint].filter(Boolean).join(' ');
  const said = error.hint === undefined ? undefined : sentenceWords(error.hint);
  return [sentenceWords(error.message) ?? text, hint ?? said].filter(Boolean).join(' ');
}
