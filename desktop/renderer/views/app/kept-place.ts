/** Keeps the place in the app while the login page of the service replaces this page: an id of the service, no patient's. */
const placeKey = 'laudio.left_at';

/** Called right before this page is left. */
export function keepPlace(): void {
  try {
    sessionStorage.setItem(placeKey, location.hash);
  } catch {
    // Without storage the list is shown after the login.
  }
}

/** Goes back to the kept place, once. */
export function restorePlace(): void {
  try {
    const place = sessionStorage.getItem(placeKey);
    sessionStorage.removeItem(placeKey);
    if (place !== null && location.hash === '') history.replaceState(null, '', place);
  } catch {
    // There is no storage, so nothing was kept.
  }
}
