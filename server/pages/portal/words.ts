/** The texts of the portal in the product's three languages. */
import type { PageLanguage } from '../../http/page/page-words.ts';
import { en } from './words-en.ts';
import type { PortalWords } from './words-en.ts';
import { es } from './words-es.ts';
import { pt } from './words-pt.ts';

export type { PortalWords };

export const portalWords: Readonly<Record<PageLanguage, PortalWords>> = { en, pt, es };
