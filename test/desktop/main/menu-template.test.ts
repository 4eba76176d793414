import { describe, expect, test } from 'vitest';
import { defaultKeys } from '../../../desktop/bridge/keys.ts';
import { menuTemplate, trayTemplate } from '../../../desktop/main/menu-template.ts';
import type { Command, MenuFacts } from '../../../desktop/main/menu-template.ts';
import { words } from '../../../desktop/main/shell-words.ts';
import { languages } from '../../../src/contract/shared.ts';

type Line = ReturnType<typeof menuTemplate>[number];

const platforms = ['darwin', 'win32', 'linux'] as const;

const linesOf = (items: readonly Line[]): Line[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? linesOf(item.submenu) : [])]);

function menu(change: Partial<MenuFacts> = {}) {
  const asked: Command[] = [];
  const facts: MenuFacts = {
    words: words['pt-BR'],
    platform: 'linux',
    keys: { ...defaultKeys },
    isOpen: true,
    hasUpdate: false,
    run: (command) => void asked.push(command),
    ...change,
  };
  return { asked, lines: linesOf(menuTemplate(facts)) };
}

const click = (item: Line | undefined): void => (item?.click as (() => void) | undefined)?.();

describe('the menu', () => {
  test.each(languages)('has a word for every line in %s', (language) => {
    for (const platform of platforms) {
      const { lines } = menu({ words: words[language], platform });
      expect(lines.length).toBeGreaterThan(20);
      expect(lines.filter(({ type, label }) => type !== 'separator' && !label)).toEqual([]);
    }
  });

  test('has every word of every language', () => {
    for (const language of languages) {
      expect(Object.keys(words[language])).toEqual(Object.keys(words['en-US']));
      expect(Object.values(words[language]).filter((word) => word === '')).toEqual([]);
    }
  });

  test('asks the page to perform its actions', () => {
    const { lines, asked } = menu();
    for (const label of ['Gravar ou pausar', 'Gerar laudo', 'Assinar', 'Buscar', 'Atalhos de teclado', 'Bloquear']) {
      click(lines.find((item) => item.label === label));
    }
    expect(asked).toEqual([
      { action: 'record' },
      { action: 'generate' },
      { action: 'sign' },
      { action: 'search' },
      { action: 'help' },
      'lock',
    ]);
  });

  test('is closed without a login', () => {
    const { lines } = menu({ isOpen: false });
    const ours = lines.filter(({ click: own }) => own !== undefined);
    expect(ours.length).toBeGreaterThanOrEqual(6);
    expect(ours.every(({ enabled }) => enabled === false)).toBe(true);
  });

  test('shows keys, and takes none away from writing', () => {
    for (const platform of platforms) {
      const { lines } = menu({ platform });
      const shown = lines.filter(({ accelerator }) => accelerator !== undefined);
      expect(shown.map(({ accelerator }) => accelerator)).toEqual([
        'CommandOrControl+Enter',
        'CommandOrControl+Shift+Enter',
      ]);
      expect(shown.every(({ registerAccelerator }) => registerAccelerator === false)).toBe(true);
    }
  });

  test('offers an available update to a logged-in person', () => {
    for (const platform of platforms) {
      const label = 'Reiniciar para atualizar';
      expect(menu({ platform }).lines.filter((item) => item.label === label)).toEqual([]);
      const { lines, asked } = menu({ platform, hasUpdate: true, isOpen: false });
      click(lines.find((item) => item.label === label));
      expect(asked).toEqual(['update']);
    }
  });

  test('never reloads the page during a recording', () => {
    for (const platform of platforms) {
      const roles = menu({ platform }).lines.map(({ role }) => role);
      expect(roles).toContain('quit');
      expect(roles).toContain('paste');
      expect(roles.filter((role) => /reload|devtools/i.test(role ?? ''))).toEqual([]);
    }
  });
});

test('the tray says in words whether the microphone is live', () => {
  const asked: Command[] = [];
  const tray = (recording: boolean) =>
    trayTemplate({ words: words['en-US'], recording, run: (command) => void asked.push(command) });
  expect(tray(true)[0]).toEqual({ label: 'Recording', enabled: false });
  expect(tray(false)[0]).toEqual({ label: 'Ready', enabled: false });
  for (const item of tray(false)) click(item);
  expect(asked).toEqual(['show', 'quit']);
});
