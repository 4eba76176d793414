/** Names of parts of the body in Portuguese. */
export const anatomy = `
  abdome, abdutor, abdômen, acetábulo, acrômio, adenohipófise, adrenal, adutor, alvéolo, ampola de Vater, amígdala,
  antebraço, antepé, antro, aorta, aorta abdominal, aorta ascendente, aorta descendente, aorta torácica, aponeurose,
  apêndice cecal, apêndice vermiforme, apófise, aqueduto cerebral, aracnoide, arco aórtico, arco zigomático,
  articulação, articulação   acromioclavicular, articulação   femoropatelar, articulação   interfalangeana,
  articulação   temporomandibular, articulação atlantoaxial, articulação coxofemoral, articulação esternoclavicular,
  articulação femorotibial, articulação glenoumeral, articulação interfacetária, articulação metacarpofalangeana,
  articulação metatarsofalangeana, articulação patelofemoral, articulação radiocarpal, articulação sacroilíaca,
  articulação subtalar, articulação talocrural, articulação tibiofibular, articulação tibiotalar, artéria, artéria
  celíaca, artéria   coronária, artéria   gastroduodenal, artéria basilar, artéria braquial, artéria braquiocefálica,
  artéria carótida comum, artéria carótida externa, artéria carótida interna, artéria cerebral anterior, artéria
  cerebral média, artéria cerebral posterior, artéria circunflexa, artéria descendente anterior, artéria esplênica,
  artéria femoral, artéria fibular, artéria hepática, artéria ilíaca, artéria mesentérica inferior, artéria
  mesentérica superior, artéria poplítea, artéria pulmonar, artéria radial, artéria renal, artéria subclávia, artéria
  tibial anterior, artéria tibial posterior, artéria ulnar, artéria umbilical, artéria uterina, artéria vertebral,
  astrágalo, atlas, axila, bacia, bacinete, bainha tendínea, baço, bexiga, bolsa gástrica, botão aórtico, braço,
  bronquíolo, brônquio, brônquio fonte, brônquio lobar, brônquio segmentar, bulbo carotídeo, bulbo duodenal, bulbo
  olfatório, bursa, bursa   pré-patelar, bursa subacromial, bursa subdeltoidea, bursa trocantérica, bíceps, bíceps
  braquial, bíceps femoral, cabeça do pâncreas, cabeça femoral, cabeça umeral, caixa torácica, calcâneo, calota
  craniana, canal   arterial, canal anal, canal do carpo, canal inguinal, canal lacrimal, canal medular, canal
  vertebral, capitato, carena, carina, carpo, carpometacarpal, cartilagem, cartilagem cricoide, cartilagem tireoide,
  carótida, cauda do pâncreas, cauda equina, cavidade   nasal, cavidade oral, cavidade pleural, cavidade pélvica,
  cavidade uterina, cavoatrial, ceco, cerebelo, cerúleo, cintura   escapular, cintura pélvica, circunvolução, cisterna
  magna, cisterna suprasselar, clavícula, colo   uterino, colo do fêmur, coluna cervical, coluna dorsal, coluna
  lombar, coluna lombossacra, coluna torácica, coluna vertebral, comissura, complexo areolopapilar, complexo
  fibrocartilaginoso triangular, concha nasal, conduto auditivo, convexidade, coracoide, coração, cordão espermático,
  cordão umbilical, corno anterior, corno posterior, coroa   radiada, coroide, corpo adiposo de Hoffa, corpo caloso,
  corpo do pâncreas, corpo do útero, corpo lúteo, corpo uterino, corpo vertebral, corpos cavernosos, corredeira
  bicipital, cortical óssea, costela, cotovelo, coxa, cricoide, crista ilíaca, cristalino, crossa da aorta, cruz do
  coração, crânio, cuboide, cuneiforme, cálice, cálice renal, cápsula   interna, cápsula articular, cápsula externa,
  cárdia, câmara gástrica, células da mastoide, células etmoidais, cérebro, cérvice, cíngulo, cóccix, cóclea, cólon,
  cólon ascendente, cólon descendente, cólon sigmoide, cólon transverso, córion, córnea, córtex, córtex adrenal,
  córtex renal, córtico-medular, côndilo femoral, côndilo mandibular, cúpula diafragmática, decídua, dedo, deltoide,
  dente, derme, diafragma, diencéfalo, disco articular, disco intervertebral, disco óptico, diáfise, dorso, ducto
  biliar, ducto   pancreático, ducto arterioso, ducto colédoco, ducto cístico, ducto de Wirsung, ducto deferente,
  ducto hepático, ducto lactífero, ducto pancreático principal, ducto torácico, duodeno, dura-máter, díploe, efluxo,
  eixo celíaco, encéfalo, endocárdio, endocérvice, endométrio, endotélio, epicárdio, epicôndilo, epicôndilo   medial,
  epicôndilo lateral, epiderme, epidídimo, epiglote, epitélio, epífise, epíploon, escafoide, escafolunar,
  escafossemilunar, esclera, escroto, escutum, escápula, esfenoide, esfíncter, esfíncter externo, esfíncter interno,
  espaço   subaracnóideo, espaço epidural, espaço interesfincteriano, espaço parafaríngeo, espaço pleural, espaço
  retroperitoneal, espaço subdural, espinha dorsal, esplênio, esterno, estribo, estômago, esôfago, etmoide, extensor
  ulnar do carpo, face, faceta   articular, faixa iliotibial, falange, falange distal, falange média, falange
  proximal, faringe, fibular curto, fibular longo, fissura horizontal, fissura oblíqua, flexor longo do hálux, flexura
  esplênica, flexura hepática, foice cerebral, folículo, folículo ovariano, fontanela, forame   de Monro, forame
  intervertebral, forame magno, forame neural, forame obturador, forame oval, forame vertebral, fossa   cerebral
  posterior, fossa craniana, fossa ilíaca, fossa nasal, fossa olecraniana, fossa poplítea, fossa posterior, fossa
  romboide, fossa supraclavicular, fossa temporal, frênulo, fundo de saco posterior, fáscia, fáscia mesorretal, fáscia
  plantar, fêmur, fíbula, fígado, fímbria, fórnix, fóvea, gastrocnêmio, genitália, giro, giro do cíngulo, glabela,
  glande, glenoide, globo ocular, globo pálido, glomérulo, glote, glândula, glândula lacrimal, glândula mamária,
  glândula parótida, glândula pineal, glândula salivar, glândula sublingual, glândula submandibular, glândula
  suprarrenal, glândula tireoide, glúteo, glúteo máximo, glúteo médio, glúteo mínimo, gordura de Hoffa, gordura de
  Kager, goteira, gânglio, gânglios da base, hamato, hemicorpo, hemidiafragma, hemisfério cerebelar, hemisfério
  cerebral, hemitórax, hilo, hilo   renal, hilo esplênico, hilo hepático, hilo pulmonar, hioide, hipocampo,
  hipocôndrio, hipofaringe, hipogástrio, hipotálamo, hipófise, hálux, ilhota, iliopsoas, ilíaco, incisura,
  infraespinal, infraespinhal, infraespinhoso, infundíbulo, interfalângica, isquioanal, isquiorretal, isquiotibiais,
  istmo, jejuno, joelho, junção cavoatrial, junção esofagogástrica, junção pieloureteral, junção ureterovesical,
  labirinto, labrum, lagrimal, lamela, laringe, lente, leptomeninge, leptomeninges, levantador do ânus, ligamento,
  ligamento   anular, ligamento   coracoacromial, ligamento   longitudinal, ligamento amarelo, ligamento arqueado,
  ligamento calcaneofibular, ligamento colateral lateral, ligamento colateral medial, ligamento cruzado anterior,
  ligamento cruzado posterior, ligamento deltoide, ligamento escafolunar, ligamento falciforme, ligamento
  fibulocalcâneo, ligamento fibulotalar anterior, ligamento hepatogástrico, ligamento iliolombar, ligamento
  patelofemoral, ligamento redondo, ligamento talofibular, ligamento uterossacro, ligamento venoso, linfonodo, linha
  de Shenton, linha pectínea, lobo, lobo   frontal, lobo caudado, lobo inferior, lobo médio, lobo occipital, lobo
  parietal, lobo quadrado, lobo superior, lobo temporal, lombo, lunato, lunopiramidal, lábio acetabular, lábio
  glenoidal, lábrum acetabular, lâmina cribriforme, língua, língula, líquido   amniótico, líquido cefalorraquidiano,
  líquor, lóbulo, maléolo, maléolo lateral, maléolo medial, mama, mamilo, mandíbula, manguito rotador, manúbrio,
  martelo, mastoide, maxila, meato acústico, mediastino, medula, medula   espinhal, medula óssea, membrana amniótica,
  membrana sinovial, membrana timpânica, meninge, menisco, menisco   lateral, menisco medial, mesencéfalo, mesentério,
  mesocólon, mesogástrio, mesorreto, metacarpo, metacarpofalângica, metatarso, metatarsofalângica, metáfise,
  miocárdio, miométrio, musculatura paravertebral, músculo, músculo iliopsoas, músculo piriforme, nariz, nasofaringe,
  navicular, nervo, nervo   óptico, nervo ciático, nervo facial, nervo mediano, nervo trigêmeo, nervo ulnar, nervo
  vestibulococlear, neuro-hipófise, núcleo, núcleo caudado, núcleo lentiforme, núcleo pulposo, núcleos da base,
  obturador, occipício, olho, olécrano, ombro, omento, omento maior, orelha, orifício externo, orifício interno,
  orofaringe, osso, osso   parietal, osso frontal, osso hioide, osso occipital, osso temporal, ossos próprios do
  nariz, ossículo, ovário, ovário direito, ovário esquerdo, palato, palato   duro, palato mole, papila, papila
  duodenal, paramétrio, parede abdominal, parede torácica, parede vesical, parênquima, parênquima encefálico,
  parênquima esplênico, parênquima hepático, parênquima mamário, parênquima pancreático, parênquima pulmonar,
  parênquima renal, parênquima testicular, parótida, pata de ganso, patela, pectíneo, pedículo, pele, pelve, pelve
  renal, pelvis, pericárdio, peritônio, periósteo, perna, peroneal, pescoço, pia-máter, piloro, pineal, piriforme,
  pirâmide renal, pisiforme, placa motora, placa terminal, placenta, planalto tibial, planalto vertebral, plantar,
  platô   tibial, platô vertebral, pleura, plexo, plexo braquial, plexo coroide, plexo lombossacro, plexo venoso,
  plica, plica sinovial, polegar, polo inferior, polo renal, polo superior, ponte, poplíteo, prega   glútea, pregas
  vocais, processo   transverso, processo coracoide, processo espinhoso, processo estiloide, processo odontoide,
  processo uncinado, próstata, psoas, pube, puborretal, pulmão, pulmão direito, pulmão esquerdo, punho, putâmen,
  pálpebra, pâncreas, pé, pé esquerdo, pênis, púbis, quadrante, quadril, quadríceps, quarto ventrículo, quiasma
  óptico, raiz nervosa, ramo púbico, ramos pubianos, recesso, recesso   suprapatelar, recesso costofrênico, recesso
  lateral, redondo maior, redondo menor, rete testis, retina, retináculo, reto, reto abdominal, reto femoral, retopé,
  retrocárdio, retroperitônio, rim, rim direito, rim esquerdo, rins, rádio, rótula, saco dural, saco gestacional, saco
  herniário, saco vitelínico, sacro, sartório, scutum, seio, seio cavernoso, seio coronário, seio costofrênico, seio
  esfenoidal, seio etmoidal, seio frontal, seio maxilar, seio renal, seio reto, seio sagital superior, seio sigmoide,
  seio transverso, seios da   face, seios paranasais, sela túrcica, semilunar, semilunopiramidal, semimembranoso,
  seminífero, semitendinoso, septo, septo   interventricular, septo interatrial, septo nasal, septo pelúcido, septo
  posterior, septo retovaginal, sesamoide, sigmoide, sindesmose, sinóvia, sistema   pielocalicinal, sistema coletor,
  sistema ventricular, subescapular, substância branca, substância cinzenta, sulco, sulco central, sulco
  intertubercular, supraespinal, supraespinhal, supraespinhoso, sínfise púbica, sóleo, tarso, tecido celular
  subcutâneo, tecido fibroglandular, tecido subcutâneo, tegmento, tenda do cerebelo, tendão, tendão   de Aquiles,
  tendão calcâneo, tendão patelar, tendão quadricipital, tendão supraespinal, terceiro ventrículo, testículo, teto,
  tibial anterior, tibial posterior, timo, tireoide, tonsila, tonsila cerebelar, tonsila palatina, tornozelo, tragus,
  trapeziometacarpal, trapezoide, trapézio, traqueia, tricípite, triquetro, trocânter, trocânter maior, trompa, trompa
  de Falópio, tronco   cefálico, tronco braquiocefálico, tronco celíaco, tronco cerebral, tronco encefálico, tronco
  pulmonar, tríceps, trígono, trígono vesical, tróclea, tuba uterina, tuberosidade, tuberosidade tibial, tubérculo,
  tálamo, tálus, tíbia, tímpano, tórax, túbulo, túnica, túnica albugínea, túnica vaginal, ulna, umbigo, unha, uracus,
  ureter, uretra, vagina, valva, valva aórtica, valva mitral, valva pulmonar, valva tricúspide, valécula, vasculatura,
  vasto intermédio, vasto lateral, vasto medial, veia, veia basílica, veia braquiocefálica, veia cava inferior, veia
  cava superior, veia cefálica, veia esplênica, veia femoral, veia gonadal, veia hepática, veia ilíaca, veia jugular,
  veia mesentérica, veia perfurante, veia poplítea, veia porta, veia pulmonar, veia renal, veia safena magna, veia
  safena parva, veia subclávia, veia ázigos, ventre muscular, ventrículo, ventrículo direito, ventrículo esquerdo,
  ventrículo lateral, vermis, vestíbulo, vesícula, vesícula biliar, vesícula seminal, via biliar, via biliar
  principal, vias aéreas, vias biliares, vias biliares intra-hepáticas, vitelino, vulva, válvula, válvula   ileocecal,
  vértebra, víscera, vítreo, vômer, xifoide, zigoma, átrio, átrio direito, átrio esquerdo, áxis, ângulo
  costofrênico, ângulo de Cobb, ângulo pontocerebelar, ânus, íleo, íleo terminal, ílio, ínsula, íris, ísquio, órbita,
  óstio, úmero, úncus, útero, úvea, úvula
`;
