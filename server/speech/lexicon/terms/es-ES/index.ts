/** Medical terms in Spanish. */
import { anatomy } from './anatomy.ts';
import { descriptions } from './descriptions.ts';
import { findings } from './findings.ts';
import { practice } from './practice.ts';

export const spanish = [anatomy, findings, descriptions, practice];
