/** Statistics of a person's signed reports: figures, and a table whose bars form the chart. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { computeFigures, groupings, groupReports } from '../../../../src/domain/own-statistics.ts';
import type { Figures, Grouping, OwnReport, Row } from '../../../../src/domain/own-statistics.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Segmented } from '../../parts/field.tsx';
import { Banner, Empty, Skeleton } from '../../parts/states.tsx';
import { bridge } from '../../state/bridge.ts';
import { notify } from '../../state/notices.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

/** `null`: reading failed; `undefined`: still reading. */
type LoadedReports = readonly OwnReport[] | null | undefined;

export function Statistics({ open, onClose }: { open: boolean; onClose: () => void }) {
  const reports = useSignal<LoadedReports>(undefined);
  const asks = useSignal(false);
  useEffect(() => {
    if (!open) return;
    asks.value = false;
    void bridge()
      .call('statistics.read', {})
      .then(
        (read) => (reports.value = read.reports),
        () => (reports.value = null),
      );
  }, [open]);
  const clear = async (): Promise<void> => {
    try {
      await bridge().call('statistics.clear', {});
      reports.value = [];
      notify({ tone: 'done', text: t('statistics.cleared') });
    } catch {
      reports.value = null;
    }
    asks.value = false;
  };
  const hasSome = (reports.value ?? []).length > 0;
  return (
    <Dialog
      open={open}
      size="l"
      title={t('app.statistics')}
      onClose={onClose}
      footer={
        asks.value ? (
          <>
            <p class="statistics-ask" role="alert">
              {t('statistics.clear_ask')}
            </p>
            <Button onClick={() => (asks.value = false)}>{t('statistics.keep')}</Button>
            <Button kind="danger" onClick={() => void clear()}>
              {t('statistics.clear_now')}
            </Button>
          </>
        ) : (
          hasSome && (
            <Button icon="trash" onClick={() => (asks.value = true)}>
              {t('statistics.clear')}
            </Button>
          )
        )
      }
    >
      <Report reports={reports.value} />
      <p class="field-note">{t('statistics.privacy')}</p>
    </Dialog>
  );
}

function Report({ reports }: { reports: LoadedReports }) {
  const by = useSignal<Grouping>('day');
  if (reports === undefined) return <Skeleton rows={3} label={t('app.loading')} />;
  if (reports === null)
    return (
      <Banner tone="warn" icon="warn" alert>
        {t('statistics.not_read')}
      </Banner>
    );
  if (reports.length === 0)
    return (
      <Empty icon="chart" title={t('statistics.empty')} level="h3">
        {t('statistics.empty_hint')}
      </Empty>
    );
  return (
    <div class="statistics">
      <dl class="statistics-sum" aria-label={t('statistics.all', { n: reports.length })}>
        {cellsOf(computeFigures(reports)).map(([name, value]) => (
          <div key={name}>
            <dt>{t(`statistics.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Segmented
        label={t('statistics.by')}
        value={by.value}
        choices={groupings.map((value) => ({ value, label: t(`statistics.${value}`) }))}
        onValue={(value) => (by.value = value)}
      />
      <Table rows={groupReports(reports, by.value, offsetAt)} by={by.value} />
    </div>
  );
}

const offsetAt = (ms: number): number => -new Date(ms).getTimezoneOffset();

function Table({ rows, by }: { rows: readonly Row[]; by: Grouping }) {
  const maxReports = Math.max(...rows.map(({ reports }) => reports));
  return (
    <div class="statistics-table" role="group" aria-label={t(`statistics.${by}`)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t(`statistics.${by}_head`)}</th>
            {cellsOf(elementAt(rows, 0)).map(([name]) => (
              <th key={name} scope="col">
                {t(`statistics.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{keyText(row.key, by)}</th>
              {cellsOf(row).map(([name, value]) => (
                <td key={name}>
                  {name === 'reports' && (
                    <i style={{ width: `${(row.reports / maxReports) * 100}%` }} aria-hidden="true" />
                  )}
                  <span>{value}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const number = (value: number, digits: number): string =>
  value.toLocaleString(shownLanguage(), { maximumFractionDigits: digits });

const cellsOf = ({ reports, turnaround, corrections, pace }: Figures) =>
  [
    ['reports', number(reports, 0)],
    ['turnaround', turnaround === null ? t('statistics.none') : timeText(turnaround)],
    ['corrections', number(corrections, 1)],
    ['pace', pace === null ? t('statistics.none') : number(pace, 0)],
  ] as const;

function timeText(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole < 60) return t('statistics.minutes', { n: whole });
  if (whole < 48 * 60) return t('statistics.hours', { hours: Math.floor(whole / 60), minutes: whole % 60 });
  return t('statistics.days', { n: Math.round(whole / (24 * 60)) });
}

function keyText(key: string | null, by: Grouping): string {
  if (key === null) return t('statistics.unknown');
  if (by === 'modality') return key;
  const options = {
    weekday: by === 'day' ? 'short' : undefined,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  } as const;
  return new Intl.DateTimeFormat(shownLanguage(), { ...options, timeZone: 'UTC' }).format(
    Date.parse(`${key}T12:00:00Z`),
  );
}
