/** Imports a file of autotexts or vocabulary: shows what was imported, or each line that failed. */
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Banner, Progress } from '../../parts/states.tsx';
import type { Importing, WordbookEditor } from '../../state/wordbook/editor.ts';
import type { WordbookImport } from '../../../bridge/wordbook.ts';
import type { WordbookTexts } from './entry-kind.ts';
import { errorParagraph } from '../../state/explain.ts';
import { remarkParagraph } from '../../state/explain-remark.ts';
import { refusalText } from './entry-kind.ts';

type Importer = Pick<WordbookEditor<unknown, unknown>, 'importFile'>;

/** Opens the platform's file dialog. */
export function chooseWordbookFile(state: Importer): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.csv,.txt,.tsv,.json,text/csv,text/plain,application/json';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) void state.importFile(file, false);
  });
  input.click();
}

export function WordbookImportDialog<Words, Kept>({
  state,
  texts,
}: {
  state: WordbookEditor<Words, Kept>;
  texts: WordbookTexts;
}) {
  const now = state.importing.value;
  const close = (): void => void (state.importing.value = null);
  const refused = now?.step === 'done' && now.result.problems.count > 0 ? now : null;
  return (
    <Dialog
      open={now !== null}
      size="s"
      title={getTitle(now)}
      onClose={close}
      footer={
        now?.step === 'running' ? undefined : (
          <>
            {refused && (
              <Button onClick={() => void state.importFile(refused.file, true)}>{t('owned.import_replace')}</Button>
            )}
            <Button kind="primary" onClick={close}>
              {t('app.close')}
            </Button>
          </>
        )
      }
    >
      {now?.step === 'running' && <Progress value={null} label={getTitle(now)} />}
      {now?.step === 'failed' && (
        <Banner tone="warn" icon="warn" alert>
          {now.error.code === 'USAGE' ? errorParagraph(now.error) : refusalText(texts, now.error)}
        </Banner>
      )}
      {now?.step === 'done' && (refused ? <Problems {...now.result} /> : <Account {...now.result} />)}
    </Dialog>
  );
}

function getTitle(now: Importing | null): string {
  if (now?.step === 'running') return t('owned.importing', { name: now.name });
  const isTaken = now?.step === 'done' && now.result.problems.count === 0;
  return t(isTaken || now === null ? 'owned.import_done' : 'owned.import_failed');
}

function Account({ created, replaced, unchanged, unread }: WordbookImport) {
  const numbers = [
    [t('owned.import_created'), created],
    [t('owned.import_replaced'), replaced],
    [t('owned.import_unchanged'), unchanged],
  ] as const;
  return (
    <>
      <dl class="numbers">
        {numbers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {unread.length > 0 && (
        <p class="read-as">{t('owned.import_unread', { what: unread.map((name) => `“${name}”`).join(', ') })}</p>
      )}
    </>
  );
}

function Problems({ problems: { count, first } }: WordbookImport) {
  return (
    <>
      <p>{t('owned.import_problems', { n: count })}</p>
      <div class="remarks">
        <ul>
          {first.map(({ place: { line, item = 0 }, ...problem }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- two problems can share a line
            <li key={at}>
              <b>{line === undefined ? t('owned.import_at_item', { n: item }) : t('worklist.at_line', { n: line })}</b>{' '}
              {remarkParagraph(problem)}
            </li>
          ))}
          {count > first.length && <li>{t('worklist.remarks_more', { n: count - first.length })}</li>}
        </ul>
      </div>
    </>
  );
}
