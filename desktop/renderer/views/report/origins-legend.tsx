/** The legend of the origin marks. */
import { t } from '../../i18n/index.ts';

const marked = ['converted', 'macro', 'score', 'viewer', 'exam', 'template', 'prior', 'proposed', 'edited'] as const;

export function OriginsLegend() {
  return (
    <p class="document-origins">
      {marked.map((origin) => (
        <mark key={origin} class={`mark-origin mark-${origin}`}>
          {t(`document.origin_${origin}`)}
        </mark>
      ))}
      <mark class="mark-doubted">{t('document.origin_doubted')}</mark>
      <span>{t('document.origin_said')}</span>
    </p>
  );
}
