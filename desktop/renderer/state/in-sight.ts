/** Which pane is on the screen: a wide one shows the report beside the exam, any other shows one of both. */
import { computed, signal } from '@preact/signals';
import { route } from './route.ts';

/** As style/app.css has it. Where there is no screen, as in a test without a browser, nothing is narrow. */
const wide = 'matchMedia' in globalThis ? matchMedia('(min-width: 1181px)') : undefined;
export const isWide = signal(wide?.matches ?? true);
wide?.addEventListener('change', () => (isWide.value = wide.matches));

export const isReportInSight = computed(() => isWide.value || route.value.pane === 'document');
