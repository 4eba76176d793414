/** Text written in another form than it was spoken, with a button to undo that. */
import type { Section } from '../../../../src/contract/document.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { notifyError } from '../../state/notices.ts';
import type { OpenReport } from '../../state/report/document.ts';

export function Conversions({ document, section }: { document: OpenReport; section: Section }) {
  const own = document.conversions.value.filter(({ target }) => target?.section === section.key);
  if (own.length === 0) return null;
  const undo = (id: string): void =>
    void document.undo(id).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
  return (
    <ul class="document-conversions">
      {own.map(({ id, before, after, rule }) => (
        <li key={id}>
          <span>{rule === 'label' ? t('document.placed_by_model', { words: after }) : `${before} → ${after}`}</span>
          <Button kind="bare" icon="undo" onClick={() => undo(id)}>
            {t('document.convert_back')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
