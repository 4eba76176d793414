/** The spelling thread: holds the dictionary of one language and answers requests in order. */
import { createOrder } from '../../../../src/domain/in-order.ts';
import { createEnglishSpeller } from './english.ts';
import { wordsOf } from './speller.ts';
import type { Speller } from './speller.ts';
import type { SpellingAnswer, SpellingQuestion } from './spelling-thread.ts';

async function load(address: string): Promise<Speller> {
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new Error(`The dictionary cannot be had: ${answer.status}.`);
  const bytes = await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  return createEnglishSpeller(new Uint8Array(bytes));
}

let speller: Promise<Speller> | undefined;
let known: ReadonlySet<string> = new Set();

async function answer({ address, known: fresh, sections, word }: SpellingQuestion): Promise<SpellingAnswer> {
  if (fresh) known = wordsOf(fresh);
  speller ??= load(address);
  // A dictionary that failed to load may load at the next request.
  speller.catch(() => (speller = undefined));
  const { misspelt, suggest } = await speller;
  const spans = sections?.flatMap(({ key, text }) => misspelt(text, known).map((span) => ({ section: key, ...span })));
  return { misspelt: spans ?? [], suggestions: word === undefined ? [] : suggest(word) };
}

const nothing: SpellingAnswer = { misspelt: [], suggestions: [] };
const inOrder = createOrder();
addEventListener('message', ({ data }: MessageEvent<SpellingQuestion>) => {
  void inOrder(async () => postMessage(await answer(data).catch(() => nothing)));
});
