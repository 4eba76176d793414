import { signal } from '@preact/signals';
import type { VNode } from 'preact';

/** The open prior, for the column next to the report; `null`: none is open. */
export const priorColumn = signal<VNode | null>(null);
