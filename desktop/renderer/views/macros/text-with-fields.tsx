/** A text with fields to fill in: buttons insert one at the caret. */
import { useRef } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { mounted } from '../../parts/mounted.ts';

export function TextWithFields({
  label,
  hint,
  error,
  value,
  language,
  maxLength,
  rows = 6,
  disabled = false,
  merged = [],
  onValue,
}: {
  label: string;
  hint: string;
  error?: string | undefined;
  value: string;
  language: string | undefined;
  maxLength: number;
  rows?: number;
  disabled?: boolean;
  /** Fields that the exam fills in, and their labels. */
  merged?: readonly { readonly field: string; readonly label: string }[];
  onValue: (value: string) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  /** Inserts a field at the caret and selects what is within its brackets, ready to be changed. */
  const add = (field: string): void => {
    const element = mounted(area);
    const { selectionStart: start, selectionEnd: end } = element;
    element.setRangeText(field, start, end);
    onValue(element.value);
    element.focus();
    element.setSelectionRange(start + 1, start + field.length - 1);
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <>
          <textarea
            ref={area}
            id={id}
            class="input macro-text"
            lang={language}
            rows={rows}
            spellcheck
            maxLength={maxLength}
            value={value}
            disabled={disabled}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          <div class="macro-add" role="group" aria-label={t('macros.field_add')}>
            <Button icon="plus" disabled={disabled} onClick={() => add(t('macros.choice_text'))}>
              {t('macros.field_choice')}
            </Button>
            <Button icon="plus" disabled={disabled} onClick={() => add(t('macros.blank_text'))}>
              {t('macros.field_blank')}
            </Button>
            {merged.map((each) => (
              <Button key={each.field} icon="plus" disabled={disabled} onClick={() => add(each.field)}>
                {each.label}
              </Button>
            ))}
          </div>
        </>
      )}
    </Field>
  );
}
