import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

/** The meaning of a chip's colour, which its text also conveys. */
export type Tone = 'plain' | 'ok' | 'busy' | 'warn' | 'live';

/** A short fact. With `dot`, a mark in the colour of its tone precedes the text. */
export function Chip({
  tone = 'plain',
  dot = false,
  icon,
  title,
  children,
}: {
  tone?: Tone;
  dot?: boolean;
  icon?: IconName;
  title?: string;
  children: ComponentChildren;
}) {
  return (
    <span class={`chip chip-${tone}`} title={title}>
      {dot && <span class={`dot dot-${tone}`} aria-hidden="true" />}
      {icon !== undefined && <Icon name={icon} size={14} />}
      <span class="chip-text">{children}</span>
    </span>
  );
}
