/** The dialog that the address names, above the page. */
import { lazily } from '../../parts/lazily.tsx';
import { closeSheet, route } from '../../state/route.ts';

const Settings = lazily(() => import('../settings/settings.tsx').then((module) => module.Settings));
const Macros = lazily(() => import('../macros/macros.tsx').then((module) => module.Macros));
const Vocabulary = lazily(() => import('../vocabulary/vocabulary.tsx').then((module) => module.Vocabulary));
const Statistics = lazily(() => import('../statistics/statistics.tsx').then((module) => module.Statistics));
const Jobs = lazily(() => import('../jobs/jobs.tsx').then((module) => module.Jobs));
const CriticalList = lazily(() => import('../critical/critical-list.tsx').then((module) => module.CriticalList));
const Shortcuts = lazily(() => import('../shortcuts/shortcuts.tsx').then((module) => module.Shortcuts));
const VoiceHelp = lazily(() => import('../voice/voice-help.tsx').then((module) => module.VoiceHelp));
const sheetViews = {
  settings: Settings,
  macros: Macros,
  vocabulary: Vocabulary,
  statistics: Statistics,
  jobs: Jobs,
  critical: CriticalList,
  shortcuts: Shortcuts,
  voice: VoiceHelp,
} as const;

export function Sheets() {
  const { sheet } = route.value;
  if (sheet === null) return null;
  const Sheet = sheetViews[sheet];
  return <Sheet open onClose={closeSheet} />;
}
