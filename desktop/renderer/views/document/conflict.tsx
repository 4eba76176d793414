/** Shows both versions of a report that two people changed, so that neither is lost. */
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { textOf } from '../../../../src/domain/record-state.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { OpenDocument } from '../../state/report/document.ts';
import { copyText } from '../app/copy-text.ts';
import { Difference } from './difference.tsx';

export function Conflict({ document, theirs }: { document: OpenDocument; theirs: MedicalRecord }) {
  const base = document.record.value?.sections ?? [];
  const baseOf = (key: string): string => base.find((section) => section.key === key)?.text ?? '';
  const ours = document.sections.value;
  const keys = [...new Set([...ours, ...theirs.sections].map(({ key }) => key))];
  const find = (sections: typeof ours, key: string) => sections.find((section) => section.key === key);
  // A signed version cannot be replaced; the words can go into an addendum.
  const isSigned = theirs.status === 'final';
  const differing = keys.filter((key) => find(ours, key)?.text !== find(theirs.sections, key)?.text);
  return (
    <section class="document-conflict" role="alert">
      <h2>
        <Icon name="warn" />
        {t('document.conflict_title')}
      </h2>
      <p>{t(isSigned ? 'document.conflict_signed' : 'document.conflict_text')}</p>
      {differing.map((key) => (
        <div class="document-sides" key={key}>
          {[
            { title: t('document.ours'), section: find(ours, key) },
            { title: t('document.theirs', { n: theirs.version }), section: find(theirs.sections, key) },
          ].map(({ title, section }) => (
            <div key={title}>
              <h3>
                {find(theirs.sections, key)?.title ?? find(ours, key)?.title}: {title}
              </h3>
              <Difference before={baseOf(key)} after={section?.text ?? ''} />
            </div>
          ))}
        </div>
      ))}
      <div class="document-choices">
        <Button onClick={() => void document.resolve('theirs')}>{t('document.take_theirs')}</Button>
        {isSigned ? (
          <Button kind="primary" icon="copy" onClick={() => void copyText(textOf(ours))}>
            {t('document.copy_ours')}
          </Button>
        ) : (
          <Button kind="primary" onClick={() => void document.resolve('ours')}>
            {t('document.keep_ours')}
          </Button>
        )}
      </div>
    </section>
  );
}
