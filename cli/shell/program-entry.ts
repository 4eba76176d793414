import { fileURLToPath } from 'node:url';

/** Path of this program's entry point, next to the sources or in dist. */
export function programEntry(): string {
  const ending = fileURLToPath(import.meta.url).endsWith('.ts') ? '.ts' : '.js';
  return fileURLToPath(new URL(`../main${ending}`, import.meta.url));
}
