/** Medical terms in Portuguese. */
import { anatomy } from './anatomy.ts';
import { descriptions } from './descriptions.ts';
import { findings } from './findings.ts';
import { practice } from './practice.ts';

export const portuguese = [anatomy, findings, descriptions, practice];
