/** `laudio://exam/<id>`: a link by which another program (a RIS, a viewer) shows an exam here. */
import { ipc } from '../bridge/carriers.ts';

/** The scheme that the app registers with the system. */
export const linkScheme = 'laudio';

/**
 * The id of the exam that a link names; `undefined` for any other address, including the addresses of the page itself.
 */
export const linkedExam = (link: string): string | undefined =>
  /^laudio:\/\/exam\/([\w-]{1,64})\/?$/i.exec(link.trim())?.[1];

/** The first link among the command line arguments, to which the system adds its own. */
export const linkAmong = (args: readonly string[]): string | undefined =>
  args.find((argument) => linkedExam(argument) !== undefined);

/**
 * Address of the page at an exam, or at the worklist. Only the part after `#` differs, so an open page goes there
 * without loading anew.
 */
export const addressOfExam = (id: string | undefined): string =>
  `${ipc.origin}/${id === undefined ? '' : `#/exam/${id}`}`;
