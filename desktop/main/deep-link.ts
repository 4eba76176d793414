/**
 * `laudio://exam/<id>` and `laudio://exam?accession=…`: links with which another program (a RIS, a PACS, a viewer) shows an exam here.
 */
import { formatExamLink, parseExamLink } from '../../src/domain/exam-link.ts';
import { ipc } from '../bridge/carriers.ts';

/** The scheme that the app registers with the system. */
export const linkScheme = 'laudio';

/** The place in the page that a link leads to; `undefined` for any other address, including those of the page itself. */
export function linkedPlace(link: string): string | undefined {
  const [, id, query] = /^laudio:\/\/exam(?:\/([\w-]{1,64})\/?|\/?\?([^#]{1,1000}))$/i.exec(link.trim()) ?? [];
  if (id !== undefined) return `/exam/${id}`;
  const exam = query === undefined ? undefined : parseExamLink(query);
  return exam && `/exam?${formatExamLink(exam)}`;
}

/** The first link among the command-line arguments, to which the system adds others. */
export const linkAmong = (args: readonly string[]): string | undefined =>
  args.find((argument) => linkedPlace(argument) !== undefined);

/**
 * Address of the page at a place, or at the worklist. Only the part after `#` differs, so an open page navigates
 * without reloading.
 */
export const pageAddress = (place: string | undefined): string =>
  `${ipc.origin}/${place === undefined ? '' : `#${place}`}`;
