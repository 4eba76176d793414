/** Names of parts of the body in Spanish. */
export const anatomy = `
  abdomen, abductor, acetábulo, acromion, acueducto de Silvio, adenohipófisis, aductor, alvéolo, ampolla de Vater,
  amígdala, ano, antebrazo, antepié, antro, aorta, aorta abdominal, aorta ascendente, aorta descendente, aorta
  torácica, aponeurosis, apéndice, apéndice cecal, apófisis, apófisis coracoides, apófisis espinosa, apófisis
  odontoides, apófisis transversa, aracnoides, arco aórtico, arco cigomático, areola, arteria, arteria   coronaria,
  arteria   hepática, arteria   pulmonar, arteria basilar, arteria braquial, arteria carótida, arteria carótida común,
  arteria carótida externa, arteria carótida interna, arteria celíaca, arteria cerebral anterior, arteria cerebral
  media, arteria cerebral posterior, arteria circunfleja, arteria descendente anterior, arteria esplénica, arteria
  femoral, arteria gastroduodenal, arteria ilíaca, arteria mesentérica inferior, arteria mesentérica superior, arteria
  poplítea, arteria radial, arteria renal, arteria subclavia, arteria tibial, arteria umbilical, arteria uterina,
  arteria vertebral, articulación, articulación   esternoclavicular, articulación   interfalángica, articulación
  acromioclavicular, articulación coxofemoral, articulación femoropatelar, articulación femorotibial, articulación
  glenohumeral, articulación metacarpofalángica, articulación metatarsofalángica, articulación radiocarpiana,
  articulación sacroilíaca, articulación subastragalina, articulación temporomandibular, articulación tibiofibular,
  articulación tibioperonea, articulación trapeciometacarpiana, asas de intestino delgado, asas intestinales,
  astrágalo, atlas, aurícula, aurícula   derecha, aurícula izquierda, axila, axis, bazo, botón aórtico, brazo,
  bronquio, bronquio principal, bronquiolo, bulbo carotídeo, bulbo duodenal, bulbo raquídeo, bursa, bursa subacromial,
  bíceps, bíceps braquial, bíceps femoral, cabeza del páncreas, cabeza femoral, cabeza humeral, cadera, caja torácica,
  calcáneo, calota, canal   inguinal, canal anal, canal lumbar, canal medular, canal raquídeo, canal vertebral,
  cardias, carina, carpo, carpometacarpiano, cartílago, cartílago   articular, cartílago cricoides, cartílago
  tiroides, carótida, cavidad abdominal, cavidad nasal, cavidad oral, cavidad pélvica, cavidad uterina, cavoauricular,
  celdillas etmoidales, celdillas mastoideas, cerebelo, cerebro, ciego, cintura   escapular, cisterna magna,
  clavícula, codo, cola de caballo, cola del páncreas, colon, colon   descendente, colon ascendente, colon sigmoide,
  colon transverso, columna cervical, columna dorsal, columna lumbar, columna lumbosacra, columna vertebral, colédoco,
  complejo fibrocartílago triangular, conducto   torácico, conducto auditivo interno, conducto biliar, conducto
  cístico, conducto de Wirsung, conducto deferente, conducto hepático, conducto pancreático, coracoides, corazón,
  cordón espermático, cordón umbilical, cornetes, coroides, corona radiada, corteza, corteza cerebral, cortical,
  cortical renal, costilla, costillas, cresta ilíaca, cricoides, cristalino, cráneo, cuadrado lumbar, cuarto
  ventrículo, cuboides, cuello, cuello femoral, cuello uterino, cuerpo calloso, cuerpo lúteo, cuerpo uterino, cuerpo
  vertebral, cuerpos cavernosos, cuerpos vertebrales, cuádriceps, cálices, cálices renales, cáliz, cámara   gástrica,
  cápsula articular, cápsula interna, cérvix, cóccix, cóclea, cóndilo, cóndilo femoral, córnea, cúpula
  diafragmática, dedo, deltoides, dermis, diafragma, disco intervertebral, discos intervertebrales, diáfisis, duodeno,
  duramadre, díploe, elevador del ano, encéfalo, endocardio, endometrio, epicardio, epicóndilo, epidermis, epidídimo,
  epigastrio, epiglotis, epiplón, epitelio, epífisis, escafoides, esclera, escroto, escutum, escápula, esfenoides,
  esfínter, esfínter externo, esfínter interno, espacio de   Morison, espacio epidural, espacio pleural, espacio
  retroperitoneal, espacio subaracnoideo, espacio subdural, esternocleidomastoideo, esternón, estribo, estómago,
  esófago, etmoides, extraconal, falange, falange distal, falange media, falange proximal, faringe, fascia, fascia
  mesorrectal, fascia plantar, feto, fisura oblicua, flexura esplénica, flexura hepática, folículo, fondo de saco,
  fondo de saco de Douglas, fontanela, foramen, foramen magno, foramen oval, forámenes, fosa   craneal, fosa ilíaca,
  fosa nasal, fosa poplítea, fosa posterior, fosa supraclavicular, fémur, fíbula, ganglio, ganglios, ganglios basales,
  ganglios linfáticos, gastrocnemio, gemelo, glenoides, globo ocular, globo pálido, glotis, glándula, glándula
  mamaria, glándula parótida, glándula pineal, glándula submaxilar, glándula suprarrenal, glándula tiroides, glúteo,
  glúteo mayor, glúteo medio, glúteo menor, grasa   subcutánea, grasa de Hoffa, grasa de Kager, grasa mesentérica,
  grasa perirrenal, hemidiafragma, hemisferio cerebeloso, hemisferio cerebral, hemitórax, hilio, hilio   pulmonar,
  hilio hepático, hilio renal, hilios pulmonares, hioides, hipocampo, hipocondrio, hipofaringe, hipogastrio,
  hipotálamo, hipófisis, hoz cerebral, hueso, hueso cuboides, hueso frontal, hueso grande, hueso iliaco, hueso
  temporal, huesos   propios, hígado, húmero, ilion, infraespinoso, infundíbulo, ingle, intestino delgado, intestino
  grueso, intraconal, isquioanal, isquion, isquiorrectal, istmo, laberinto, labrum, labrum acetabular, labrum
  glenoideo, laringe, lengua, lente, leptomeninges, ligamento, ligamento   falciforme, ligamento   peroneoastragalino
  anterior, ligamento amarillo, ligamento anular, ligamento colateral, ligamento colateral lateral, ligamento
  colateral medial, ligamento cruzado anterior, ligamento cruzado posterior, ligamento deltoideo, ligamento
  escafolunar, ligamento iliolumbar, ligamento lateral externo, ligamento lateral interno, ligamento longitudinal
  posterior, ligamento peroneocalcáneo, ligamento uterosacro, luz vesicular, línea media, língula, líquido amniótico,
  líquido cefalorraquídeo, lóbulo, lóbulo caudado, lóbulo frontal, lóbulo inferior, lóbulo medio, lóbulo occipital,
  lóbulo parietal, lóbulo superior, lóbulo temporal, maléolo, maléolo externo, maléolo interno, mama, mamas,
  mandíbula, manguito rotador, mano, manubrio, martillo, mastoides, maxilar, meato, mediastino, meninge, meninges,
  menisco, menisco externo, menisco interno, menisco lateral, menisco medial, mesencéfalo, mesenterio, mesocolon,
  mesorrecto, metacarpiano, metacarpo, metatarsiano, metatarso, metáfisis, miocardio, miometrio, mitral, mucosa,
  musculatura   paravertebral, muslo, muñeca, médula, médula espinal, médula ósea, músculo, nariz, nasofaringe,
  nervio, nervio   ciático, nervio facial, nervio mediano, nervio óptico, neurohipófisis, núcleo, núcleo caudado,
  núcleo lenticular, núcleo pulposo, obturador, occipucio, odontoides, ojo, ojo derecho, ojo izquierdo, olécranon,
  ombligo, omento, orificio cervical interno, orofaringe, ovario, ovario derecho, ovario izquierdo, ovarios, oído
  medio, paladar, paladar blando, papila, parametrio, pared abdominal, pared torácica, pared vesical, pared vesicular,
  partes blandas, parénquima, parénquima   hepático, parénquima cerebral, parénquima mamario, parénquima pulmonar,
  parénquima renal, parénquima testicular, parótida, pata de ganso, pectíneo, pedículo, pelvis, pelvis renal, pene,
  pericardio, periné, periostio, peritoneo, peroneo, peroneo corto, peroneo largo, peroné, pertrocantérea, pezón, pie,
  piel, pierna, piramidal, piriforme, pirámide renal, pisiforme, placenta, plantar, platillo tibial, platillo
  vertebral, platillos   vertebrales, pleura, plexo, plexo braquial, plexo coroideo, plica, plica sinovial, polo
  inferior, polo superior, poplíteo, porta, protuberancia, próstata, psoas, pubis, puborrectal, pulgar, pulmones,
  pulmón, pulmón derecho, pulmón izquierdo, putamen, páncreas, párpado, píloro, quiasma óptico, radio, rama   pubiana,
  raíces nerviosas, raíz aórtica, raíz nerviosa, receso, receso lateral, receso suprarrotuliano, recto, recto
  anterior, recto femoral, recto sigma, redondo mayor, redondo menor, región inguinal, rete testis, retina,
  retináculo, retroperitoneo, riñones, riñón, riñón derecho, riñón izquierdo, rodete, rodilla, rótula, saco dural,
  saco gestacional, saco vitelino, sacro, sartorio, scutum, semilunar, semilunopiramidal, semimembranoso,
  semitendinoso, seno, seno cavernoso, seno coronario, seno costofrénico, seno esfenoidal, seno frontal, seno maxilar,
  seno renal, seno sagital, seno sigmoide, seno transverso, senos   paranasales, senos costofrénicos, septo, septo
  nasal, septum pellucidum, sesamoideo, sigma, sigmoide, silla turca, silueta   cardiomediastínica, silueta cardíaca,
  sindesmosis, sinovial, sistema   ventricular, sistema colector, sistema pielocalicial, subescapular, supraespinoso,
  surco, surcos, sustancia blanca, sustancia gris, sínfisis del pubis, sóleo, tabique interauricular, tabique
  interventricular, tabique nasal, tabique rectovaginal, talón, tarso, tejido   fibroglandular, tejido celular
  subcutáneo, tendón, tendón cuadricipital, tendón de Aquiles, tendón del supraespinoso, tendón rotuliano, tentorio,
  tercer ventrículo, testículo, testículos, tibia, tibial anterior, tibial posterior, timo, tiroides, tobillo,
  trapecio, trapeciometacarpiana, trapezoide, trocantérea, trocánter, trocánter mayor, trocánter menor, trompa, trompa
  de Falopio, tronco braquiocefálico, tronco celíaco, tronco del   encéfalo, troquín, troquíter, tráquea, tríceps,
  trígono, tróclea, tuberosidad, tuberosidad tibial, tálamo, tímpano, tórax, túnel carpiano, túnica vaginal, uncus,
  unión cavoatrial, unión corticomedular, unión esofagogástrica, unión pieloureteral, unión ureterovesical, uretra,
  uréter, uréteres, vagina, valécula, vasos, vasos supraaórticos, vasto externo, vasto intermedio, vasto interno,
  vejiga, vena, vena cava inferior, vena cava superior, vena esplénica, vena femoral, vena hepática, vena ilíaca, vena
  mesentérica, vena poplítea, vena porta, vena pulmonar, vena renal, vena safena, vena subclavia, vena suprahepática,
  vena yugular, vena ácigos, ventrículo, ventrículo derecho, ventrículo izquierdo, ventrículo lateral, ventrículos
  laterales, vermis, vesícula, vesícula   seminal, vesícula biliar, vesículas seminales, vulva, válvula, válvula
  tricúspide, válvula aórtica, válvula ileocecal, válvula mitral, vértebra, vértebras, vía aérea, vía biliar, vía
  biliar intrahepática, vía biliar principal, vías   biliares, víscera, vítreo, vómer, xifoides, yeyuno,
  yuxtaarticular, yuxtacortical, yuxtapleural, ángulo costofrénico, ángulo pontocerebeloso, íleon, íleon   terminal,
  ínsula, íntima, órbita, órbitas, útero, úvula
`;
