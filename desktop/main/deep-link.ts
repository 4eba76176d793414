/** `laudio://exam/<id>`: a link with which another program (a RIS, a viewer) shows an exam here. */
import { ipc } from '../bridge/carriers.ts';

/** The scheme that the app registers with the system. */
export const linkScheme = 'laudio';

/** The exam id in a link; `undefined` for any other address, including those of the page itself. */
export const linkedExam = (link: string): string | undefined =>
  /^laudio:\/\/exam\/([\w-]{1,64})\/?$/i.exec(link.trim())?.[1];

/** The first link among the command-line arguments, to which the system adds others. */
export const linkAmong = (args: readonly string[]): string | undefined =>
  args.find((argument) => linkedExam(argument) !== undefined);

/**
 * Address of the page at an exam, or at the worklist. Only the part after `#` differs, so an open page navigates
 * without reloading.
 */
export const addressOfExam = (id: string | undefined): string =>
  `${ipc.origin}/${id === undefined ? '' : `#/exam/${id}`}`;
