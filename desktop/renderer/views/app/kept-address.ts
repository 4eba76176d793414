/** Keeps the address within the app while the login page of the service replaces this page: an id of the service, no patient's. */
const name = 'laudio.address';

/** Called right before this page is left. */
export function keepAddress(): void {
  try {
    sessionStorage.setItem(name, location.hash);
  } catch {
    // Without storage the list is shown after the login.
  }
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
