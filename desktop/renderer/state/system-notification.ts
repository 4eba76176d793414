/** System notifications, for a person who looks at another page or program. */
export const noticePermission = (): NotificationPermission | 'missing' =>
  'Notification' in window ? Notification.permission : 'missing';

/** Shows a system notification while the page is hidden, if the person allowed it. Names no patient. */
export function showSystemNotification(text: string, open: () => void): void {
  if (noticePermission() !== 'granted' || !document.hidden) return;
  const notification = new Notification('Laudio', { body: text });
  notification.addEventListener('click', () => {
    window.focus();
    open();
    notification.close();
  });
}
