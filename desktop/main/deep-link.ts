/** `laudio://exam/<id>`: another program (a RIS, a viewer) shows an exam here. */
import { ipc } from '../bridge/carriers.ts';

/** The scheme as the system knows it. */
export const linkScheme = 'laudio';

/** The id of the exam that a link names; `undefined` for anything else, the page's own addresses included. */
export const linkedExam = (link: string): string | undefined =>
  /^laudio:\/\/exam\/([\w-]{1,64})\/?$/i.exec(link.trim())?.[1];

/** The first link among the arguments of a start: what the system adds to its own. */
export const linkAmong = (args: readonly string[]): string | undefined =>
  args.find((argument) => linkedExam(argument) !== undefined);

/** The page at an exam, or at its list. Only the part after `#` differs, so that an open page goes there and is not loaded anew. */
export const addressOfExam = (id: string | undefined): string =>
  `${ipc.origin}/${id === undefined ? '' : `#/exam/${id}`}`;
