/** Facts of a report in Spanish, and the subjects of reports. */
import type { FactTables, LexiconTables } from '../tables.ts';

const facts: FactTables = {
  sides: {
    right: 'derecho derecha derechos derechas dcho dcha dchos dchas',
    left: 'izquierdo izquierda izquierdos izquierdas izdo izda izdos izdas izq izqdo izqda',
    both: 'bilateral bilaterales bilateralmente ambos ambas',
  },
  shortSides: { right: 'D', left: 'I', first: false },
  sidedParts: `
    lobulo rinon mama pulmon hemitorax ovario testiculo rodilla hombro cadera muneca tobillo codo pie mano ojo orbita oido
    ureter adrenal suprarrenal carotida hemisferio miembro muslo pierna brazo antebrazo base apice lado seno femur tibia
    perone humero radio cubito clavicula escapula rotula parotida trompa axila fosa flanco auricula ventriculo
  `,
  places: [
    { upper: 'superior superiores', lower: 'inferior inferiores', middle: 'medio media medios medias' },
    { front: 'anterior anteriores', back: 'posterior posteriores' },
    { medial: 'medial mediales', lateral: 'lateral laterales' },
    { proximal: 'proximal proximales', distal: 'distal distales' },
    { inner: 'interno interna internos internas', outer: 'externo externa externos externas' },
    { apical: 'apical apicales', basal: 'basal basales' },
    { systolic: 'sistolico sistolica', diastolic: 'diastolico diastolica' },
  ],
  negations: `
    no, sin, ausencia de, ausencia, ausente, ausentes, ningún, ninguna, ninguno, niega, niegan, ni, libre de, libres de, tampoco,
    negativo para, negativa para, descartado, descartada, descartados, descartadas
  `,
  misheard: [
    String.raw`\$ no(?: \$ no)+ \$`,
    String.raw`\$ (?:si|cien|100) {finding}`,
    String.raw`\$ en (?:derrames?|cálculos?|adenopatías?|fracturas?|microcalcificaciones)`,
    'riñón (?:cien|100) {finding}',
    'nos (?:observan?|identifican?|aprecian?|visualizan?|evidencian?)',
    '(?:{place}|{part}) (?:de (?:hecho|derecho)|direct[oa])',
    'no (?:dulos?|duros?|duelos?|dudos?|dolos?)',
    'ni de(?: [^ $]+){1,3} (?:centímetros?|milímetros?|cm|mm)',
    '(?:esencia|asistencia|audiencia|urgencia) de {finding}',
    String.raw`ele \d`,
    'l5 (?:es|ese|y ese|se|y se) 1',
    'fracción de (?:inyección|elección|dirección)',
  ],
  beforeUnits:
    'el los unos pocos algunos varios escasos medio en por de un milésimas centésimas décimas cuántos tantos dichos estos mismos',
  absences: `
    no observado, no observada, no observados, no observadas, no visualizado, no visualizada, no visualizados, no
    visualizadas, no identificado, no identificada, no identificados, no identificadas, no caracterizado, no
    caracterizada, no caracterizados, no caracterizadas, no evidenciado, no evidenciada, no evidenciados, no
    evidenciadas, no detectado, no detectada, no detectados, no detectadas, no encontrado, no encontrada, no
    encontrados, no encontradas, no demostrado, no demostrada, no demostrados, no demostradas, ausente, ausentes,
    descartado, descartada, descartados, descartadas, no se observa, no se identifica, no se aprecia
  `,
  scopeEnds:
    'pero sin embargo excepto salvo observa observan aprecia aprecian presenta presentando con midiendo hay aunque',
  exceptions: `
    excepto, excepto por, salvo, salvo por, fuera de, a excepción de, con excepción de, con excepción del, aparte de, además de, más que
  `,
  others: `
    otro otra otros otras nuevo nueva nuevos nuevas demas significativo significativa significativos significativas adicional
    adicionales mayor mayores evidente evidentes definido definidos residual residuales sospechoso sospechosos sospechosa
    sospechosas especifico especifica importante importantes aparente aparentes relevante relevantes
    agudo aguda agudos agudas reciente recientes desplazado desplazada desplazados desplazadas hipertensivo tension
    maligno maligna malignos malignas activo activa activos activas voluminoso voluminosa obstructivo obstructiva obstructivos
    completo completa completos completas total totales transfixiante agresivo agresiva agresivos agresivas patologico patologica
    patologicos patologicas loculado loculada conminuta extenso extensa compresivo compresiva grave graves solido solida solidos
    solidas grande grandes franco franca masivo masiva asociado asociada asociados asociadas sobreanadido sobreanadida
  `,
  comparisons: `
    similar al derecho, similar al izquierdo, similar a la derecha, similar a la izquierda, similares al derecho,
    similares al izquierdo, similares a la derecha, similares a la izquierda, semejante al derecho,
    semejante al izquierdo, semejante a la derecha, semejante a la izquierda, semejantes al derecho,
    semejantes al izquierdo, semejantes a la derecha, semejantes a la izquierda, igual al derecho, igual al izquierdo,
    igual a la derecha, igual a la izquierda, iguales al derecho, iguales al izquierdo, iguales a la derecha,
    iguales a la izquierda, idéntico al derecho, idéntico al izquierdo, idéntico a la derecha,
    idéntico a la izquierda, idéntica al derecho, idéntica al izquierdo, idéntica a la derecha,
    idéntica a la izquierda, simétrico al derecho, simétrico al izquierdo, simétrico a la derecha,
    simétrico a la izquierda, simétrica al derecho, simétrica al izquierdo, simétrica a la derecha,
    simétrica a la izquierda,
    respecto a, con respecto al, con respecto a la, con relación al, con relación a la, en relación a, frente al, frente a la, versus, que el izquierdo, que el derecho, que la izquierda, que la derecha, a diferencia del, a diferencia de la, en contraste con, comparativamente, comparado con,
    en relación al, en relación a la, en relación con, respecto al, respecto a la, respecto del, comparado, comparada,
    en comparación, contralateral, contralaterales, lado opuesto, como control, a título comparativo, a modo de comparación, para comparación, que el lado, que la, asimetría
  `,
  priors: `
    antes, anteriormente, previamente, previo, previa, previos, previas, estudio anterior, estudio previo, medía, medían, era de,
    eran de, en estudio de, en el estudio de, en la tomografía de, en la resonancia de, comparativo, evolutivo, resuelto, resuelta,
    resolución, reabsorción, postoperatorio, antecedente, antecedentes, historia de
  `,
  history: `
    postoperatorio, posquirúrgico, antecedente, antecedentes, historia de, cirugía previa, nefrectomía, mastectomía, lobectomía,
    neumonectomía, hemicolectomía, artroplastia, prótesis, resuelto, resuelta, resolución, reabsorción, operado, operada,
    resección, resecado
  `,
  hypothetical: `
    sospecha de, sospecha clínica, descartar, excluir, para evaluación, evaluar, valorar, búsqueda de, cribado, riesgo de,
    posibilidad de, hipótesis de, control de, diagnóstico diferencial, no se puede, no puede, a criterio, en caso de, si hubiera
  `,
  communication: `
    comunicado, comunicada, comunicados, comunica, comunicó, comuniqué, comunicación, informado, informada, informó, avisado,
    avisada, notificado, notificada, notificó, contacto telefónico, por teléfono, vía telefónica, telefónicamente, comentado,
    comentada, contactado, contactó
  `,
  chronic: 'crónico crónica crónicos crónicas antiguo antigua antiguos antiguas secuelar estable residual',
  acute: 'agudo aguda agudos agudas hiperagudo hiperaguda subagudo subaguda agudizado agudizada nuevo nueva aumento',
};

const lexicon: LexiconTables = {
  findings: {
    pneumothorax: 'neumotórax',
    pulmonary_embolism:
      'trombo arteria pulmonar, trombo pulmonar, tromboembolismo arteria pulmonar, tromboembolismo rama arteria pulmonar, tromboembolismo pulmonar, embolia pulmonar, TEP, tromboembolia pulmonar, émbolo pulmonar, émbolos pulmonares',
    intracranial_haemorrhage: `
      hemorragia intracraneal, hematoma subdural, hematoma epidural, hematoma extradural, hemorragia subaracnoidea,
      hemorragia intraparenquimatosa, hematoma intraparenquimatoso, hemorragia cerebral, hemorragia intraventricular, sangrado intracraneal
    `,
    free_air: 'neumoperitoneo, aire libre, gas libre, aire libre intraperitoneal',
    torsion: 'torsión ovárica, torsión testicular, torsión anexial, torsión del ovario, torsión del testículo, vólvulo',
    ectopic_pregnancy: 'embarazo ectópico, gestación ectópica',
    aortic_dissection:
      'disección aórtica, disección de la aorta, disección de aorta, rotura de la aorta, rotura aórtica, aneurisma roto',
    acute_infarct: 'ictus isquémico agudo, infarto agudo, isquemia aguda, evento vascular agudo, ACV agudo',
    cord_compression: 'compresión medular, compresión de la médula',
    tamponade: 'taponamiento cardíaco, taponamiento cardiaco',
    cauda_equina: 'síndrome de cauda equina, síndrome de cola de caballo',
    herniation:
      'herniación uncal, herniación transtentorial, herniación cerebral, herniación amigdalina, herniación subfalcina',
    active_bleeding: 'sangrado activo, extravasación activa, extravasación activa de contraste, hemorragia activa',
    bowel_ischaemia: 'isquemia mesentérica, isquemia intestinal, neumatosis intestinal, gas portal',
    vessel_occlusion:
      'oclusión de gran vaso, oclusión de la arteria cerebral media, oclusión de la arteria basilar, oclusión de la carótida interna',
    venous_sinus_thrombosis: 'trombosis venosa cerebral, trombosis del seno venoso, trombosis del seno sagital',
    epidural_abscess: 'absceso epidural',
    necrotising_fasciitis: 'fascitis necrotizante, fascitis necrosante, gangrena de Fournier',
    placental_abruption: 'desprendimiento prematuro de placenta, desprendimiento de placenta',
    fetal_death: 'muerte fetal, óbito fetal',
    pleural_effusion: 'derrame pleural, derrames pleurales, líquido pleural',
    pericardial_effusion: 'derrame pericárdico',
    joint_effusion: 'derrame articular',
    free_fluid: 'líquido libre, ascitis',
    hydronephrosis: `
      hidronefrosis, ureterohidronefrosis, dilatación pielocalicial, ectasia pielocalicial, dilatación del sistema colector,
      dilatación pielocaliciar, pielectasia
    `,
    gallstone: 'colelitiasis, cálculo biliar, cálculos biliares, litiasis biliar',
    kidney_stone: 'nefrolitiasis, cálculo renal, cálculos renales, litiasis renal, urolitiasis',
    ureter_stone: 'cálculo ureteral, cálculos ureterales, litiasis ureteral, ureterolitiasis',
    stone: 'cálculo, cálculos, litiasis',
    fracture: 'fractura, fracturas',
    nodule: 'nódulo, nódulos',
    pulmonary_nodule: 'nódulo pulmonar, nódulos pulmonares',
    cyst: 'quiste, quistes',
    mass: 'masa, masas',
    consolidation: 'consolidación, consolidaciones',
    adenopathy: 'adenopatía, adenopatías, linfadenopatía, linfadenopatías',
    hernia: 'hernia discal, hernias discales, hernia de disco',
    tear: 'rotura, roturas, desgarro, desgarros',
    appendicitis: 'apendicitis',
    cholecystitis: 'colecistitis',
    pancreatitis: 'pancreatitis',
    thrombosis: 'trombosis venosa profunda, TVP, trombosis',
    stenosis: 'estenosis',
    aneurysm: 'aneurisma, aneurismas',
    steatosis: 'esteatosis',
    cardiomegaly: 'cardiomegalia',
    calcification: 'calcificación, calcificaciones, microcalcificaciones',
  },
  maleOrgans:
    'próstata, prostático, vesícula seminal, vesículas seminales, testículo, testículos, bolsa escrotal, escroto, pene, epidídimo, epidídimos, cordón espermático, varicocele, hidrocele',
  femaleOrgans:
    'útero, uterino, uterina, ovario, ovarios, ovárico, ovárica, endometrio, endometrial, miometrio, vagina, vaginal, vulva, mioma, miomas, trompa uterina',
  fetus: 'feto, fetal, fetos, placenta, embrión',
  pregnancy: 'embarazada, embarazo, gestante, gestación, gestacional, feto, embrión, saco gestacional',
  male: 'hombre, varón, sexo masculino, paciente masculino, niño',
  female: 'mujer, sexo femenino, paciente femenina, paciente femenino, niña, embarazada, gestante',
  patient:
    'paciente hombre mujer varon masculino femenino femenina sexo edad nino nina lactante gestante anciano anciana joven',
  years: 'anos ano',
  childhood: 'fontanela, fontanelas, recién nacido, neonato, prematuro, lactante',
  family: `
    padre, madre, hermano, hermana, hermanos, hermanas, abuelo, abuela, tío, tía, hijo, hija, primo, prima, esposa, marido,
    familiar, familiares, familia, pariente, parientes, materno, materna, paterno, paterna
  `,
  modalities: {
    CT: 'tomografía, tomografía computarizada, tomografía computada, TC, TAC, angiotomografía, tomográfico, tomográfica, tomográficos, tomográficas, helicoidal, multidetector, multicorte',
    MR: 'resonancia, resonancia magnética, RM, RMN, angiorresonancia, potenciadas en T1, potenciadas en T2, gadolinio, STIR, FLAIR, espín eco',
    US: 'ecografía, ultrasonido, ultrasonografía, ecográfico, ecográfica, ultrasonográfico, transductor, sonda lineal, modo B',
    CR: 'radiografía, rayos X, RX, radiográfico, radiográfica, radiografías',
    MG: 'mamografía, mamográfico, mamográfica, tomosíntesis',
    PT: 'PET-CT, PET-TC, PET, tomografía por emisión de positrones',
    NM: 'gammagrafía',
    BMD: 'densitometría',
  },
  devices: `
    absorciometria doble dual energia haz tubo tubos fuente generador aparato equipo detector detectores espectro emision
    emisor fluoroscopia escopia arco atenuacion dosis filtro filas kv kvp radiacion principio fisico
  `,
  spine: {
    cervical: 'cervical, cervicales, cervicotorácica, atlantoaxial',
    dorsal: 'dorsal, dorsales, torácica, torácico, torácicas, torácicos, toracolumbar',
    lumbar: 'lumbar, lumbares, lumbosacra, lumbosacro',
  },
  regions: {
    chest: 'tórax, torácico, torácica, pulmón, pulmones',
    abdomen: 'abdomen, abdominal, abd',
    pelvis: 'pelvis, pélvico, pélvica',
    head: 'cráneo, encéfalo, cerebral, cerebro, cabeza',
    cervical: 'columna cervical',
    lumbar: 'columna lumbar, columna lumbosacra',
    dorsal: 'columna torácica, columna dorsal',
    knee: 'rodilla, rodillas',
    shoulder: 'hombro, hombros',
    hip: 'cadera, caderas',
    wrist: 'muñeca, muñecas',
    ankle: 'tobillo, tobillos',
    elbow: 'codo, codos',
    foot: 'pie, pies',
    hand: 'mano, manos',
    breast: 'mama, mamas, mamaria, mamario',
    thyroid: 'tiroides, tiroideo, tiroidea',
    prostate: 'próstata',
    thigh: 'muslo, muslos',
    testis: 'testículo, testículos, testicular, escroto, escrotal',
    leg: 'pierna, piernas',
    forearm: 'antebrazo',
    neck: 'cuello',
    carotid: 'carótidas, carótida',
    heart: 'ecocardiograma, corazón',
  },
  measured: {
    kidney: 'riñón, riñones',
    liver: 'hígado',
    spleen: 'bazo',
    gallbladder_wall: 'pared de la vesícula, pared vesicular',
    wall_thickness: 'grosor de la pared',
    bile_duct: 'colédoco, vía biliar principal',
    portal_vein: 'vena porta',
    aorta: 'aorta, aorta abdominal, raíz aórtica',
    endometrium: 'endometrio, grosor endometrial, línea endometrial',
    ovary: 'ovario, ovarios',
    uterus: 'útero',
    prostate: 'próstata',
    appendix: 'apéndice, apéndice cecal',
    pulmonary_nodule: 'nódulo pulmonar, micronódulo',
    nodule: 'nódulo, granuloma',
    ureter_stone: 'cálculo ureteral, litiasis ureteral',
    aortic_aneurysm:
      'aneurisma de aorta, aneurisma de la aorta, aneurisma de aorta abdominal, aneurisma de la aorta abdominal, aneurisma aórtico',
    protrusion: 'protrusión discal, protrusión, abombamiento discal',
    biparietal: 'diámetro biparietal, DBP',
    fetal_femur: 'longitud del fémur, longitud femoral',
    fetal_head: 'circunferencia cefálica, perímetro cefálico',
    fetal_abdomen: 'circunferencia abdominal, perímetro abdominal',
    node: 'ganglio, ganglios, adenopatía',
    nuchal: 'translucencia nucal, TN',
    intima: 'grosor íntima-media, grosor intima media',
    midline: 'desviación de la línea media, desplazamiento de la línea media',
    ejection: 'fracción de eyección, FE, FEVI',
    heart_rate: 'frecuencia cardíaca, frecuencia cardiaca, FC',
    stenosis: 'estenosis',
    attenuation: 'atenuación, densidad',
    suv: 'SUV, SUVmax',
    septum: 'septum interventricular, tabique interventricular',
    heart_wall: 'septo, septum, tabique, pared posterior',
    atrium: 'aurícula izquierda',
    bladder_wall: 'pared vesical',
  },
  organs: {
    lung: 'pulmón, pulmones, pulmonar, pulmonares, língula',
    liver: 'hígado, hepático, hepática, hepáticos, hepáticas',
    kidney: 'riñón, riñones, renal, renales, uréter, uréteres, ureteral, ureterales, pielocalicial',
    spleen: 'bazo, esplénico, esplénica',
    pancreas: 'páncreas, pancreático, pancreática',
    gallbladder: 'vesícula, vesicular, biliar',
    thyroid: 'tiroides, tiroideo, tiroideos, istmo',
    breast: 'mama, mamas, mamario, mamaria',
    ovary: 'ovario, ovarios, ovárico, ovárica, anexial',
    uterus: 'útero, uterino, uterina, endometrio',
    prostate: 'próstata, prostático, prostática',
    bladder: 'vejiga, vesical',
    adrenal: 'suprarrenal, adrenal, suprarrenales',
    brain:
      'intracraneal, intracraneales, encefálico, encefálica, cerebro, ganglios basales, supratentorial, infratentorial, cerebral, cerebrales, encéfalo, subdural, frontal, parietal, temporal, occipital, frontoparietal, cerebeloso',
    heart: 'corazón, cardíaco, cardíaca, aurícula, ventrículo, mitral, aórtica',
    bowel: 'colon, intestino, asa, asas, apéndice, ciego',
    knee: 'rodilla, menisco, meniscos, meniscal, rótula, rotuliano, cruzado',
    shoulder: 'hombro, supraespinoso, infraespinoso, subescapular, manguito',
    hip: 'cadera, acetábulo, coxofemoral',
    wrist: 'muñeca, escafoides, radio, cúbito',
    ankle: 'tobillo, astrágalo, peroné, calcáneo',
    femur: 'fémur, femoral',
    tibia: 'tibia, tibial',
    humerus: 'húmero, humeral',
    rib: 'costilla, costillas, arco costal, arcos costales, costal',
    skin: 'piel, cutáneo, cutánea, espalda, cara, brazo',
    carotid: 'carótida, carótidas, arteria vertebral',
    testis: 'testículo, testículos, testicular, epidídimo',
    pleura: 'pleural, pleura',
    node: 'ganglio, ganglios, adenopatía, adenopatías',
  },
  shifts:
    'desviación de la línea media, desplazamiento de la línea media, línea media, desplazamiento, rotación, rotado, rotada',
  within: 'en a al junto sobre bajo entre contra por para hasta hacia cerca tras',
  measuresFirst: false,
  measures: 'midiendo mide miden medida medido medía medían midió es son',
  bears: 'con tiene tienen tenía',
  genitives: 'de del',
  distances: 'encima debajo distante',
  distanceMarks: 'a dista distando',
  joints: 'con sin mientras',
  removals: {
    gallbladder: 'colecistectomía, colecistectomizado, colecistectomizada',
    uterus: 'histerectomía, histerectomizada',
    spleen: 'esplenectomía, esplenectomizado, esplenectomizada',
    prostate: 'prostatectomía, prostatectomizado',
    kidney: 'nefrectomía, nefrectomizado, nefrectomizada',
    testis: 'orquiectomía, orquidectomía',
  },
  partial: 'parcial parciales',
  removedSigns:
    'ausente, ausentes, ausencia, resecado, resecada, extirpado, extirpada, lecho, fosa, celda, muñón, remanente, no se visualiza, no visualizado, no visualizada, clips, cúpula',
  changes: 'aumento crecio crecimiento reduccion redujo disminuyo disminucion incremento',
  changedBy: 'de en',
  grows: 'crecio aumento redujo disminuyo',
  limits: 'menor menores mayor mayores inferior inferiores superior superiores menos bajo encima limite corte',
  alongside: 'longitud extensión largo eje longitudinal',
  normal: `
    normal, normales, conservado, conservada, conservados, conservadas, sin alteraciones, habitual, habituales, íntegro,
    íntegra, íntegros, íntegras, preservado, preservada, sin anormalidades, sin particularidades
  `,
  small: `
    a el la los las un una unos unas de del en al y e o u con que se por para mide midiendo cm mm derecho derecha derechos
    derechas izquierdo izquierda izquierdos izquierdas bilateral bilaterales lado cerca hasta aproximadamente superior inferior
    anterior posterior medial lateral presencia observa pequeno pequena grande leve moderado moderada discreto discreta
    aspecto signos compatible sugestivo sugestiva probable hay existe
  `,
  alternatives: 'o u ni y/o',
  introducing: `
    observa observan observado observada observados observadas aprecia aprecian apreciado apreciada identifica identifican
    identificado identificada identificados identificadas evidencia evidencian evidenciado visualiza visualizan visualizado
    visualizada muestra muestran demuestra presenta presentan presentando presencia presente presentes hay existe existen se
    localizado localizada localizados localizadas situado situada
  `,
  turning: `
    posible posibles posiblemente probable probables probablemente improbable sospechoso sospechosa sospechosos sospechosas
    sospecha sugiere sugieren sugiriendo sugestivo sugestiva sugestivos sugestivas sugerente sugerentes compatible compatibles
    dudoso dudosa cuestionable indeterminado indeterminada incierto incierta aparente aparentes aparentemente puede pueden
    podría podrían quizás quizá hipótesis considerar favorece representar representa representando simula simulando artefacto
    artefactos resuelto resuelta resolución curado cicatrizado extirpado resecado resecada ausente tratado tratada post tras
    casi solo solamente parcial parcialmente incompleto incompleta limítrofe riesgo si cerca aproximadamente hasta menos unos
    inespecífico inespecífica limitado limitada limitación diferencial drenado drenada evacuado embolizado reparado corregido
    consolidado retirado extraído operado reabsorbido regresado desaparecido aspirado sustituido eliminado removido
  `,
};

export const meaning = { facts, lexicon };
