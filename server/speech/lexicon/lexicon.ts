/** The medical lexicon: looks for misheard words of a dictation, in a thread that keeps the dictionaries. */
import type { Language } from '../../../src/contract/shared.ts';
import type { UnknownWords } from '../../../src/domain/heard-text.ts';
import { hasPart } from '../../../src/node/optional-packages.ts';
import type { Log } from '../../runtime/log.ts';
import { threadTask } from '../../runtime/workers/thread-task.ts';
import { isOverLimit } from '../../runtime/workers/workers.ts';
import type { Workers } from '../../runtime/workers/workers.ts';
import type { LexiconContext } from './find-unknown.ts';

export interface Lexicon {
  /** Never fails: without a dictionary nothing is found. */
  findUnknown(question: LexiconQuestion, asker: LexiconAsker): Promise<readonly UnknownWords[]>;
  close(): Promise<void>;
}

interface LexiconQuestion extends Pick<LexiconContext, 'language' | 'known'> {
  readonly text: string;
}

interface LexiconAsker {
  readonly account: string;
  readonly signal: AbortSignal;
}

const contexts = new Map<Language, Promise<LexiconContext>>();

async function openContext(language: Language): Promise<LexiconContext> {
  const [{ openDictionary }, { readTerms }] = await Promise.all([
    import('./dictionary.ts'),
    import('./medical-terms.ts'),
  ]);
  return { language, dictionary: await openDictionary(language), terms: readTerms(language) };
}

/** The thread keeps each language from its first use on. */
function keepContext(language: Language): Promise<LexiconContext> {
  const context = contexts.get(language) ?? openContext(language);
  contexts.set(language, context);
  // A dictionary that could not be opened is tried again.
  context.catch(() => contexts.delete(language));
  return context;
}

export const openLexicon = threadTask(
  import.meta.url,
  'openLexicon',
  async (language: Language) => void (await keepContext(language)),
);

export const findUnknownWords = threadTask(
  import.meta.url,
  'findUnknownWords',
  async ({ text, language, known = [] }: LexiconQuestion) => {
    const context = await keepContext(language);
    const { findUnknown } = await import('./find-unknown.ts');
    const begun = performance.now();
    const isLate = (): boolean => performance.now() - begun > suggestionsMs;
    return findUnknown(text, { ...context, known, isLate });
  },
);

/**
 * A report doesn't wait longer. A task over its limit ends the thread, which then opens the dictionary again: so
 * opening has a limit for busy computers, and the search has less to do when it is late.
 */
const limitsMs = { open: 30_000, find: 10_000 };
const suggestionsMs = 6000;
/** Longer texts are no dictations. */
const maxLength = 100_000;

export function createLexicon(workers: Workers, log: Log): Lexicon {
  let isInstalled: boolean | undefined;
  return {
    async findUnknown(question, { account, signal }) {
      const { text } = question;
      if (text.trim() === '' || text.length > maxLength) return [];
      if (isInstalled === undefined) {
        isInstalled = hasPart('lexicon');
        if (!isInstalled) log({ level: 'warn', event: 'lexicon_failed', reason: 'missing' });
      }
      if (!isInstalled) return [];
      try {
        const options = { client: account, signal };
        await workers.run(openLexicon, question.language, { ...options, limitMs: limitsMs.open });
        return await workers.run(findUnknownWords, question, { ...options, limitMs: limitsMs.find });
      } catch (error) {
        signal.throwIfAborted();
        // A failure costs this dictation its questions, and no other.
        log({ level: 'warn', event: 'lexicon_failed', reason: isOverLimit(error) ? 'slow' : 'failed' });
        return [];
      }
    },
    close: () => workers.close(),
  };
}

/** Finds nothing. */
export const noLexicon: Lexicon = { findUnknown: async () => [], close: async () => {} };
