/** Words of tables for how far an exam is, in English, Portuguese, Spanish, German and French. */
import type { MappedStatus } from '../../contract/worklist-mapping.ts';
import { plainWords } from './coded-words.ts';
import { remembering } from './remembering.ts';

const words: Readonly<Record<MappedStatus, string>> = {
  cancelled:
    'cancelled, canceled, cancel, cancelado, cancelada, cancelacion, cancelamento, anulado, anulada, suspenso, suspensa, suspendido, suspendida, desmarcado, desmarcada, excluido, deleted, discontinued, revoked, aborted, abgesagt, storniert, annule, annulee, no show, noshow, did not attend, faltou, nao compareceu, no se presento, no presentado, nicht erschienen, absent, void, voided, withdrawn, desistiu, desistencia',
  scheduled:
    'scheduled, booked, planned, ordered, requested, new, pending, confirmed, agendado, agendada, marcado, marcada, confirmado, confirmada, solicitado, solicitada, pendente, aguardando, a realizar, programado, programada, citado, citada, pendiente, reservado, geplant, angefordert, prevu, planifie, programme, confirme, confirmee',
  arrived:
    'arrived, checked in, check in, waiting, ready, present, chegou, recepcionado, recepcionada, admitido, admitida, presente, em espera, en espera, llego, llegado, en sala, en sala de espera, angekommen, eingetroffen, wartend, arrive, present sur place',
  in_progress:
    'in progress, started, in exam, begun, in process, em andamento, em execucao, em atendimento, iniciado, iniciada, em exame, en curso, en proceso, en progreso, en atencion, laufend, begonnen, in bearbeitung, en cours, commence',
  completed:
    'completed, complete, done, performed, finished, ended, examined, unread, read, dictated, transcribed, reported, approved, signed, realizado, realizada, laudado, laudada, a laudar, concluido, concluida, finalizado, finalizada, executado, executada, feito, feita, terminado, terminada, efectuado, completado, completada, durchgefuhrt, abgeschlossen, beendet, erledigt, realise, termine, effectue',
};

const byWord: ReadonlyMap<string, MappedStatus> = new Map(
  (Object.entries(words) as [MappedStatus, string][]).flatMap(([status, list]) =>
    list.split(', ').map((word) => [word, status] as const),
  ),
);

/** A cancelled exam must not pass for one that takes place, whatever other words there are, unless they revoke it. */
const isCancelled = (words: string): boolean =>
  words.split(' ').some((word) => /^(?:cancell?ed|cancelad[oa]|anulad[oa]|storniert|annulee?)$/.test(word)) &&
  !/(?:^| )(?:not|un|no|nao|nicht|non|pas)(?: |$)/.test(words);

/** `undefined` for a word that is none of them. */
export function statusOfWord(text: string): MappedStatus | undefined {
  const words = plainWords(text);
  return byWord.get(words) ?? (isCancelled(words) ? 'cancelled' : undefined);
}

const yes = '1 x s y sim si yes ja oui true verdadeiro verdadero wahr vrai'.split(' ');

/** Meanings of ticks below a heading that is itself a status: `Cancelado`. */
export function ticksUnder(heading: string): Readonly<Record<string, MappedStatus>> {
  return isStatusItself(heading) ? Object.fromEntries(yes.map((word) => [word, 'cancelled'])) : {};
}

const no: ReadonlySet<string> = new Set('0 n no nao nein non false falso falsch faux'.split(' '));

/** Whether the cell below such a heading is an empty tick, which says nothing. */
export const isUnticked = (heading: string, text: string): boolean =>
  isStatusItself(heading) && no.has(plainWords(text));

/** `Cancelado`: the cells below hold a tick or a reason. */
export const isStatusItself = (heading: string): boolean => statusOfWord(heading) === 'cancelled';

/** Most words of a status, and letters in it; what is longer is somebody's prose. */
const maxWords = 3;
const maxLetters = 60;

/** Parts of words about money and insurers, in headings: what is cancelled below them is a bill or a permission, not the exam. */
const ofMoney = new RegExp(
  'bill,claim,pagament,pago,pagado,paiement,payment,payer,zahlung,cobranca,cobro,fatura,factur,invoice,rechnung,reimburs,reembols,remboursement,financ,insurance,insurer,assurance,versicherung,convenio,segurad,asegurad,autoriza,authori,autoris,genehmigung'.replaceAll(
    ',',
    '|',
  ),
);

/** Whether a value below a heading that nobody knows says that the exam does not take place: by a word, or by a tick. */
export function cancelledUnder(heading: string): (text: string) => boolean {
  if (ofMoney.test(plainWords(heading))) return () => false;
  const ticks = ticksUnder(heading);
  const says = remembering((text) => {
    const words = plainWords(text);
    return Object.hasOwn(ticks, words) || (words.split(' ').length <= maxWords && statusOfWord(text) === 'cancelled');
  });
  // Most values are longer, or are numbers, of which only a tick says something.
  return (text) => text.length <= maxLetters && (text.length === 1 || !/\d/.test(text)) && says(text);
}
