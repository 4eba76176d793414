/** Test dictations in Portuguese. */
import type { TestDictations } from './test-dictations.ts';

export const dictationsPt: TestDictations = {
  notice: (seconds) =>
    seconds === null
      ? 'Transcrição simulada (modo de teste): a fala não foi reconhecida; o texto a seguir é um exemplo.'
      : `Transcrição simulada (modo de teste): a fala de ${seconds} s não foi reconhecida; o texto a seguir é um exemplo.`,
  patient: 'Paciente Teste',
  instruction: 'Acrescente correção simulada em modo de teste à seção impressão.',
  scripts: {
    test_template_general: {
      chest: [
        {
          findings:
            'Pulmões com transparência preservada, sem consolidações, nódulos ou massas.' +
            ' Sem derrame pleural ou pneumotórax. Área cardíaca e mediastino sem alterações.',
          impression: 'Exame do tórax sem alterações significativas.',
        },
        {
          findings:
            'Nódulo sólido de 6 mm no lobo superior direito. Restante do parênquima pulmonar sem alterações.' +
            ' Sem derrame pleural. Sem linfonodomegalias mediastinais.',
          impression: 'Nódulo pulmonar de 6 mm no lobo superior direito, a correlacionar com exames anteriores.',
        },
      ],
      abdomen: [
        {
          findings:
            'Fígado de dimensões normais, contornos regulares, sem lesões focais. Vesícula biliar sem cálculos.' +
            ' Pâncreas, baço e rins sem alterações. Sem líquido livre.',
          impression: 'Exame do abdome sem alterações significativas.',
        },
        {
          findings:
            'Cisto simples de 2,1 cm no rim esquerdo. Não há hidronefrose.' +
            ' Fígado, baço e pâncreas sem alterações. Sem líquido livre na cavidade.',
          impression: 'Cisto renal simples à esquerda.',
        },
      ],
      head: [
        {
          findings:
            'Parênquima encefálico sem lesões focais. Sistema ventricular de dimensões normais.' +
            ' Não há sinais de hemorragia. Estruturas da linha média centradas.',
          impression: 'Exame do crânio sem alterações significativas.',
        },
        {
          findings:
            'Focos inespecíficos na substância branca dos hemisférios cerebrais.' +
            ' Não há hemorragia ou efeito de massa. Ventrículos de dimensões normais.',
          impression: 'Alterações inespecíficas da substância branca.',
        },
      ],
      spine: [
        {
          findings:
            'Corpos vertebrais alinhados e de altura preservada. Espaços discais preservados.' +
            ' Canal vertebral de amplitude normal. Sem fraturas.',
          impression: 'Exame da coluna sem alterações significativas.',
        },
        {
          findings:
            'Redução do espaço discal L5-S1, com protrusão discal central. Não há compressão radicular.' +
            ' Corpos vertebrais alinhados, sem fraturas.',
          impression: 'Discopatia degenerativa em L5-S1, sem compressão radicular.',
        },
      ],
      limb: [
        {
          findings:
            'Estruturas ósseas íntegras, sem fraturas. Espaços articulares preservados. Sem derrame articular.' +
            ' Partes moles sem alterações.',
          impression: 'Exame sem alterações significativas.',
        },
        {
          findings: 'Pequeno derrame articular. Não há fraturas. Ligamentos e tendões sem sinais de rotura.',
          impression: 'Pequeno derrame articular, sem fraturas.',
        },
      ],
      breast: [
        {
          findings:
            'Mamas com composição predominantemente adiposa.' +
            ' Sem nódulos, distorções ou microcalcificações suspeitas. Axilas sem linfonodos suspeitos.',
          impression: 'Exame negativo. Categoria BI-RADS 1.',
        },
        {
          findings: 'Calcificações benignas esparsas bilaterais. Não há nódulos ou distorções arquiteturais.',
          impression: 'Achados benignos. Categoria BI-RADS 2.',
        },
      ],
      other: [
        {
          findings: 'Estruturas avaliadas de aspecto habitual. Não há sinais de lesão focal.',
          impression: 'Exame sem alterações significativas.',
        },
        {
          findings: 'Estruturas avaliadas sem alterações agudas. Sem lesões expansivas.',
          impression: 'Não há alterações agudas.',
        },
      ],
    },
    test_template_cardiology: {
      other: [
        {
          measurements: 'Átrio esquerdo 36 mm. Septo 9 mm. Fração de ejeção 64%.',
          findings:
            'Ventrículos de dimensões normais e função sistólica preservada. Valvas sem alterações.' +
            ' Pericárdio sem derrame.',
          impression: 'Ecocardiograma dentro dos limites da normalidade.',
        },
        {
          measurements: 'Átrio esquerdo 42 mm. Septo 11 mm. Fração de ejeção 58%.',
          findings:
            'Átrio esquerdo discretamente aumentado. Insuficiência mitral discreta.' +
            ' Função sistólica preservada. Sem derrame pericárdico.',
          impression: 'Insuficiência mitral discreta. Função ventricular preservada.',
        },
      ],
      ecg: [
        {
          measurements: 'Frequência cardíaca 68 bpm. Intervalo PR 160 ms. QRS 90 ms. QTc 410 ms.',
          findings: 'Ritmo sinusal regular. Eixo normal. Sem alterações da repolarização ventricular.',
          impression: 'Eletrocardiograma dentro dos limites da normalidade.',
        },
        {
          measurements: 'Frequência cardíaca 74 bpm. Intervalo PR 180 ms. QRS 124 ms.',
          findings: 'Ritmo sinusal. Bloqueio completo do ramo direito. Sem sinais de isquemia aguda.',
          impression: 'Bloqueio completo do ramo direito.',
        },
      ],
    },
    test_template_dermatology: {
      other: [
        {
          history: 'Lesão no antebraço esquerdo há três meses, sem prurido e sem sangramento.',
          examination: 'Pápula acastanhada de 4 mm no antebraço esquerdo, simétrica, de bordas regulares.',
          diagnosis: 'Nevo melanocítico.',
          plan: 'Orientada fotoproteção. Reavaliação em seis meses.',
        },
        {
          history: 'Placas pruriginosas nos cotovelos há um ano, sem febre.',
          examination: 'Placas eritematosas descamativas nos cotovelos, bem delimitadas. Sem lesões mucosas.',
          diagnosis: 'Psoríase em placas.',
          plan: 'Hidratação da pele. Retorno em oito semanas.',
        },
      ],
    },
  },
};
