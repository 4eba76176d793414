/** Figures as a language writes them. */
import { grouped } from '../../contract/grouped.ts';
import type { Token } from '../words/token.ts';

export interface FigureStyle {
  readonly decimal: '.' | ',';
  /** Between thousands, from five figures on. */
  readonly thousands: '.' | ',';
  /** How many figures a number before a unit has at least for that. */
  readonly measuredFrom: 4 | 5;
}

/** The written form of digits (a point as decimal sign). */
export function figure(digits: string, style: FigureStyle, isMeasured = false): string {
  const { decimal, thousands, measuredFrom } = style;
  const [whole = '', decimals] = digits.split('.');
  const shown = whole.length >= (isMeasured ? measuredFrom : 5) ? grouped(whole, thousands) : whole;
  return decimals === undefined ? shown : `${shown}${decimal}${decimals}`;
}

/** Gives a written figure the decimal sign of the language. */
export const rewritten = (token: Token, digits: string, { decimal }: FigureStyle): string =>
  digits.includes('.') ? digits.replace('.', decimal) : token.text;

const romans = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X'];

/** Roman figures from 1 to 10; `undefined` for others. */
export const roman = (digits: string): string | undefined => romans[Number(digits)] || undefined;

/** Value of Roman figures from I to X. */
export const romanValue = (text: string): number | undefined => {
  const value = romans.indexOf(text);
  return value > 0 ? value : undefined;
};
