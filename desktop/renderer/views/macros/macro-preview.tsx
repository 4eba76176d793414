/**
 * The text of an autotext as it will appear in a report: fields are highlighted, and brackets that are no fields are
 * listed.
 */
import type { Field } from '../../../../src/reporting/vocabulary/macros.ts';
import type { MacroWords } from '../../../bridge/macros.ts';
import { t } from '../../i18n/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { splitParts } from '../../state/wordbook/macros.ts';

/** Maximum number of brackets listed; the others are only marked in the text. */
const maxNamed = 3;

export function MacroPreview({ words }: { words: MacroWords }) {
  if (words.text.trim() === '') return null;
  const parts = splitParts(words.text);
  const fields = parts.filter(({ field }) => field !== null).length;
  const stray = parts.filter(({ isStray }) => isStray);
  return (
    <section class="macro-preview" aria-label={t('macros.preview')}>
      <h3>
        {t('macros.preview')}
        {fields > 0 && <span>{t('macros.fields', { n: fields })}</span>}
      </h3>
      <p lang={words.language ?? undefined}>
        {parts.map(({ text, field, isStray }, at) =>
          field !== null ? (
            <ShownField key={at} field={field} />
          ) : isStray ? (
            <mark key={at} class="mark-warned">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
      {stray.length > 0 && (
        <p class="field-note field-error" role="status">
          <Icon name="warn" size={14} />
          <span>
            {t('macros.stray', {
              n: stray.length,
              words: stray
                .slice(0, maxNamed)
                .map(({ text }) => `“${text}”`)
                .join(', '),
            })}
          </span>
        </p>
      )}
    </section>
  );
}

const ShownField = ({ field: { name, choices, unit } }: { field: Field }) => (
  <span class="macro-field">
    {name !== null && <small>{name}</small>}
    {choices.length > 0 ? choices.join(' · ') : `____${unit === null ? '' : ` ${unit}`}`}
  </span>
);
