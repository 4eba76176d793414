/** The names of months, as tables and reports write them. */
import { plainWords } from './coded-words.ts';

const names =
  'jan january janeiro ene enero januar janner jaenner,feb february fev fevereiro febrero februar,mar march marco marzo marz maerz,apr april abr abril,may mai maio mayo,jun june junho junio juni,jul july julho julio juli,aug august ago agosto,sep sept september set setembro septiembre setiembre,oct october out outubro octubre okt oktober,nov november novembro noviembre,dec december dez dezembro dic diciembre dezember'
    .split(',')
    .map((words) => new Set(words.split(' ')));

/** Counts from 1; `undefined` for any other word. */
export function monthOfName(word: string): number | undefined {
  const index = names.findIndex((words) => words.has(plainWords(word)));
  return index === -1 ? undefined : index + 1;
}
