/** Fields for text, choices and switches: native elements with a common style. */
import { useId } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

/** A label above an input; `children` receives the ids that the input refers to. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  children: (ids: { id: string; describedBy: string | undefined; invalid: boolean }) => ComponentChildren;
}) {
  const id = useId();
  const note = error ?? hint;
  const noteId = `${id}-note`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, describedBy: note === undefined ? undefined : noteId, invalid: error !== undefined })}
      {note !== undefined && (
        <p class={error === undefined ? 'field-note' : 'field-note field-error'} id={noteId}>
          {error !== undefined && <Icon name="warn" size={14} />}
          <span>{note}</span>
        </p>
      )}
    </div>
  );
}

/** The props of a text field, except its value. */
export interface TextFieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly kind?: 'text' | 'password' | 'url';
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  /** A name or an address, not prose: nothing corrects or capitalises it. */
  readonly verbatim?: boolean;
  readonly disabled?: boolean;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** A date, or a date with its time, in local time as the platform writes them: `2026-03-02T08:30`. */
export function DateField({
  label,
  type,
  value,
  error,
  onValue,
}: {
  label: string;
  type: 'date' | 'datetime-local';
  value: string;
  error?: string | undefined;
  onValue: (value: string) => void;
}) {
  return (
    <Field label={label} error={error}>
      {({ id, describedBy, invalid }) => (
        <input
          // One style for both types; Preact's types would require an element for each.
          type={type as 'date'}
          class="input"
          id={id}
          value={value}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A line of text. */
export function TextField({
  label,
  hint,
  error,
  value,
  onValue,
  kind = 'text',
  verbatim = false,
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <input
          {...rest}
          // One style for the three types; Preact's types would require an element for each.
          type={kind as 'text'}
          id={id}
          class="input"
          value={value}
          spellcheck={!verbatim}
          autocapitalize={verbatim ? 'none' : 'sentences'}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
}

/** The native select. */
export function Select<V extends string>({
  label,
  hint,
  value,
  choices,
  onValue,
  labelHidden = false,
  disabled = false,
}: {
  label: string;
  hint?: ComponentChildren;
  value: V;
  choices: readonly Choice<V>[];
  onValue: (value: V) => void;
  labelHidden?: boolean;
  disabled?: boolean;
}) {
  const select = (id?: string, describedBy?: string) => (
    <span class="select">
      <select
        id={id}
        value={value}
        disabled={disabled}
        aria-label={labelHidden ? label : undefined}
        aria-describedby={describedBy}
        onChange={(event) => onValue(event.currentTarget.value as V)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="down" size={16} />
    </span>
  );
  if (labelHidden) return select();
  return (
    <Field label={label} hint={hint}>
      {({ id, describedBy }) => select(id, describedBy)}
    </Field>
  );
}

/** A few choices in a row: radio buttons, so that arrow keys and screen readers work. */
export function Segmented<V extends string>({
  label,
  value,
  choices,
  onValue,
  disabled = false,
}: {
  label: string;
  value: V;
  choices: readonly Choice<V>[];
  onValue: (value: V) => void;
  disabled?: boolean;
}) {
  const name = useId();
  return (
    <div class="segmented" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            class="sr-only"
            name={name}
            checked={choice.value === value}
            disabled={disabled}
            onChange={() => onValue(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}
