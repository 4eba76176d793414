/** Medical terms in English. */
import { anatomy } from './anatomy.ts';
import { descriptions } from './descriptions.ts';
import { findings } from './findings.ts';
import { practice } from './practice.ts';

export const english = [anatomy, findings, descriptions, practice];
