/**
 * The result of importing a worklist file: counts, the format that was read, and refused entries with their place in
 * the file.
 */
import type { ImportResult } from '../../../bridge/worklist-import.ts';
import { Banner } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { errorParagraph } from '../../state/explain.ts';
import { placeWords, readAs, reasonWords } from './import-words.ts';

export function ImportAccount({ result }: { result: ImportResult }) {
  const { inserted, updated, deduped, cancelled, reinstated, refused, noted, stopped } = result;
  const numbers = [
    [t('worklist.imported'), inserted],
    [t('worklist.updated'), updated],
    [t('worklist.unchanged'), deduped],
    [t('worklist.refused'), refused.count],
    ...(cancelled > 0 ? [[t('worklist.import_cancelled'), cancelled] as const] : []),
    ...(reinstated > 0 ? [[t('worklist.import_reinstated'), reinstated] as const] : []),
  ] as const;
  return (
    <>
      {stopped && (
        <Banner tone="warn" icon="warn" alert>
          {t('worklist.import_stopped', { why: errorParagraph(stopped) })} {t('worklist.import_again')}
        </Banner>
      )}
      <dl class="numbers">
        {numbers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="read-as">{readAs(result)}</p>
      <Remarks title={t('worklist.refused_list')} {...refused} />
      <Remarks title={t('worklist.noted_list')} {...noted} />
    </>
  );
}

function Remarks({ title, count, first }: { title: string } & ImportResult['refused']) {
  if (count === 0) return null;
  return (
    <details class="remarks" open={count <= 3}>
      <summary>{title}</summary>
      <ul>
        {first.map((remark, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- two remarks can be about one exam
          <li key={at}>
            <b>{placeWords(remark)}</b> {reasonWords(remark)}
          </li>
        ))}
        {count > first.length && <li>{t('worklist.remarks_more', { n: count - first.length })}</li>}
      </ul>
    </details>
  );
}
