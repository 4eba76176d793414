/**
 * From what was heard to a document (the report language): spoken commands, macros, spelling, numbers and terms,
 * self-corrections, sections. Pure, and linear in the length of what was heard.
 */
import { readDictation } from './dictation.ts';
import { assemble } from './document.ts';
import type { Report } from './document.ts';
import type { WriteInput } from './input.ts';

export const write = (input: WriteInput): Report => assemble(readDictation(input), input);
