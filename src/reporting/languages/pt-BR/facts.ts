/** Facts of a report in Portuguese, and the subjects of reports. */
import type { FactTables, LexiconTables } from '../tables.ts';

const facts: FactTables = {
  sides: {
    right: 'direito direita direitos direitas dextra dextro dir',
    left: 'esquerdo esquerda esquerdos esquerdas esq',
    both: 'bilateral bilaterais bilateralmente ambos ambas',
  },
  shortSides: { right: 'D', left: 'E', first: false },
  sidedParts: `
    lobo rim mama pulmao hemitorax ovario testiculo joelho ombro quadril punho tornozelo cotovelo pe mao olho orbita ouvido
    ureter adrenal suprarrenal carotida hemisferio membro coxa perna braco antebraco base apice lado seio artelho femur
    tibia fibula umero radio ulna clavicula escapula patela parotida tuba axila fossa flanco atrio ventriculo
  `,
  places: [
    { upper: 'superior superiores', lower: 'inferior inferiores', middle: 'medio media medios medias' },
    { front: 'anterior anteriores', back: 'posterior posteriores' },
    { medial: 'medial mediais', lateral: 'lateral laterais' },
    { proximal: 'proximal proximais', distal: 'distal distais' },
    { inner: 'interno interna internos internas', outer: 'externo externa externos externas' },
    { apical: 'apical apicais', basal: 'basal basais' },
    { systolic: 'sistolico sistolica', diastolic: 'diastolico diastolica' },
  ],
  negations: `
    não, sem, ausência de, ausência, ausente, ausentes, nenhum, nenhuma, nega, negam, negou, nem, livre de, livres de,
    negativo para, negativa para, inexistência de, descartado, descartada, descartados, descartadas, afastado, afastada
  `,
  misheard: [
    String.raw`\$ não(?: \$ não)+ \$`,
    '(?:cem|100) {finding}',
    String.raw`\$ em (?:derrames?|cálculos?|linfonodomegalias?|adenopatias?|fraturas?|microcalcificações)`,
    '(?:biliar|vesícula|{part}) em cálculos?',
    'nos (?:observam?|identificam?|visualizam?|evidenciam?|notam?)',
    '(?:{place}|{part}|[a-z]{3,}(?:ico|eo)) (?:de reto|diret[oa])',
    String.raw`sem comparação com (?:o|a|\d+)`,
    'sem ter',
    'não (?:dulos?|duros?|duelos?)',
    '(?:essência|assistência|audiência|ciência|urgência) de {finding}',
    String.raw`\$ (?:a )?existência de {finding}`,
    String.raw`(?:ele|eli) \d`,
    'l5 (?:e se|se|esse|e esse) 1',
    'fração de (?:injeção|rejeição|projeção)',
  ],
  beforeUnits:
    'o os uns poucos alguns vários escassos meio em por de um milésimos centésimos décimos quantos tantos ditos estes mesmos',
  absences: `
    não observado, não observada, não observados, não observadas, não visualizado, não visualizada, não
    visualizados, não visualizadas, não identificado, não identificada, não identificados, não identificadas, não
    caracterizado, não caracterizada, não caracterizados, não caracterizadas, não evidenciado, não evidenciada,
    não evidenciados, não evidenciadas, não detectado, não detectada, não detectados, não detectadas, não
    encontrado, não encontrada, não encontrados, não encontradas, não demonstrado, não demonstrada, não
    demonstrados, não demonstradas, ausente, ausentes, descartado, descartada, descartados, descartadas, afastado,
    afastada, não se observa, não se identifica, não há
  `,
  scopeEnds: 'mas porem contudo exceto observa observam nota notam apresenta apresentando com medindo há todavia salvo',
  exceptions: `
    exceto, exceto por, salvo, salvo por, fora, a não ser, à exceção de, com exceção de, com exceção do, com exceção da, além de, além do, além da, afora
  `,
  others: `
    outro outra outros outras novo nova novos novas demais significativo significativa significativos significativas
    adicional adicionais maior maiores evidente evidentes definido definidos macroscopico residual residuais suspeito
    suspeitos suspeita suspeitas especifico especifica importante importantes aparente aparentes relevante relevantes
    agudo aguda agudos agudas recente recentes desviado desviada desviados desviadas deslocado deslocada deslocados deslocadas
    desalinhada desalinhadas hipertensivo maligno maligna malignos malignas ativo ativa ativos ativas volumoso volumosa volumosos
    obstrutivo obstrutiva obstrutivos obstrutivas completo completa completos completas total totais transfixante transfixantes
    agressivo agressiva agressivos agressivas patologico patologica patologicos patologicas loculado loculada cominutiva
    cominutivas extenso extensa extensos extensas compressivo compressiva expansiva grave graves solido solida solidos solidas
    captante captantes grande grandes franca franco macica superveniente associada associado associados associadas
  `,
  comparisons: `
    semelhante ao direito, semelhante ao esquerdo, semelhante à direita, semelhante à esquerda,
    semelhantes ao direito, semelhantes ao esquerdo, semelhantes à direita, semelhantes à esquerda,
    similar ao direito, similar ao esquerdo, similar à direita, similar à esquerda, similares ao direito,
    similares ao esquerdo, similares à direita, similares à esquerda, igual ao direito, igual ao esquerdo,
    igual à direita, igual à esquerda, iguais ao direito, iguais ao esquerdo, iguais à direita, iguais à esquerda,
    idêntico ao direito, idêntico ao esquerdo, idêntico à direita, idêntico à esquerda, idêntica ao direito,
    idêntica ao esquerdo, idêntica à direita, idêntica à esquerda,
    frente ao, frente à, versus, que o esquerdo, que o direito, que a esquerda, que a direita, do que à, ao contrário do, ao contrário da, diferentemente do, diferentemente da, quando comparado, quando comparada,
    relativamente ao, relativamente à, com respeito ao, em contraste com, comparativo com o lado, maior que à, menor que à,
    em relação ao, em relação à, em relação a, comparado, comparada, comparativamente, em comparação, contralateral,
    contralaterais, lado oposto, simétrico ao, simétrica à, como controle, a título comparativo, a título de comparação, para comparação, do que o, do que a, que o lado, assimetria
  `,
  priors: `
    antes, anteriormente, previamente, prévio, prévia, exame anterior, estudo anterior, anteriores, media, mediam, medindo
    anteriormente, era de, eram de, em exame de, no exame de, no estudo de, na tomografia de, na ressonância de, prévios,
    comparativo, evolutivo, resolvido, resolvida, resolução, reabsorção, status pós, pós-operatório, antecedente, história de
  `,
  history: `
    status pós, pós-operatório, pós-operatória, antecedente, antecedentes, história de, histórico de, cirurgia prévia, nefrectomia,
    mastectomia, lobectomia, pneumectomia, hemicolectomia, artroplastia, prótese, resolvido, resolvida, resolução, reabsorção,
    operado, operada, ressecção, ressecado
  `,
  hypothetical: `
    suspeita de, suspeita clínica, investigação, investigar, descartar, afastar, excluir, para avaliação, avaliar, pesquisa de,
    rastreamento, risco de, possibilidade de, hipótese de, controle de, diagnóstico diferencial, não se pode, não pode, não podendo,
    a critério, caso, se houver, histórico de
  `,
  communication: `
    comunicado, comunicada, comunicados, comunicou, comuniquei, comunicação, informado, informada, informei, avisado, avisada,
    avisei, notificado, notificada, notifiquei, contato telefônico, por telefone, discutido, discutida, ciente, reportado,
    reportei, contatado, contatei, achado crítico comunicado
  `,
  chronic:
    'crônico crônica crônicos crônicas antigo antiga antigos antigas sequelar inalterado inalterada estável residual',
  acute: 'agudo aguda agudos agudas hiperagudo hiperaguda subagudo subaguda agudizado agudizada novo nova aumento',
};

const lexicon: LexiconTables = {
  findings: {
    pneumothorax: 'pneumotórax, pneumotorax hipertensivo',
    pulmonary_embolism:
      'trombo artéria pulmonar, trombo pulmonar, tromboembolismo artéria pulmonar, tromboembolismo ramo artéria pulmonar, tromboembolismo pulmonar, embolia pulmonar, TEP, tromboembolia pulmonar, êmbolo pulmonar, êmbolos pulmonares',
    intracranial_haemorrhage: `
      hemorragia intracraniana, hematoma subdural, hematoma extradural, hematoma epidural, hemorragia subaracnóidea,
      hemorragia subaracnoide, hemorragia intraparenquimatosa, hematoma intraparenquimatoso, hemorragia cerebral,
      hemorragia intraventricular, sangramento intracraniano, sangramento intraparenquimatoso
    `,
    free_air: 'pneumoperitônio, ar livre, gás livre, ar livre na cavidade',
    torsion:
      'torção ovariana, torção testicular, torção anexial, torção do ovário, torção do testículo, torção do cordão espermático, volvo, vólvulo',
    ectopic_pregnancy: 'gestação ectópica, gravidez ectópica, prenhez ectópica',
    aortic_dissection:
      'dissecção aórtica, dissecção da aorta, dissecção de aorta, rotura de aorta, ruptura de aorta, rotura da aorta, ruptura da aorta, aneurisma roto',
    acute_infarct:
      'acidente vascular cerebral isquêmico, AVC isquêmico agudo, infarto agudo, isquemia aguda, AVC agudo, infarto do miocárdio com supra',
    cord_compression: 'compressão medular, compressão da medula',
    tamponade: 'tamponamento cardíaco',
    cauda_equina: 'síndrome da cauda equina',
    herniation:
      'herniação uncal, herniação transtentorial, herniação cerebral, herniação encefálica, herniação das tonsilas, herniação tonsilar, herniação subfalcina',
    active_bleeding: 'sangramento ativo, extravasamento ativo, extravasamento ativo de contraste, hemorragia ativa',
    bowel_ischaemia: 'isquemia mesentérica, isquemia intestinal, pneumatose intestinal, gás portal, aeroportia',
    vessel_occlusion:
      'oclusão de grande vaso, oclusão da artéria cerebral média, oclusão da carótida interna, oclusão da artéria basilar',
    venous_sinus_thrombosis: 'trombose venosa cerebral, trombose de seio venoso, trombose do seio sagital',
    epidural_abscess: 'abscesso epidural, abscesso peridural',
    necrotising_fasciitis: 'fasceíte necrosante, fasciite necrosante, gangrena de Fournier',
    placental_abruption: 'descolamento prematuro de placenta, descolamento prematuro da placenta',
    fetal_death: 'óbito fetal, morte fetal',
    pleural_effusion: 'derrame pleural, derrames pleurais, líquido pleural',
    pericardial_effusion: 'derrame pericárdico',
    joint_effusion: 'derrame articular',
    free_fluid: 'líquido livre, ascite',
    hydronephrosis: `
      hidronefrose, dilatação pielocalicial, dilatação pielocalicinal, ureteroidronefrose, ureterohidronefrose,
      dilatação do sistema coletor, ectasia pielocalicial, ectasia pielocalicinal, hidroureteronefrose, pielectasia
    `,
    gallstone:
      'colelitíase, cálculo biliar, cálculos biliares, litíase biliar, cálculo na vesícula, cálculos na vesícula',
    kidney_stone: 'nefrolitíase, cálculo renal, cálculos renais, litíase renal, urolitíase',
    ureter_stone: 'cálculo ureteral, cálculos ureterais, ureterolitíase, cálculo no ureter, cálculos no ureter',
    stone: 'cálculo, cálculos, litíase',
    fracture: 'fratura, fraturas',
    nodule: 'nódulo, nódulos',
    pulmonary_nodule: 'nódulo pulmonar, nódulos pulmonares',
    cyst: 'cisto, cistos',
    mass: 'massa, massas',
    consolidation: 'consolidação, consolidações',
    adenopathy: 'linfonodomegalia, linfonodomegalias, linfadenopatia, linfadenomegalia, linfonodomegalias mediastinais',
    hernia: 'hérnia discal, hérnia de disco, hérnias discais',
    tear: 'ruptura, rotura, rupturas, roturas, lesão meniscal',
    appendicitis: 'apendicite',
    cholecystitis: 'colecistite',
    pancreatitis: 'pancreatite',
    thrombosis: 'trombose venosa profunda, TVP, trombose',
    stenosis: 'estenose',
    aneurysm: 'aneurisma, aneurismas',
    steatosis: 'esteatose',
    cardiomegaly: 'cardiomegalia',
    calcification: 'calcificação, calcificações, microcalcificações',
  },
  maleOrgans:
    'próstata, vesícula seminal, vesículas seminais, testículo, testículos, bolsa escrotal, pênis, epidídimo, epidídimos, cordão espermático, varicocele, hidrocele, escroto',
  femaleOrgans: `
    útero, uterino, uterina, ovário, ovários, ovariano, ovariana, endométrio, endometrial, miométrio, colo uterino, vagina,
    vaginal, vulva, mioma, miomas, anexos uterinos, trompa uterina
  `,
  fetus: 'feto, fetal, fetos, concepto, placenta, embrião',
  pregnancy: 'gestante, gestação, gravidez, grávida, gestacional, feto, embrião, saco gestacional',
  male: 'homem, sexo masculino, paciente masculino, menino, do sexo masculino',
  female: 'mulher, sexo feminino, paciente feminina, paciente feminino, menina, do sexo feminino, gestante',
  patient:
    'paciente homem mulher masculino feminino sexo idade menino menina crianca lactente gestante idoso idosa senhor senhora jovem',
  years: 'anos ano',
  childhood: 'fontanela, fontanelas, recém-nascido, recém nascido, neonato, prematuro, lactente',
  family: `
    pai, mãe, irmão, irmã, irmãos, irmãs, avô, avó, tio, tia, tios, tias, filho, filha, prima, primo, esposa, marido,
    familiar, familiares, família, parente, parentes, materno, materna, paterno, paterna
  `,
  modalities: {
    CT: 'tomografia, tomografia computadorizada, TC, angiotomografia, tomográfico, tomográfica, tomográficos, tomográficas, helicoidal, multidetectores, multislice',
    MR: 'ressonância, ressonância magnética, RM, RNM, angiorressonância, ponderadas em T1, ponderadas em T2, gadolínio, spin echo, STIR, FLAIR',
    US: 'ultrassonografia, ultrassom, US, USG, ecografia, ultrassonográfico, ultrassonográfica, ecográfico, ecográfica, transdutor, modo B',
    CR: 'radiografia, raio X, raios X, RX, radiografia digital, radiográfico, radiográfica, radiografias',
    MG: 'mamografia, mamográfico, mamográfica, tomossíntese',
    PT: 'PET-CT, PET-TC, PET, tomografia por emissão de pósitrons',
    NM: 'cintilografia',
    BMD: 'densitometria',
  },
  devices: `
    absorciometria dupla dual energia feixe tubo tubos fonte gerador aparelho equipamento detector detectores
    espectro emissao emissor fluoroscopia escopia arco atenuacao dose filtro fileiras kv kvp radiacao principio fisico
  `,
  spine: {
    cervical: 'cervical, cervicais, cervicotorácica, atlantoaxial',
    dorsal: 'dorsal, dorsais, torácica, torácico, torácicas, torácicos, toracolombar',
    lumbar: 'lombar, lombares, lombossacra, lombossacro, lombossacral, lombossacrais',
  },
  regions: {
    chest: 'tórax, torácico, torácica, pulmão, pulmões',
    abdomen: 'abdome, abdômen, abdominal, abd',
    pelvis: 'pelve, pélvico, pélvica',
    head: 'crânio, encéfalo, cerebral, cabeça',
    cervical: 'coluna cervical',
    lumbar: 'coluna lombar, coluna lombossacra, lombar',
    dorsal: 'coluna torácica, coluna dorsal',
    knee: 'joelho, joelhos',
    shoulder: 'ombro, ombros',
    hip: 'quadril, quadris',
    wrist: 'punho, punhos',
    ankle: 'tornozelo, tornozelos',
    elbow: 'cotovelo, cotovelos',
    foot: 'pé, pés',
    hand: 'mão, mãos',
    breast: 'mama, mamas, mamária, mamário',
    thyroid: 'tireoide, tireóide',
    prostate: 'próstata',
    thigh: 'coxa, coxas',
    testis: 'testículo, testículos, testicular, escroto, escrotal, bolsa escrotal, bolsa testicular',
    leg: 'perna, pernas',
    forearm: 'antebraço',
    neck: 'pescoço',
    carotid: 'carótidas, carótida',
    heart: 'ecocardiograma, coração',
  },
  measured: {
    kidney: 'rim, rins',
    liver: 'fígado',
    spleen: 'baço',
    gallbladder_wall: 'parede da vesícula, paredes da vesícula',
    wall_thickness: 'espessura da parede',
    bile_duct: 'colédoco, hepatocolédoco, ducto biliar comum',
    portal_vein: 'veia porta',
    aorta: 'aorta, aorta abdominal, raiz da aorta',
    endometrium: 'endométrio, eco endometrial, espessura endometrial',
    ovary: 'ovário, ovários',
    uterus: 'útero',
    prostate: 'próstata',
    appendix: 'apêndice, apêndice cecal',
    pulmonary_nodule: 'nódulo pulmonar, micronódulo',
    nodule: 'nódulo, granuloma',
    ureter_stone: 'cálculo ureteral',
    aortic_aneurysm:
      'aneurisma da aorta, aneurisma de aorta, aneurisma da aorta abdominal, aneurisma de aorta abdominal, aneurisma aórtico',
    protrusion: 'protrusão discal, protrusão, abaulamento discal',
    biparietal: 'diâmetro biparietal, DBP',
    fetal_femur: 'comprimento do fêmur, comprimento femoral',
    fetal_head: 'circunferência cefálica, CC',
    fetal_abdomen: 'circunferência abdominal, CA',
    node: 'linfonodo, linfonodos, linfonodomegalia',
    nuchal: 'translucência nucal, TN',
    intima: 'espessura médio-intimal, complexo médio-intimal, íntima-média',
    midline: 'desvio da linha média, desvio de linha média',
    ejection: 'fração de ejeção, FE, FEVE',
    heart_rate: 'frequência cardíaca, FC, batimentos cardíacos',
    stenosis: 'estenose',
    attenuation: 'atenuação, densidade, coeficiente de atenuação',
    suv: 'SUV, SUVmax',
    septum: 'septo interventricular',
    heart_wall: 'septo, parede posterior',
    atrium: 'átrio esquerdo',
    bladder_wall: 'parede vesical',
  },
  organs: {
    lung: 'pulmão, pulmões, pulmonar, pulmonares, língula',
    liver: 'fígado, hepático, hepática, hepáticos, hepáticas',
    kidney: 'rim, rins, renal, renais, ureter, ureteres, ureteral, ureterais, pielocalicial, pielocalicinal',
    spleen: 'baço, esplênico, esplênica',
    pancreas: 'pâncreas, pancreático, pancreática',
    gallbladder: 'vesícula, vesicular, biliar',
    thyroid: 'tireoide, tireóide, tireoidiano, tireoidianos, istmo',
    breast: 'mama, mamas, mamário, mamária',
    ovary: 'ovário, ovários, ovariano, ovariana, anexial',
    uterus: 'útero, uterino, uterina, endométrio, miometrial',
    prostate: 'próstata, prostático, prostática',
    bladder: 'bexiga, vesical',
    adrenal: 'adrenal, adrenais, suprarrenal',
    brain:
      'intracraniano, intracraniana, intracranianos, intracranianas, encefálico, encefálica, encefálicos, núcleos da base, supratentorial, infratentorial, cerebral, cerebrais, encéfalo, subdural, frontal, parietal, temporal, occipital, frontoparietal, cerebelar',
    heart: 'coração, cardíaco, cardíaca, átrio, ventrículo, mitral, aórtica',
    bowel: 'cólon, intestino, alça, alças, apêndice, ceco',
    knee: 'joelho, menisco, meniscos, meniscal, patela, patelar, cruzado',
    shoulder: 'ombro, supraespinal, infraespinal, subescapular, manguito',
    hip: 'quadril, acetábulo, coxofemoral',
    wrist: 'punho, escafoide, rádio, ulna',
    ankle: 'tornozelo, tálus, fíbula, calcâneo',
    femur: 'fêmur, femoral',
    tibia: 'tíbia, tibial',
    humerus: 'úmero, umeral',
    rib: 'costela, costelas, arco costal, arcos costais, costal, costais',
    skin: 'pele, cutâneo, cutânea, dorso, face, braço, perna',
    carotid: 'carótida, carótidas, vertebral',
    testis: 'testículo, testículos, testicular, epidídimo',
    pleura: 'pleural, pleura',
    node: 'linfonodo, linfonodos, linfonodal, linfonodomegalia, linfonodomegalias',
  },
  shifts:
    'desvio da linha média, desvio de linha média, desvio das estruturas, linha média, linha mediana, desvio contralateral, rotação, rodado, rodada',
  within: 'em no na nos nas ao aos à às a junto sob sobre entre contra pelo pela para por até perto',
  measuresFirst: false,
  measures: 'medindo mede medem medida medido media mediam mediu é são',
  bears: 'com tem têm tinha',
  genitives: 'de do da dos das',
  distances: 'acima abaixo distante aquém além',
  distanceMarks: 'a distando dista',
  joints: 'com sem enquanto',
  removals: {
    gallbladder: 'colecistectomia, colecistectomizado, colecistectomizada',
    uterus: 'histerectomia, histerectomizada',
    spleen: 'esplenectomia, esplenectomizado, esplenectomizada',
    prostate: 'prostatectomia, prostatectomizado',
    kidney: 'nefrectomia, nefrectomizado, nefrectomizada',
    testis: 'orquiectomia, orquiectomizado',
  },
  partial: 'parcial parciais',
  removedSigns:
    'ausente, ausentes, ausência, ressecado, ressecada, removido, removida, leito, fossa, loja, coto, remanescente, não visualizado, não visualizada, não caracterizado, não caracterizada, clipes, cúpula',
  changes: 'aumento aumentou cresceu crescimento reducao reduziu diminuiu diminuicao acrescimo',
  changedBy: 'de em',
  grows: 'cresceu aumentou reduziu diminuiu',
  limits: 'menor menores maior maiores abaixo acima inferior inferiores superior superiores menos mais limite corte',
  alongside: 'comprimento extensão longo eixo longitudinal',
  normal: `
    normal, normais, preservado, preservada, preservados, preservadas, sem alterações, sem particularidades, habitual,
    habituais, sem anormalidades, aspecto anatômico, íntegro, íntegra, íntegros, íntegras, conservado, conservada
  `,
  small: `
    a o as os um uma uns umas de do da dos das em no na nos nas ao aos e ou com que se por para pelo pela medindo mede cm mm
    direito direita direitos direitas esquerdo esquerda esquerdos esquerdas bilateral bilaterais lado cerca ate aproximadamente
    superior inferior anterior posterior medial lateral presenca observa observado pequeno pequena grande leve moderado
    moderada acentuado discreto discreta aspecto sinais compativel sugestivo sugestiva provavel
  `,
  alternatives: 'ou e/ou',
  introducing: `
    observa observam observado observada observados observadas nota notam notado notada identifica identificam identificado
    identificada identificados identificadas evidencia evidenciam evidenciado evidenciada visualiza visualizam visualizado
    visualizada caracteriza caracterizam caracterizado caracterizada demonstra demonstram apresenta apresentam apresentando
    presenca presente presentes há se localizado localizada localizados localizadas situado situada
  `,
  turning: `
    possível possíveis possivelmente provável prováveis provavelmente improvável suspeito suspeita suspeitos suspeitas sugere
    sugerem sugerindo sugestivo sugestiva sugestivos sugestivas compatível compatíveis duvidoso duvidosa questionável
    indeterminado indeterminada incerto incerta aparente aparentes aparentemente pode podem poderia poderiam talvez hipótese
    hipóteses considerar favorece favorecendo representar representa representando simula simulando artefato artefatos
    artefatual resolvido resolvida resolução cicatrizado cicatrizada removido ressecado ressecada ausente tratado tratada pós
    após quase apenas somente parcial parcialmente incompleto incompleta limítrofe risco cerca aproximadamente até menos
    inespecífico inespecífica limitado limitada limitação diferencial drenado drenada evacuado embolizado corrigido corrigida
    consolidado retirado extraído operado reabsorvido regredido desaparecido aspirado substituído clipado curado
  `,
};

export const meaning = { facts, lexicon };
