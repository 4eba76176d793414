import { formatExamLink } from '../../../../src/domain/exam-link.ts';
import { waitingLink } from '../../state/linked-exam.ts';

/** Keeps the address within the app, or a link that waits, while the login page of the service replaces this page. */
const name = 'laudio.address';

/** Goes to the login page of the service. */
export function leaveFor(address: string): void {
  const link = waitingLink();
  try {
    sessionStorage.setItem(name, link ? `#/exam?${formatExamLink(link)}` : location.hash);
  } catch {
    // Without storage the list is shown after the login.
  }
  location.assign(address);
}

/** Goes back to the kept address, once. */
export function restoreAddress(): void {
  try {
    const address = sessionStorage.getItem(name);
    sessionStorage.removeItem(name);
    if (address !== null && location.hash === '') history.replaceState(null, '', address);
  } catch {
    // There is no storage, so nothing was kept.
  }
}
