/** Every score that the app offers. */
import { biRads } from './bi-rads.ts';
import { fleischner } from './fleischner.ts';
import { liRads } from './li-rads.ts';
import { lungRads } from './lung-rads.ts';
import { piRads } from './pi-rads.ts';
import type { Score } from './score.ts';
import { tiRads } from './ti-rads.ts';

export const scores: readonly Score[] = [biRads, tiRads, piRads, liRads, lungRads, fleischner];
