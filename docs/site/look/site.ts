/** What the pages do in a browser: search, light or dark, copying code. Without it they can be read all the same. */
import MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';
import { foldLetters } from '../../../src/domain/search-text.ts';
import type { Passage } from '../site.ts';
import { readQuestion, searchOptions } from './search-options.ts';
import './site.css';

declare global {
  interface Window {
    /** The index of the search, as JSON: a script of its own, since a page read from the disk may fetch nothing. */
    laudioIndex?: string;
  }
}

const base = document.documentElement.dataset['root'] ?? '';
const find = <T extends Element>(selector: string, within: ParentNode = document): T =>
  within.querySelector<T>(selector)!;

/* Light or dark. */

const themeSwitch = find<HTMLButtonElement>('[data-theme-switch]');
themeSwitch.hidden = false;
themeSwitch.addEventListener('click', () => {
  const shown = document.documentElement.dataset['theme'];
  const isDark = shown ? shown === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  const chosen = isDark ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = chosen;
  try {
    localStorage.setItem('laudio-docs-theme', chosen);
  } catch {
    // It holds for this page, then.
  }
});

/* Copying. */

for (const block of document.querySelectorAll<HTMLElement>('.code:not(.output)')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => void copy(button, find('code', block).textContent));
  block.append(button);
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.trimEnd());
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed here';
  }
  setTimeout(() => (button.textContent = 'Copy'), 1500);
}

/* Where one reads. */

const contents = [...document.querySelectorAll<HTMLAnchorElement>('.contents a')];
const headings = contents.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
function markPlace(): void {
  const passed = headings.findLastIndex((heading) => heading && heading.getBoundingClientRect().top < 120);
  contents.forEach((link, at) => link.classList.toggle('here', at === Math.max(passed, 0)));
}
if (contents.length > 0) {
  addEventListener('scroll', markPlace, { passive: true });
  markPlace();
}
find('.side [aria-current]')?.scrollIntoView({ block: 'nearest' });

/* Search. */

const finder = find<HTMLDialogElement>('.finder');
const input = find<HTMLInputElement>('input', finder);
const results = find<HTMLOListElement>('ol', finder);
const said = find<HTMLElement>('.said', finder);
let index: Promise<MiniSearch<Passage & { id: number }>> | undefined;

/** Loaded when somebody searches for the first time. */
function loadIndex(): Promise<MiniSearch<Passage & { id: number }>> {
  return (index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${base}assets/search-index.js`;
    script.addEventListener('load', () => resolve(MiniSearch.loadJSON(window.laudioIndex!, searchOptions)));
    script.addEventListener('error', () => reject(new Error('The index of the search is missing.')));
    document.head.append(script);
  }));
}

function openFinder(): void {
  if (!finder.open) finder.showModal();
  input.select();
  void loadIndex();
}

const searchButton = find<HTMLButtonElement>('[data-search]');
searchButton.hidden = false;
searchButton.addEventListener('click', openFinder);
addEventListener('keydown', (event) => {
  const isTyping = (event.target as HTMLElement).closest('input, textarea, select') !== null;
  const asks = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!asks && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return;
  event.preventDefault();
  openFinder();
});
finder.addEventListener('click', (event) => {
  // Its ground, or a result on the page that is open.
  if (event.target === finder || (event.target as HTMLElement).closest('ol a')) finder.close();
});
input.addEventListener('input', () => void search());
find('form', finder).addEventListener('submit', (event) => {
  if ((event as SubmitEvent).submitter !== null && document.activeElement !== input) return;
  event.preventDefault();
  results.querySelector('a')?.click();
});
finder.addEventListener('keydown', (event) => {
  // A search field would be emptied first.
  if (event.key === 'Escape') finder.close();
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = [...results.querySelectorAll('a')];
  if (links.length === 0) return;
  event.preventDefault();
  const at = links.indexOf(document.activeElement as HTMLAnchorElement) + (event.key === 'ArrowDown' ? 1 : -1);
  (at < 0 ? input : links[Math.min(at, links.length - 1)]!).focus();
});

const mostResults = 30;

async function search(): Promise<void> {
  const asked = input.value.trim();
  if (asked === '') return show([], '');
  try {
    const found = (await loadIndex()).search(readQuestion(asked));
    if (input.value.trim() !== asked) return;
    show(
      found.slice(0, mostResults),
      found.length === 0 ? `Nothing has all words of “${asked}”.` : countText(found.length),
    );
  } catch (error) {
    show([], (error as Error).message);
  }
}

const countText = (count: number): string =>
  count === 1
    ? 'One passage'
    : count > mostResults
      ? `${count} passages; the best ${mostResults}`
      : `${count} passages`;

function show(found: readonly SearchResult[], text: string): void {
  said.textContent = text;
  results.replaceChildren(...found.map(resultElement));
  results.scrollTop = 0;
}

function resultElement(result: SearchResult): HTMLElement {
  const passage = result as unknown as Passage;
  const link = document.createElement('a');
  link.href = base + passage.url;
  const terms = result.terms;
  const page = document.createElement('small');
  page.textContent = passage.page;
  const heading = document.createElement('strong');
  heading.append(...marked(passage.heading, terms));
  const context = document.createElement('span');
  context.append(...marked(excerpt(passage.text, terms), terms));
  link.append(page, heading, context);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Letters shown of a passage. */
const excerptLength = 180;

/** The passage around the first word that was found. */
function excerpt(text: string, terms: readonly string[]): string {
  const places = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  const at = places.find(([word]) => terms.includes(foldLetters(word)))?.index ?? 0;
  const begin = at < excerptLength / 2 ? 0 : text.lastIndexOf(' ', at - excerptLength / 4) + 1;
  const end = begin + excerptLength;
  return `${begin > 0 ? '… ' : ''}${text.slice(begin, end)}${end < text.length ? ' …' : ''}`;
}

function marked(text: string, terms: readonly string[]): (string | HTMLElement)[] {
  return text.split(/([\p{L}\p{N}]+)/u).map((part, at) => {
    if (at % 2 === 0 || !terms.includes(foldLetters(part))) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}
