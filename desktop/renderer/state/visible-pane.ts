/** Which panes are on the screen: a wide screen shows exam and report together, a narrow one shows one of them. */
import { computed, signal } from '@preact/signals';
import { hasReportHere } from './report-window.ts';
import { isReportWindow, route } from './route.ts';

/** The breakpoint of style/app.css. Without a screen, as in a test without a browser, nothing is narrow. */
const wide = 'matchMedia' in globalThis ? matchMedia('(min-width: 1181px)') : undefined;
export const isWide = signal(wide?.matches ?? true);
wide?.addEventListener('change', () => (isWide.value = wide.matches));

export const isReportVisible = computed(
  () => isWide.value || isReportWindow.value || !hasReportHere.value || route.value.pane === 'document',
);
