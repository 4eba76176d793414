/**
 * The report on paper, whatever part of the page is on the screen: patient, exam, signer, and the words. It lies
 * outside the panes, some of which a small screen hides; only the printer shows it (style/print.css).
 */
import { footOf, headOf, letterheadOf, noticesOf, signedParts } from '../../../../src/domain/report-head.ts';
import { Fragment } from 'preact';
import { t } from '../../i18n/index.ts';
import { openedDocument } from '../../state/report/opened-document.ts';
import type { OpenedDocument } from '../../state/report/opened-document.ts';
import { items } from '../../state/worklist/worklist.ts';

export function PrintSheet() {
  const opened = openedDocument.value;
  return opened === null ? null : <Sheet {...opened} />;
}

function Sheet({ itemId, document }: OpenedDocument) {
  const record = document.record.value;
  if (record === null) return null;
  const report = { record, item: items.value?.get(itemId) ?? null, ...document.signatures.value };
  const isUnsent = document.saving.value !== 'saved';
  return (
    <article class="print-sheet" lang={record.language} aria-hidden="true">
      {letterheadOf(report).map((line) => (
        <p class="print-letterhead" key={line}>
          {line}
        </p>
      ))}
      <h1>{document.title.value}</h1>
      {noticesOf(report).map((notice) => (
        <p class="print-notice" key={notice}>
          {notice}
        </p>
      ))}
      {isUnsent && <p class="print-notice">{t(`document.${document.saving.value}`)}</p>}
      <Lines of={headOf(report)} />
      {signedParts({ ...report, record: { ...record, sections: [...document.sections.value] } }).map((part, at) => (
        <Fragment key={at}>
          {part.sections.map(({ title, text }, place) => (
            <section key={place}>
              <h2>{title}</h2>
              <p>{text}</p>
            </section>
          ))}
          <Lines of={part.signature} />
        </Fragment>
      ))}
      <footer>{footOf(report)}</footer>
    </article>
  );
}

function Lines({ of }: { readonly of: readonly { readonly label: string; readonly value: string }[] }) {
  return of.length === 0 ? null : (
    <dl>
      {of.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
