/** Spoken commands: each is recognised however it is written, and no words of a report are one. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import type { Phrase } from '../../src/contract/transcription.ts';
import { languages } from '../../src/contract/shared.ts';
import { phraseList } from '../../src/domain/fold.ts';
import { instruct } from '../../src/reporting/instructions/instruct.ts';
import { tables } from '../../src/reporting/languages/index.ts';
import { voiceCommandNames } from '../../src/domain/voice-command-names.ts';
import {
  findSpokenRange,
  hearCommand,
  listSayings,
  matchCommand,
  writtenCommands,
} from '../../src/domain/voice-commands.ts';
import { readDocuments } from '../documents/cases.ts';
import * as fc from '../support/properties.ts';

const language = 'en-US';

/** A phrase whose words take half a second each, from `start` on. */
function say(text: string, start: number, silence = 0.8): Phrase {
  const words = text.split(' ').map((word, at) => ({ text: word, start: start + at / 2, end: start + at / 2 + 0.5 }));
  return { n: 1, text, start: start - 0.1, end: start + words.length / 2 + silence, words };
}

/** Parts of reports that a person may say alone, between two pauses. */
const ofReports = {
  'en-US': `
    Previous exam | Prior study | No change since the previous exam | Next exam in six months | Undo | Pause | Remove that catheter | Next | Previous | Through
    Compared to the previous study | Back to the previous level | The next section of bowel | The next field of view | Previous fields | Sections through the liver | Select slices
    Select patients | Selective catheterization of the left renal artery | Sections were obtained through the pelvis | The catheter was removed | Delete | Erase | Erased
    Delete that sentence about the liver from the findings | Show | Shows prior surgery | Shows priors of the chest | Prior | Priors | Prior report | The prior report | See prior report | See priors
    See previous report | Please see the prior report | Compared with priors | Prior reports are not available | Next prior surgery | Hide | Close | Close follow-up | Close the fistula
    Next patient identification was verified | In the next case | Open fracture | Open reduction | Open previous fracture | Open the previous incision | Go to surgery | Back to baseline
    Back to normal | Stop | Stopped | Recording | Microphone | Pause in the cardiac cycle | Dictation | The dictation was interrupted | Report | The report | Final report | Preliminary report
    Approved | Sign | Signs of edema | Sign of the rim | Halo sign | Signed | Sign in the right lower lobe | Insert | Inserted | Generate | Generated images | Make | Making | Off | List | Commands
    Undo the dressing | That | Undone | Strike | Cut sign | Double duct sign | Target sign | Comparison | Findings | Impression | Technique | Listen for bruits | What can be seen | Over and out
  `,
  'pt-BR': `
    Exame anterior | Próximo exame em seis meses | Comparado ao exame anterior | Laudo anterior | Ir para cirurgia | Excluir neoplasia | Anterior | Anteriores | Próximo | Seguinte
    Ver anteriores | Ver exames anteriores | Ver laudo anterior | Vide laudo anterior | Vide anteriores | Exames anteriores | Laudos anteriores | Seção anterior | Seção anterior direita do fígado
    Na seção anterior | Lesão na seção anterior | Seção posterior | Próximo ao hilo | Próximo à bifurcação | Próxima à cabeça do pâncreas | Campo pulmonar anterior | Campo de visão | Campos anteriores
    No campo anterior direito | Seções axiais até a pelve | Cortes selecionados até a bexiga | Seletivo | Apagado | Apagamento dos sulcos | Apagar | Remover | Removido | Remoção do cateter
    Excluir | Excluída a hipótese | Excluir fratura | Isso | Desfazer | Desfeita | Mostrar | Mostra | Mostra anteriores cirurgias | Mostrando | Abrir | Aberto | Abertura | Fechar | Fechado | Fechamento do canal
    Fratura fechada | Paciente | Próximo paciente da lista não compareceu | Estudo | Estudo anterior | Caso anterior | Pausa | Pausa respiratória | Gravação | Ditado | Microfone | Parar | Parada cardíaca
    Gerar | Gerado | Laudo | O laudo | Laudo final | Laudo preliminar | Assinar | Assinado | Assinatura | Finalizado | Liberado | Liberar a via aérea | Sinal do halo | Sinal | Inserir | Inserção do tendão
    Inserido | Ir | Voltar ao basal | Voltar ao normal | Voltar | Volta | Achados | Conclusão | Técnica | Comparação | Riscar | Riscado | O que se observa | Comandos | Deletar | Deleção | Até o hilo
  `,
  'es-ES': `
    Estudio anterior | Examen anterior | Siguiente estudio en seis meses | Comparado con estudio anterior | Ir a urgencias | Insertar catéter | Anterior | Anteriores | Siguiente | Próximo
    Ver anteriores | Ver estudios anteriores | Ver informe anterior | Véase informe anterior | Véase anteriores | Estudios anteriores | Informes anteriores | Sección anterior | Sección anterior derecha
    En la sección anterior | Lesión en la sección anterior | Sección posterior | Próximo al hilio | Próxima a la bifurcación | Campo pulmonar anterior | Campo de visión | Campos anteriores
    En el campo anterior derecho | Cortes hasta la pelvis | Secciones axiales hasta la vejiga | Selectivo | Borrado | Borramiento de los surcos | Borrar | Eliminar | Eliminación | Retirada del catéter
    Quitar | Suprime | Eso | Esto | Deshacer | Deshecho | Mostrar | Muestra | Muestra de sangre | Muestra anteriores cirugías | Abrir | Abierto | Apertura | Cerrar | Cerrado | Cierre del conducto
    Fractura cerrada | Paciente | El siguiente paciente | Estudio | Caso anterior | Pausa | Pausa respiratoria | Grabación | Dictado | Micrófono | Parar | Parada cardíaca | Detener | Detenido
    Generar | Generado | Informe | El informe | Informe final | Informe preliminar | Firmar | Firmado | Firme | Consistencia firme | Finalizado | Validado | Signo del halo | Signo | Insertar | Inserción del tendón
    Insertado | Ir | Volver al basal | Volver a la normalidad | Volver | Vuelve | Hallazgos | Conclusión | Técnica | Comparación | Tachar | Tacha | Qué se observa | Comandos | Suprimir | Supresión | Hasta el hilio
  `,
} as const;

describe.each(languages)('the commands in %s', (spoken) => {
  const sayings = voiceCommandNames.flatMap((command) =>
    listSayings(command, spoken).map((saying) => ({ command, saying })),
  );

  it('are recognised in any case, with or without accents and punctuation, and nothing else is', () => {
    const marks = fc.constantFrom('', '.', '?', '!', ',');
    fc.assert(
      fc.property(
        fc.constantFrom(...sayings),
        fc.boolean(),
        fc.boolean(),
        marks,
        ({ command, saying }, big, bare, mark) => {
          const filled = saying.replaceAll('…', 'nódulo');
          const plain = bare ? filled.normalize('NFD').replace(/\p{M}/gu, '') : filled;
          const text = (big ? plain.toUpperCase() : plain) + mark;
          expect(matchCommand(text, spoken)?.command).toBe(command);
          expect(matchCommand(`${text} nódulo`, spoken)?.command ?? 'select').toBe('select');
          expect(matchCommand(`nódulo ${text}`, spoken)).toBeUndefined();
        },
      ),
    );
  });

  it('are none of what a radiologist says alone within a report', () => {
    const texts = ofReports[spoken].split(/[|\n]/).map((text) => text.trim());
    expect(texts.filter((text) => matchCommand(text, spoken))).toEqual([]);
    expect(texts.length).toBeGreaterThan(90);
  });

  it('are each the saying of one command', () => {
    const all = sayings.map(({ saying }) => saying);
    expect(new Set(all).size).toBe(all.length);
  });

  it('that delete and undo are understood by the writer, too, where they do nothing on the page', () => {
    const { corrections, sections, macros } = tables[spoken];
    const written = phraseList(corrections.scratch);
    for (const saying of [...listSayings('delete', spoken), ...listSayings('undo', spoken)])
      expect(written).toContain(saying);
    const [insert, goTo] = [writtenCommands.insert, writtenCommands.go_to].map((each) =>
      each[spoken].replace(' …', ''),
    );
    expect(phraseList(macros.callers)).toContain(insert);
    expect(phraseList(sections.goTo)).toContain(goTo);
  });

  it('change nothing where they are spoken as a correction, so that they act instead', () => {
    const report = [
      { key: 'findings', title: 'Findings', text: 'Nodule in the right lobe. Liver normal.' },
      { key: 'impression', title: 'Impression', text: 'Nodule.' },
    ];
    const acting = sayings.filter(({ command }) => !['delete', 'undo', 'select'].includes(command));
    for (const { saying } of acting) expect(instruct(saying, report, spoken).changes, saying).toEqual([]);
  });

  it('are no words of any report: neither a sentence nor any stretch between two pauses fires', async () => {
    const { dictations, checks } = await readDocuments(spoken);
    const { corrections, sections } = tables[spoken];
    const others = JSON.parse(
      await readFile(new URL(`../reporting/dictations/${spoken}.json`, import.meta.url), 'utf8'),
    ) as unknown;
    const texts = new Set<string>();
    const add = (value: unknown): void => {
      if (typeof value === 'string') texts.add(value);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(add);
    };
    for (const { heard, written, sections: own, macros } of dictations) add([heard, written, own, macros]);
    for (const each of checks) add(each.sections);
    add([sections.titles, Object.values(sections.names).map(phraseList)]);
    add(others);
    // These are commands of the writer, and no words of the report that it writes.
    const commands = new Set(phraseList([corrections.scratch, sections.next, sections.previous].join(',')));
    const fired = new Set<string>();
    const firesAs = (text: string): void => {
      const isCommand = commands.has(text.toLowerCase().replace(/[^\p{L} ]/gu, ''));
      if (!isCommand && matchCommand(text, spoken)) fired.add(text);
    };
    for (const text of texts) {
      firesAs(text);
      const words = text.split(/\s+/);
      // A pause may be anywhere.
      for (let from = 0; from < words.length; from += 1)
        for (let to = from + 1; to <= Math.min(words.length, from + 6); to += 1)
          firesAs(words.slice(from, to).join(' '));
    }
    expect([...fired]).toEqual([]);
    expect(texts.size).toBeGreaterThan(500);
  });
});

describe('a command', () => {
  const hear = (phrase: Phrase, ...before: Phrase[]) => hearCommand(phrase, { before, isLast: false, language });

  it('stands alone between two pauses', () => {
    expect(hear(say('Next field.', 0))).toEqual({ command: 'next_field', words: [] });
    expect(hear(say('Next field.', 3), say('The liver is normal.', 0))).toMatchObject({ command: 'next_field' });
    expect(hear(say('Next field.', 2.1), say('The liver is normal.', 0))).toBeUndefined();
    expect(hear(say('Next field.', 0, 0.1))).toBeUndefined();
    // Nothing follows what was said last.
    expect(hearCommand(say('Sign report.', 0, 0), { before: [], isLast: true, language })).toMatchObject({
      command: 'sign',
    });
    // A silence of which the recogniser says nothing is no pause.
    expect(hear({ ...say('Next field.', 0), words: [] })).toBeUndefined();
    // Nothing was heard in the phrase before.
    expect(hear(say('Undo that.', 3.2), say('Liver.', 0), { ...say('x', 3.1), text: '', words: [] })).toBeDefined();
  });

  it('that selects names words of the report, the last ones that fit', () => {
    expect(matchCommand('Select right through upper lobe.', language)).toEqual({
      command: 'select',
      words: ['right', 'upper lobe'],
    });
    expect(matchCommand('select from right through lobe', language)?.words).toEqual(['right', 'lobe']);
    const text = 'Nodule in the right upper lobe. Scar in the Right, upper LOBE, too.';
    const found = findSpokenRange(text, ['right', 'upper lobe']);
    expect(found && text.slice(found.start, found.end)).toBe('Right, upper LOBE');
    expect(findSpokenRange('Fígado normal.', ['figado', 'normal'])).toEqual({ start: 0, end: 13 });
    expect(findSpokenRange(text, ['upper', 'right'])).toEqual({ start: 20, end: 49 });
    expect(findSpokenRange(text, ['left', 'lobe'])).toBeUndefined();
    const said = 'Select scar through lobe';
    const shown = findSpokenRange(`${text} ${said}.`, ['scar', 'lobe'], said);
    expect(shown && text.slice(shown.start, shown.end)).toBe('Scar in the Right, upper LOBE');
    expect(findSpokenRange(said, ['scar', 'lobe'], said)).toBeUndefined();
    expect(findSpokenRange(text, [])).toBeUndefined();
  });
});

test('the guide has each command in each language', async () => {
  const guide = await readFile(new URL('../../docs/guide-physician.md', import.meta.url), 'utf8');
  const shown = [
    ...voiceCommandNames.map((name) => languages.toSorted().map((spoken) => listSayings(name, spoken)[0])),
    ...Object.values(writtenCommands).map((sayings) => languages.toSorted().map((spoken) => sayings[spoken])),
  ];
  for (const [en, es, pt] of shown) expect(guide).toContain(`| *${en}* | *${pt}* | *${es}* |`);
});

test('a report that begins like a selection is none', () => {
  const text = 'Select slices through the liver were obtained in the portal venous phase after contrast.';
  expect(matchCommand(text, language)).toBeUndefined();
});
