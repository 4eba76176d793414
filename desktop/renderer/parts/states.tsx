/** The states of a view whose content is loading, missing or broken. */
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

/** Grey lines while content is loading; `label` is for screen readers. */
export function Skeleton({ rows, label }: { rows: number; label: string }) {
  return (
    <div class="skeleton" role="status">
      <span class="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div class="skeleton-row" key={row} aria-hidden="true">
          <i />
          <b />
          <b />
        </div>
      ))}
    </div>
  );
}

/** An empty view: why it is empty, and what to do next. */
export function Empty({
  icon,
  title,
  children,
  action,
  level: Heading = 'h2',
}: {
  icon: IconName;
  title: string;
  level?: 'h1' | 'h2' | 'h3';
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} size={26} />
      <Heading>{title}</Heading>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

/** A sentence that stays until it is no longer true. */
export function Banner({
  tone,
  icon,
  children,
  action,
  alert = false,
}: {
  tone: 'warn' | 'info' | 'plain';
  icon: IconName;
  children: ComponentChildren;
  action?: ComponentChildren;
  alert?: boolean;
}) {
  return (
    <div class={`banner banner-${tone}`} role={alert ? 'alert' : 'status'}>
      <Icon name={icon} />
      <p>{children}</p>
      {action}
    </div>
  );
}

/** Progress from 0 to 1; `null`: unknown. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  return <progress class="progress" aria-label={label} {...(value === null ? {} : { value, max: 1 })} />;
}
