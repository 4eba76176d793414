/** Which pane is on the screen: a wide one shows the report beside the exam, any other shows one of both. */
import { computed, signal } from '@preact/signals';
import { route } from './route.ts';

/** As style/app.css has it. */
const wide = matchMedia('(min-width: 1181px)');
export const isWide = signal(wide.matches);
wide.addEventListener('change', () => (isWide.value = wide.matches));

export const isReportInSight = computed(() => isWide.value || route.value.pane === 'document');
