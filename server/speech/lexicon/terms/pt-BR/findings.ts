/** Diseases and findings in Portuguese. */
export const findings = `
  abaulamento, abaulamento discal, abscesso, acalasia, acidente vascular cerebral, acinesia, acinético, acne,
  adenocarcinoma, adenoma, adenoma   hepático, adenomegalia, adenomiomatose, adenomiose, adenopatia, adenose,
  aderência, aerobilia, aerofagia, afundamento, agenesia, alargamento mediastinal, alopecia, amiloidose, anasarca,
  anemia, anencefalia, aneurisma, aneurisma da aorta abdominal, aneurisma sacular, anexite, angina, angiodisplasia,
  angioedema, angiofibroma, angioma, angiomiolipoma, angiopatia amiloide, angiossarcoma, anoftalmia, anquilose,
  anterolistese, anterolistese   degenerativa, anteroversão, aortite, apendagite, apendagite epiploica, apendicite,
  apendicite aguda, apendicolito, apneia, aracnoidite, arritmia, arteriopatia, arteriosclerose, arterite, artrite,
  artrite   séptica, artrite reumatoide, artrodese, artropatia, artrose, asbestose, ascite, asma, aspergiloma,
  aspergilose, assimetria, astrocitoma, ataxia, atelectasia, atelectasia laminar, atelectasias, ateroma, ateromatose,
  ateromatose aórtica, aterosclerose, atresia, atrofia, atrofia cerebral, atrofia cortical, atrofia hipocampal,
  avulsionado, avulsão, bacteriemia, bandas parenquimatosas, bloqueio de ramo, bolha, bradiarritmia, bradicardia,
  broncoaspiração, broncocele, broncoespasmo, broncograma aéreo, broncoinclusão, broncopatia, broncopneumonia,
  bronquiectasia, bronquiectasias, bronquiolite, bronquiolite obliterante, bronquite, bursite, bursopatia, bócio,
  bócio multinodular, calcificação, calcificação distrófica, calcificações, calcificações ateromatosas, calcificações
  vasculares, calcinose, calo ósseo, candidíase, capsulite adesiva, carcinoma, carcinoma basocelular, carcinoma
  ductal, carcinoma espinocelular, carcinoma hepatocelular, carcinoma lobular, carcinoma papilífero, carcinomatose,
  carcinomatose peritoneal, cardiomegalia, cardiopatia, cardiopatia isquêmica, carotidopatia, cavernoma, cavitação,
  cefaleia, celulite, ceratose, ceratose actínica, ceratose seborreica, cervicalgia, cervicite, cicatriz,
  cifoescoliose, cifose, cirrose, cirrose hepática, cistite, cisto, cisto   cortical, cisto anexial, cisto aracnoide,
  cisto broncogênico, cisto coloide, cisto de Baker, cisto de Bartholin, cisto de retenção, cisto de Tarlov, cisto
  dermoide, cisto ducto   tireoglosso, cisto epidermoide, cisto hemorrágico, cisto hepático, cisto mucoso, cisto
  ovariano, cisto parameniscal, cisto pielogênico, cisto poplíteo, cisto renal, cisto sebáceo, cisto sinovial, cisto
  ósseo, cistocele, cistos, ciática, claudicação, coalizão tarsal, coartação, coccidínia, colangiocarcinoma,
  colangite, colangite esclerosante, colapso, colapso   pulmonar, colecistite, colecistite aguda, colecistolitíase,
  colecistopatia, coledocolitíase, colelitíase, colestase, colesteatoma, colesterolose, coleção, coleções, colite,
  colite isquêmica, colite ulcerativa, comedocarcinoma, compressão, comunicação interatrial, comunicação
  interventricular, condensação, condroblastoma, condrocalcinose, condrolipoma, condroma, condromalácia, condromalácia
  patelar, condromatose, condropatia, condropatia patelar, condrossarcoma, congestão, consolidação, consolidação
  pulmonar, consolidações, contratura, contusão, contusão pulmonar, contusão óssea, convulsão, cor pulmonale,
  coxartrose, coágulo, craniofaringioma, craniossinostose, crioglobulinemia, criptorquidia, criptorquidismo, crosta,
  cálculo, cálculo biliar, cálculo coraliforme, cálculo renal, cálculo ureteral, cálculo vesical, cólica,
  dacriocistite, dedo em gatilho, deformidade, degeneração, degeneração discal, degeneração gordurosa, degeneração
  mixoide, deiscência, demência, depressão, derivação, dermatite, dermatite atópica, dermatite seborreica,
  dermatofibroma, derrame, derrame articular, derrame pericárdico, derrame pleural, derrame pleural laminar,
  desalinhamento, descolamento, descolamento de placenta, descolamento de retina, desidratação discal,
  desmielinização, desmoide, desvio da linha   média, desvio de linha média, desvio do septo nasal, dextrocardia,
  diabetes, dilatação, dilatação das vias biliares, dilatação pielocalicinal, discectasia, discinesia, discinético,
  discite, discopatia, discopatia degenerativa, discromia, disfagia, disfunção, dislipidemia, dismenorreia, dismetria,
  displasia, displasia do quadril, displasia fibrosa, dispneia, dissecção, dissecção aórtica, dissecção da aorta,
  distensão, distensão muscular, distopia, distorção arquitetural, distrofia, disúria, diverticulite, diverticulite
  aguda, diverticulose, diverticulose colônica, divertículo, divertículo de Meckel, divertículo de Zenker,
  divertículos colônicos, diástase, diástase dos retos, doença arterial coronariana, doença de   Crohn, doença
  degenerativa, doença inflamatória pélvica, doença trofoblástica, dor, dor   torácica, dor abdominal, dor lombar,
  dorsalgia, drusas, ectasia, ectasia ductal, ectopia, eczema, edema, edema   perilesional, edema cerebral, edema
  medular, edema pulmonar, edema subcutâneo, edema vasogênico, edema ósseo, embolia, embolia pulmonar, empiema,
  encarceramento, encefalite, encefalocele, encefalomalácia, encefalopatia, encondroma, endocardite, endocárdico,
  endoleak, endometrioma, endometriose, endometrite, enfisema, enfisema centrolobular, enfisema parasseptal, enfisema
  pulmonar, enfisema subcutâneo, enostose, enterite, enterocele, enterocolite, enterolito, entesite, entesopatia,
  entesopático, entesófito, entorse, ependimoma, epicondilite, epicondilite lateral, epididimite, epifisiólise,
  epilepsia, epistaxe, ergotismo, erisipela, eritema, erosão, erosões, escabiose, escarro, esclerodermia, esclerose,
  esclerose múltipla, esclerose subcondral, esclerose tuberosa, escoliose, escoriação, esfacelo, esofagite,
  espessamento, espessamento   pleural, espessamento brônquico, espessamento intersticial, espessamento mucoso,
  espessamento parietal, espessamento septal, espessamento sinovial, espinha bífida, esplenomegalia, esplenose,
  espondilite, espondilite anquilosante, espondiloartropatia, espondiloartrose, espondilodiscite, espondilolistese,
  espondilopatia, espondilose, espondilólise, esporão, esporão calcâneo, espícula, espículas, estase,
  esteato-hepatite, esteatose, esteatose hepática, estenose, estenose aórtica, estenose carotídea, estenose do canal
  vertebral, estenose foraminal, estenose uretral, estiramento, estrabismo, exantema, exostose, extrassístole,
  extrassístoles, extravasamento, extravasamento de contraste, extrusão, extrusão   discal, extrusão meniscal,
  faringite, fasciite, fasciite plantar, faveolamento, fecaloma, feocromocitoma, ferida, fibrilação atrial,
  fibroadenoma, fibroadenomatose, fibroelastose, fibroma, fibromatose, fibromialgia, fibrose, fibrose cística, fibrose
  hepática, fibrose pulmonar, fibrossarcoma, fibrotórax, fissura, flebite, flebólito, flebólitos, flegmão, flutter
  atrial, foco, foco hemorrágico, foliculite, forame oval patente, fratura, fratura   subcapital, fratura cominutiva,
  fratura compressiva, fratura de Colles, fratura patológica, fratura por estresse, fratura por insuficiência, fratura
  transtrocantérica, fraturas costais, furúnculo, fístula, fístula arteriovenosa, fístula perianal, galactocele,
  ganglioglioma, ganglioneuroma, gangrena, gangrena de Fournier, gastrite, gastroenterite, gastroparesia, geno valgo,
  geno varo, germinoma, ginecomastia, glaucoma, glioblastoma, glioma, gliose, glomerulonefrite, gonalgia, gonartrose,
  gordura mesentérica, gota, granuloma, granuloma calcificado, granulomatose, gravidez ectópica, halo invertido,
  hamartoma, hemangioblastoma, hemangioma, hemangioma hepático, hemangioma vertebral, hemangiomatose,
  hemangiopericitoma, hematocele, hematocolpo, hematoma, hematoma epidural, hematoma extradural, hematoma
  intraparenquimatoso, hematoma subcapsular, hematoma subdural, hematoma subgaleal, hematometra, hematêmese,
  hematúria, hemiparesia, hemiplegia, hemivértebra, hemocromatose, hemofilia, hemopericárdio, hemoperitônio,
  hemoptise, hemorragia, hemorragia   intraventricular, hemorragia intracraniana, hemorragia intraparenquimatosa,
  hemorragia subaracnóidea, hemorroidas, hemossiderina, hemossiderose, hemotórax, hepatite, hepatoblastoma,
  hepatocarcinoma, hepatoesplenomegalia, hepatomegalia, hepatopatia, hepatopatia crônica, herniação, herniação
  tonsilar, herniação uncal, herpes-zóster, heterotopia, hialinose, hidradenite, hidrocalicose, hidrocefalia,
  hidrocele, hidrocolpo, hidrometra, hidronefrose, hidropisia, hidropneumotórax, hidropsia, hidrossalpinge,
  hidrossiringomielia, hidrotórax, hidroureter, hidroureteronefrose, hidátide, higroma, hiperaeração,
  hiperaldosteronismo, hipercalcemia, hipercifose, hipercromia, hiperinsuflação, hiperinsuflação pulmonar,
  hiperlordose, hiperostose, hiperparatireoidismo, hiperplasia, hiperplasia   nodular focal, hiperplasia prostática,
  hiperqueratose, hipersinal, hipertensão, hipertensão arterial, hipertensão intracraniana, hipertensão portal,
  hipertensão pulmonar, hipertireoidismo, hipertrofia, hipertrofia   ligamentar, hipertrofia facetária, hipertrofia
  ventricular, hiperuricemia, hipoaeração, hipocalcemia, hipocinesia, hipocinético, hipocromia, hipodensidade,
  hipoperfusão, hipoplasia, hipospádia, hipossinal, hipotensão, hipotireoidismo, hipotrofia, hipóxia, hálux rígido,
  hérnia, hérnia   de hiato, hérnia diafragmática, hérnia discal, hérnia epigástrica, hérnia femoral, hérnia hiatal,
  hérnia incisional, hérnia inguinal, hérnia umbilical, icterícia, impactação mucoide, impacto femoroacetabular,
  impetigo, impregnação, incontinência, infarto, infarto   renal, infarto agudo do miocárdio, infarto cerebral,
  infarto esplênico, infarto lacunar, infarto ósseo, infecção, infiltrado, infiltrado intersticial, infiltrado
  pulmonar, infiltração, inflamação, instabilidade, insuficiência, insuficiência   venosa, insuficiência cardíaca,
  insuficiência mitral, insuficiência renal, insuficiência tricúspide, insulinoma, intertrigo, intussuscepção,
  invaginação, isquemia, isquemia mesentérica, isquemia miocárdica, labirintite, laceração, laceração esplênica,
  laceração hepática, lacuna, laringite, laringocele, leiomioma, leiomiossarcoma, lepra, leptomeningite, lesão, lesão
  expansiva, lesão axonal difusa, lesão condral, lesão de Bankart, lesão de Hill-Sachs, lesão meniscal, lesão
  osteocondral, lesão osteolítica, lesões, leucemia, leucoaraiose, leucodistrofia, leucoencefalopatia, leucomalácia,
  leucoplasia, linfadenite, linfadenomegalia, linfadenopatia, linfangioleiomiomatose, linfangioma, linfangite,
  linfangite carcinomatosa, linfedema, linfocele, linfoma, linfonodomegalia, linfonodomegalias, lipoma, lipoma
  arborescente, lipomatose, liponecrose, lipossarcoma, liquenificação, lise, lise óssea, litíase, litíase   renal,
  litíase biliar, lombalgia, lombociatalgia, lordose, lupus, luxação, luxação anterior, líquen escleroso, líquen
  plano, líquido livre, líquido livre na   cavidade, líquido peri-hepático, lúpus, malformação, malformação
  arteriovenosa, malformação de Chiari, malácia, mastalgia, mastite, mastoidite, mastopatia, mediastinite, megacólon,
  megaesôfago, megaureter, melanoma, melasma, melena, meningioma, meningite, meningocele, meniscectomizado,
  meniscopatia, mesotelioma, metaplasia, metatarsalgia, metatarso aduto, metástase, metástases, metástases
  hepáticas, metástases pulmonares, metástases ósseas, mialgia, microadenoma, microangiopatia, microcalcificações,
  microcefalia, microcisto, microlitíase, microlitíase testicular, micronódulo, micronódulos, microssangramentos,
  mielite, mielolipoma, mieloma, mieloma múltiplo, mielomalácia, mielopatia, mieloproliferativo, migrado,
  miocardiopatia, miocardite, mioma, mioma intramural, mioma submucoso, mioma subseroso, mioma uterino, miomas,
  miomatose, miomatose   uterina, miosite, miosite ossificante, mixoma, molusco, monoartrite, mosaico, mucocele,
  mucocele apendicular, mucosite, mácula, nasofaringite, necrose, necrose avascular, necrose gordurosa, nefrite,
  nefroblastoma, nefrocalcinose, nefrolitíase, nefropatia, nefroptose, nefrose, neoplasia, neoplasia pulmonar,
  neuralgia, neurinoma, neurite, neurite óptica, neuroblastoma, neurocisticercose, neurofibroma, neurofibromatose,
  neuroma, neuroma de Morton, neuropatia, nevo, nevo melanocítico, nistagmo, náusea, nódulo, nódulo de Schmorl, nódulo
  hepático, nódulo pulmonar, nódulo subsólido, nódulo sólido, nódulo tireoidiano, nódulos, obesidade, obliteração,
  obstrução, obstrução intestinal, oclusão, oclusão arterial, odontoma, oligodendroglioma, oligoidrâmnio, oligoâmnio,
  onfalocele, ooforite, opacidade, opacidade em vidro fosco, opacidades, opacidades em vidro fosco, opacificação,
  orquiepididimite, orquite, osteoartrite, osteoartrose, osteoblastoma, osteoclastoma, osteocondrite, osteocondroma,
  osteocondromatose, osteocondrose, osteofitose, osteoma, osteoma osteoide, osteomalácia, osteomeatal, osteomielite,
  osteonecrose, osteopenia, osteopetrose, osteopoiquilose, osteoporose, osteossarcoma, osteíte, osteíte púbica,
  osteófito, osteófitos, osteólise, otite, otite média, otomastoidite, otosclerose, ovários policísticos, palpitação,
  pancolite, pancreatite, pancreatite aguda, pancreatite crônica, paniculite, paniculite mesentérica, papiledema,
  papiloma, papiloma intraductal, paquimeningite, parafimose, paraganglioma, paralisia, paraparesia, parestesia,
  parotidite, pausa, pavimentação em mosaico, pectus excavatum, peliose, perfuração, perfusão em mosaico, pericardite,
  pericolecistite, pericoronarite, perimetrite, periostite, peritonite, persistência do canal arterial, petéquias,
  picnodisostose, pielite, pielonefrite, pielonefrite aguda, pinçamento, piocele, piometra, piomiosite, pionefrose,
  piossalpinge, piotórax, pitiríase, placa, placa ateromatosa, placa calcificada, placas ateromatosas, placas
  pleurais, placenta   prévia, placentite, plagiocefalia, pleurisia, pleurite, pneumatocele, pneumatose, pneumatose
  intestinal, pneumobilia, pneumocefalia, pneumocistose, pneumoconiose, pneumomediastino, pneumonia, pneumonite,
  pneumopatia, pneumopericárdio, pneumoperitônio, pneumorretroperitônio, pneumotórax, pneumotórax hipertensivo,
  poliartrite, policitemia, polidactilia, polidrâmnio, polipose, polipose nasal, polirradiculopatia, porencefalia,
  poroma, precordialgia, priapismo, proctite, prolapso, prolapso mitral, prostatismo, prostatite, protrusão, protrusão
  discal, prurido, pseudoaneurisma, pseudoartrose, pseudocisto, pseudocisto pancreático, pseudomixoma, psoríase,
  pubalgia, pápula, pé cavo, pé plano, pólipo, pólipo endometrial, pólipo vesicular, pólipos, púrpura, pústula,
  queloide, quelóide, quilotórax, rabdomiossarcoma, rabdomiólise, radiculopatia, raquitismo, realce, realce anelar,
  rebaixamento tonsilar, rechaço, recidiva, recidiva   tumoral, refluxo, refluxo gastroesofágico, refluxo
  vesicoureteral, regurgitação, regurgitação mitral, remodelamento, remodelamento concêntrico, retinoblastoma,
  retinopatia, retocele, retrolistese, retroversão, reumatismo, rinite, rinossinusite, rinossinusopatia, rizartrose,
  rosácea, rotação, rotura, rotura contida, rotura meniscal, rotura tendínea, ruptura, ruptura do manguito, ruptura
  muscular, sacroileíte, salpingite, sangramento, sarcoidose, sarcoma, sarcopenia, schwannoma, schwannoma vestibular,
  sedimento, seminoma, septação, septicemia, sequestrado, sequestro, sequestro pulmonar, seroma, sialoadenite,
  sialolitíase, silicose, sinais   de aspiração, sinal da corda, sindactilia, sinequia, sinostose, sinovite, sinovite
  vilonodular, sinusite, sinusopatia, siringomielia, situs inversus, sobrecarga de câmaras direitas, sopro,
  subluxação, suboclusão, suboclusão intestinal, síncope, síndrome, síndrome de Budd-Chiari, síndrome do impacto,
  síndrome do túnel do carpo, síndrome nefrótica, tamponamento, tamponamento cardíaco, taquiarritmia, taquicardia,
  telangiectasia, telangiectasias, tendinite, tendinopatia, tendinopatia calcária, tendinose, tenossinovite,
  tenossinovite de De Quervain, teratoma, teratoma maduro, tetralogia de Fallot, timoma, tinnitus, tireoidite,
  tireoidite de Hashimoto, tireoidopatia, torcicolo, torção, torção ovariana, torção testicular, tosse, toxoplasmose,
  tracto, traqueobronquite, traqueomalácia, traumatismo, traumatismo cranioencefálico, trombo, trombo apical, trombo
  mural, tromboembolismo, tromboembolismo   venoso, tromboembolismo pulmonar, tromboembólica, tromboembólico,
  tromboflebite, trombose, trombose portal, trombose venosa, trombose venosa profunda, tuberculoma, tuberculose,
  tumefação, tumor, tumor de Wilms, tumoração, ulceração, uremia, ureterite, ureterocele, ureterolitíase, uretrite,
  uretrocele, urinoma, uropatia obstrutiva, urticária, uveíte, vaginite, varicocele, varizes, varizes esofágicas,
  vasculite, vasculopatia, vasoespasmo, ventriculite, ventriculomegalia, verruga, vertigem, vesiculite, vesículas,
  vitiligo, volvo, volvo de   sigmoide, vólvulo, xantogranulomatosa, xantoma, xerose, árvore em brotamento, êmbolo,
  íleo paralítico, úlcera, úlcera duodenal, úlcera gástrica
`;
