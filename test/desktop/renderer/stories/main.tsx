/** Shows one story: `?story=worklist&locale=pt-BR&theme=dark`. Without one, the list of them. */
import { render } from 'preact';
import { languages } from '../../../../src/contract/shared.ts';
import { showLanguage, showLateWords } from '../../../../desktop/renderer/i18n/index.ts';
import { setBridge } from '../../../../desktop/renderer/state/bridge.ts';
import { App } from '../../../../desktop/renderer/views/app/app.tsx';
import { startPage } from '../../../../desktop/renderer/views/app/page.ts';
import { scriptedBridge, settings } from './scripted-bridge.ts';
import { stories } from './stories.ts';

const asked = new URLSearchParams(location.search);
const story = stories[asked.get('story') ?? ''];
const root = document.getElementById('app')!;
if (story === undefined) {
  document.body.style.overflow = 'auto';
  render(
    <main>
      <ul>
        {Object.keys(stories).map((name) => (
          <li key={name}>
            <a href={`?story=${name}`}>{name}</a>
          </li>
        ))}
      </ul>
    </main>,
    root,
  );
} else {
  const locale = languages.find((language) => language === asked.get('locale')) ?? 'en-US';
  const theme = (['light', 'dark'] as const).find((name) => name === asked.get('theme')) ?? 'system';
  localStorage.clear();
  await showLanguage(locale);
  await showLateWords();
  const bridge = scriptedBridge({
    'settings.get': () => settings({ locale, theme }),
    'settings.set': (chosen) => chosen,
    ...story.script,
  });
  setBridge(bridge);
  if (story.at !== undefined) history.replaceState(null, '', `${location.search}${story.at}`);
  render(<App />, root);
  await startPage();
  await new Promise((resolve) => setTimeout(resolve, 400));
  await story.then?.(bridge);
  document.documentElement.dataset['ready'] = 'true';
}
