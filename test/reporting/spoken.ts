/** Numbers as people say them, made apart from the program's own tables. */
import type { Language } from '../../src/contract/shared.ts';

const words: Readonly<Record<Language, { small: string[]; tens: string[]; hundreds: string[] }>> = {
  'pt-BR': {
    small:
      'zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove'.split(
        ' ',
      ),
    tens: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa'.split(' '),
    hundreds: 'cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos'.split(' '),
  },
  'en-US': {
    small:
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
        ' ',
      ),
    tens: 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
    hundreds: [],
  },
  'es-ES': {
    small:
      'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve'.split(
        ' ',
      ),
    tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' '),
    hundreds:
      'ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(
        ' ',
      ),
  },
};
const twenties =
  'veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve'.split(
    ' ',
  );

/** A whole number from 0 to 999. */
export function spoken(value: number, language: Language): string {
  const { small, tens, hundreds } = words[language];
  if (value < 20) return small[value]!;
  if (language === 'es-ES' && value < 30) return twenties[value - 20]!;
  if (value < 100) {
    const ten = tens[Math.floor(value / 10) - 2]!;
    const joint = { 'pt-BR': ' e ', 'en-US': ' ', 'es-ES': ' y ' }[language];
    return value % 10 === 0 ? ten : ten + joint + small[value % 10]!;
  }
  const rest = value % 100;
  if (language === 'en-US') {
    const hundred = `${small[Math.floor(value / 100)]} hundred`;
    return rest === 0 ? hundred : `${hundred} ${spoken(rest, language)}`;
  }
  if (value === 100) return language === 'pt-BR' ? 'cem' : 'cien';
  const hundred = hundreds[Math.floor(value / 100) - 1]!;
  if (rest === 0) return hundred;
  return hundred + (language === 'pt-BR' ? ' e ' : ' ') + spoken(rest, language);
}

/** A number with one or two decimals, in hundredths. */
export function spokenDecimal(whole: number, decimals: string, language: Language): string {
  const sign = { 'pt-BR': 'vírgula', 'en-US': 'point', 'es-ES': 'coma' }[language];
  const isDigits = language === 'en-US' || decimals.startsWith('0');
  const said = isDigits
    ? [...decimals].map((digit) => spoken(Number(digit), language)).join(' ')
    : spoken(Number(decimals), language);
  return `${spoken(whole, language)} ${sign} ${said}`;
}
