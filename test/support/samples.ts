import { fileURLToPath } from 'node:url';

/** Path of a sample: `worklist.json`, `dictation.wav`. */
export const sample = (name: string): string => fileURLToPath(new URL(`../../samples/${name}`, import.meta.url));
