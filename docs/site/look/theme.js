// Before the page is drawn: the look that somebody chose, if they did.
try {
  const theme = localStorage.getItem('laudio-docs-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing goes by the system.
}
