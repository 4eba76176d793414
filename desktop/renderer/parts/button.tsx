/** Buttons with a common style. Their props are those of the native button. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

type Press = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'class' | 'className'>;

/** `primary`: the next step, at most one in a view. `danger`: can't be undone. `bare`: without a border. */
type ButtonKind = 'plain' | 'primary' | 'danger' | 'bare';

export interface ButtonProps extends Press {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  readonly large?: boolean;
  readonly wide?: boolean;
  /** The action is under way: the button shows that and can't be pressed twice. */
  readonly busy?: boolean;
  /** Key to show, as `shownKey` writes it. */
  readonly keyHint?: string;
  readonly children: ComponentChildren;
}

export function Button({ kind = 'plain', icon, large, wide, busy = false, keyHint, children, ...rest }: ButtonProps) {
  const name = ['button', `button-${kind}`, large === true && 'button-large', wide === true && 'button-wide'];
  return (
    <button
      type="button"
      {...rest}
      class={name.filter(Boolean).join(' ')}
      aria-busy={busy}
      disabled={busy || rest.disabled}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon !== undefined && <Icon name={icon} />}
      <span class="button-text">{children}</span>
      {keyHint !== undefined && <kbd aria-hidden="true">{keyHint}</kbd>}
    </button>
  );
}

export interface IconButtonProps extends Press {
  readonly icon: IconName;
  /** The button's action; also its tooltip. */
  readonly label: string;
  readonly framed?: boolean;
  readonly keyHint?: string;
}

export function IconButton({ icon, label, framed = false, keyHint, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={keyHint === undefined ? label : `${label} (${keyHint})`}
      {...rest}
      class={framed ? 'icon-button icon-button-framed' : 'icon-button'}
      aria-label={label}
    >
      <Icon name={icon} />
    </button>
  );
}
