/** Diseases and findings in English. */
export const findings = `
  abdominal aortic aneurysm, abscess, acalculous cholecystitis, acantholysis, achalasia, acne, acoustic neuroma,
  acromegaly, actinic keratosis, actinomycosis, acute appendicitis, acute cholecystitis, acute pancreatitis, acute
  pyelonephritis, adenocarcinoma, adenoma, adenomyoma, adenomyomatosis, adenomyosis, adenopathy, adenosis, adhesion,
  adhesions, adhesive capsulitis, adrenal adenoma, agenesis, air bronchogram, air bronchograms, air trapping,
  akinesis, akinetic, alopecia, amyloidosis, anaphylaxis, anasarca, anemia, anencephaly, aneurysm, angina,
  angiodysplasia, angioedema, angiofibroma, angioma, angiomyolipoma, angiosarcoma, ankylosing spondylitis, ankylosis,
  anorgasmia, anterolisthesis, aortic dissection, aortic stenosis, aortitis, aplasia, apnea, appendagitis,
  appendicitis, appendicolith, arachnoid cyst, arachnoiditis, arborizing, arrhythmia, arteriosclerosis, arteriovenous
  fistula, arteriovenous malformation, arteritis, arthralgia, arthritis, arthropathy, arthrosis, asbestosis, ascites,
  aspergilloma, aspergillosis, asphyxia, aspiration pneumonia, asthma, astrocytoma, asymmetry, ataxia, atelectasis,
  atheroma, atheromatous disease, atherosclerosis, atherosclerotic disease, atherosclerotic plaque, atresia, atrial
  fibrillation, atrophy, avascular, avascular necrosis, avulsion, avulsion fracture, azoospermia, bacteremia, Baker
  cyst, Barrett esophagus, basal cell carcinoma, berry aneurysm, bezoar, bibasilar atelectasis, biliary   colic, bleb,
  blebs, Bochdalek hernia, bone contusion, bone marrow edema, bowel obstruction, bradyarrhythmia, bradycardia,
  bronchial   wall thickening, bronchiectasis, bronchiolitis, bronchiolitis obliterans, bronchitis, bronchocele,
  bronchogenic   cyst, bronchomalacia, bronchopneumonia, bulla, bullae, bullous disease, bundle branch block,
  bursitis, calcific tendinitis, calcification, calcifications, calcified granuloma, calcinosis, calculi, calculus,
  canal stenosis, candidiasis, capsulitis, carcinoid, carcinoma, carcinomatosis, cardiac tamponade, cardiomegaly,
  cardiomyopathy, carotid stenosis, cavernoma, cavitation, cecal volvulus, cellulitis, centrilobular emphysema,
  cephalohematoma, cerebral atrophy, cerebral edema, cerebral infarct, cerebral palsy, cervical spondylosis,
  cervicitis, chest pain, Chiari malformation, cholangiocarcinoma, cholangitis, cholecystitis, choledochal cyst,
  choledocholithiasis, cholelithiasis, cholestasis, cholesteatoma, chondroblastoma, chondrocalcinosis, chondroma,
  chondromalacia, chondromalacia patellae, chondromatosis, chondrosarcoma, chordoma, chorioamnionitis,
  choriocarcinoma, chronic obstructive pulmonary disease, chronic pancreatitis, cirrhosis, claudication, clot,
  coarctation, coccydynia, colitis, collapse, collection, colloid cyst, colonic diverticulosis, comedones, comminuted
  fracture, compression fracture, concussion, condyloma, congestion, congestive   heart failure, conjunctivitis,
  consolidation, constrictive pericarditis, contrast extravasation, contusion, cor   pulmonale, coronary artery
  calcification, coronary artery disease, cortical thinning, coxarthrosis, cradle cap, craniopharyngioma,
  craniosynostosis, crazy paving, Crohn disease, crust, cryptorchidism, cyst, cystadenoma, cystic fibrosis, cystic
  hygroma, cystitis, cystocele, De   Quervain tenosynovitis, debris, deconditioning, deep vein thrombosis, deep venous
  thrombosis, degeneration, degenerative changes, degenerative disc disease, dehiscence, delirium, dementia,
  demyelinating, demyelination, dermatitis, dermatofibroma, dermoid cyst, desiccation, desmoid, deviated septum,
  dextrocardia, dextroscoliosis, diabetes, diaphragmatic hernia, diastasis, dilatation, dilation, disc bulge, disc
  desiccation, disc herniation, disc osteophyte complex, disc protrusion, discitis, dislocation, displacement,
  dissection, distention, diverticula, diverticulitis, diverticulosis, diverticulum, ductal   carcinoma in situ,
  duodenal ulcer, duplication, dysarthria, dysfunction, dyskinesia, dyskinetic, dyslipidemia, dyspepsia, dysphagia,
  dysplasia, dyspnea, dystrophy, dysuria, ecchymosis, ectasia, ectopia, ectopic pregnancy, eczema, edema, effacement,
  effusion, emboli, embolism, embolus, emphysema, empyema, encephalitis, encephalocele, encephalomalacia,
  encephalopathy, enchondroma, endocarditis, endoleak, endometrial hyperplasia, endometrial polyp, endometrioma,
  endometriosis, endometritis, enhancement, enostosis, enteritis, enterocele, enterocolitis, enthesopathy,
  enthesophyte, ependymoma, epicondylitis, epidermoid cyst, epididymitis, epidural hematoma, epilepsy, epiphysiolysis,
  epiploic appendagitis, epistaxis, erosion, erosions, erythema, esophageal varices, esophagitis, exanthem,
  excoriation, exostosis, extrasystole, extravasation, extrusion, facet   hypertrophy, failure, fasciitis, fat
  necrosis, fat stranding, fecal impaction, femoroacetabular impingement, fibrillation, fibroadenoma, fibroid,
  fibroids, fibroma, fibromatosis, fibromyalgia, fibrosarcoma, fibrosis, fibrothorax, fibrous dysplasia, fistula,
  flail chest, fluid collection, fluid-fluid level, focal nodular   hyperplasia, folliculitis, foraminal stenosis,
  Fournier gangrene, fracture, free air, free fluid, furuncle, galactocele, gallstone, gallstones, ganglion   cyst,
  gangrene, gastric ulcer, gastritis, gastroenteritis, gastroesophageal reflux, gastroparesis, gastroschisis, genu
  valgum, genu varum, germinoma, glaucoma, glioblastoma, glioma, gliosis, glomerulonephritis, goiter, gonarthrosis,
  gout, granuloma, granulomatosis, granulomatous disease, ground glass opacity, ground-glass opacities, ground-glass
  opacity, gynecomastia, hairline   fracture, hallux valgus, halo sign, hamartoma, Hashimoto thyroiditis,
  hemangioblastoma, hemangioma, hemangiopericytoma, hemarthrosis, hematocele, hematochezia, hematoma, hematometra,
  hematuria, hemiparesis, hemiplegia, hemivertebra, hemochromatosis, hemopericardium, hemoperitoneum, hemophilia,
  hemoptysis, hemorrhage, hemorrhagic cyst, hemorrhoids, hemosiderin, hemosiderosis, hemothorax, hepatic adenoma,
  hepatic cyst, hepatic hemangioma, hepatic laceration, hepatic metastases, hepatic steatosis, hepatitis,
  hepatoblastoma, hepatocellular carcinoma, hepatoma, hepatomegaly, hepatosplenomegaly, hernia, herniation, herpes
  zoster, heterotopia, hiatal hernia, hidradenitis, histiocytosis, histoplasmosis, honeycombing, hydatid, hydrocele,
  hydrocephalus, hydronephrosis, hydropneumothorax, hydrops, hydrosalpinx, hydrothorax, hydroureter,
  hydroureteronephrosis, hygroma, hyperaldosteronism, hyperemia, hyperextension, hyperinflation, hyperkeratosis,
  hyperlordosis, hyperlucency, hyperostosis, hyperparathyroidism, hyperpigmentation, hyperplasia, hypersensitivity
  pneumonitis, hypersplenism, hypertelorism, hypertension, hyperthyroidism, hypertrophy, hypokinesis, hypoperfusion,
  hypopigmentation, hypoplasia, hypotension, hypothyroidism, hypoxia, ileus, immunodeficiency, impaction, impetigo,
  impingement, incisional   hernia, infarct, infarction, infection, infiltrate, infiltrates, infiltration,
  inflammation, inguinal hernia, insufficiency, insufficiency fracture, insulinoma, interlobular septal thickening,
  interstitial   lung disease, interstitial edema, intertrigo, intracranial hemorrhage, intraductal papilloma,
  intraparenchymal   hemorrhage, intraparenchymal hematoma, intraventricular hemorrhage, intussusception, invasion,
  ischemia, ischemic, ischemic colitis, jaundice, joint effusion, keloid, keratosis, Kerley B lines, kyphoscoliosis,
  kyphosis, kyphotic, labral tear, laceration, lacunar   infarct, lacune, lacunes, large vessel occlusion, laryngitis,
  laryngocele, lateral epicondylitis, leak, leiomyoma, leiomyomata, leiomyosarcoma, lesion, lesions, leukemia,
  leukoaraiosis, leukodystrophy, leukoencephalopathy, leukomalacia, levoscoliosis, lichen planus, lichen sclerosus,
  lichenification, ligamentum flavum hypertrophy, linear atelectasis, lipoma, lipomatosis, liposarcoma, listhesis,
  lithiasis, lobar consolidation, lordosis, lucency, lumbar spondylosis, lupus, lymphadenitis, lymphadenopathy,
  lymphangioma, lymphangitic carcinomatosis, lymphangitis, lymphedema, lymphocele, lymphoma, lytic lesion, macule,
  macules, malformation, malrotation, malunion, mass effect, mastalgia, mastitis, mastoiditis, maxillary sinusitis,
  Meckel diverticulum, mediastinitis, megacolon, melanocytic nevus, melanoma, melasma, meningioma, meningitis,
  meningocele, meniscal tear, mesenteric ischemia, mesenteric panniculitis, mesothelioma, metaplasia, metastases,
  metastasis, metastatic disease, metatarsalgia, microadenoma, microangiopathic disease, microangiopathy,
  microcalcification, microcalcifications, microhemorrhage, microhemorrhages, microlithiasis, midline shift,
  miscarriage, mitral regurgitation, Morton neuroma, mosaic attenuation, mucocele, mucosal thickening, mucus plugging,
  multinodular goiter, multiple myeloma, multiple sclerosis, myelitis, myelolipoma, myeloma, myelomalacia, myelopathy,
  myocardial infarction, myocarditis, myoma, myopathy, myositis, myositis ossificans, myxoma, nabothian cyst, nasal
  polyps, necrosis, necrotizing enterocolitis, neoplasm, nephritis, nephroblastoma, nephrocalcinosis, nephrolithiasis,
  nephropathy, neuralgia, neuritis, neuroblastoma, neurofibroma, neurofibromatosis, neuroma, neuropathy, nevi, nevus,
  nodule, nodules, nonunion, obesity, obliteration, obstruction, occlusion, oligodendroglioma, oligohydramnios,
  omphalocele, opacification, opacifies, opacities, opacity, optic neuritis, orchitis, organizing pneumonia, osseous
  metastases, osteitis, osteitis pubis, osteoarthritis, osteoarthrosis, osteoblastoma, osteochondral defect,
  osteochondral lesion, osteochondritis dissecans, osteochondroma, osteochondrosis, osteodystrophy, osteogenesis
  imperfecta, osteoid osteoma, osteolysis, osteoma, osteomalacia, osteomyelitis, osteonecrosis, osteopenia,
  osteophyte, osteophytes, osteophytosis, osteoporosis, osteosarcoma, osteosclerosis, otitis media, otomastoiditis,
  otosclerosis, ovarian cyst, ovarian torsion, Paget disease, palsy, pancolitis, pancreatic pseudocyst, pancreatitis,
  panniculitis, pannus, papillary necrosis, papilledema, papilloma, papule, papules, paraganglioma, paralysis,
  paraparesis, paraseptal emphysema, paresthesia, parotitis, patent foramen ovale, pathologic fracture, pectus
  excavatum, perforation, pericardial effusion, pericarditis, perinephric hematoma, peritoneal carcinomatosis,
  peritonitis, periventricular leukomalacia, pes planus, petechiae, pharyngitis, pheochromocytoma, phlebitis,
  phlebolith, phleboliths, phlegmon, phlegmonous changes, pityriasis, placenta accreta, placenta previa, placental
  abruption, plagiocephaly, plantar fasciitis, plaque, plaques, pleural effusion, pleural plaques, pleural thickening,
  pleurisy, pneumatocele, pneumatosis, pneumatosis intestinalis, pneumobilia, pneumocephalus, pneumoconiosis,
  pneumomediastinum, pneumonia, pneumonitis, pneumopericardium, pneumoperitoneum, pneumoretroperitoneum, pneumothorax,
  polyarthritis, polycystic   kidney disease, polycystic ovaries, polycythemia, polydactyly, polyhydramnios, polyp,
  polyposis, polyps, porencephaly, portal hypertension, portal vein thrombosis, postmenopausal bleeding, preeclampsia,
  proctitis, prolapse, prostatic hyperplasia, prostatitis, protrusion, pseudarthrosis, pseudoaneurysm, pseudocyst,
  psoriasis, pulmonary   metastases, pulmonary contusion, pulmonary edema, pulmonary embolism, pulmonary fibrosis,
  pulmonary hypertension, pulmonary nodule, pulmonary vascular congestion, pustule, pustules, pyelitis,
  pyelonephritis, pyloric stenosis, pyometra, pyomyositis, pyonephrosis, pyosalpinx, radiculopathy, rectocele,
  recurrence, reflux, regurgitation, renal calculus, renal cell   carcinoma, renal cyst, respiratory distress,
  restricted diffusion, retained products of conception, reticular   opacities, retinoblastoma, retinopathy,
  retrolisthesis, rhabdomyolysis, rhabdomyosarcoma, rheumatoid arthritis, rhinitis, rhinosinusitis, rhizarthrosis, rib
  fractures, rickets, rim enhancement, rosacea, rotator cuff tear, rupture, saccular aneurysm, sacroiliitis,
  salpingitis, sarcoidosis, sarcoma, sarcopenia, scabies, Schmorl node, Schmorl nodes, schwannoma, sciatica,
  scleroderma, sclerosing cholangitis, sclerosis, scoliosis, sebaceous cyst, seborrheic keratosis, seizure, seminoma,
  sepsis, septic   arthritis, sequela, sequelae, sequestration, seroma, shortness of breath, sialadenitis,
  sialolithiasis, sigmoid   volvulus, silicosis, simple cyst, sinusitis, slipped capital femoral epiphysis, small
  bowel obstruction, soft tissue swelling, spasm, spina bifida, spinal stenosis, splenic infarct, splenic laceration,
  splenomegaly, spondylitis, spondyloarthropathy, spondylodiscitis, spondylolisthesis, spondylolysis, spondylosis,
  sprain, squamous cell carcinoma, steatohepatitis, steatosis, stenosis, stone, stones, strabismus, strain, stranding,
  stress fracture, stricture, stroke, subarachnoid   hemorrhage, subcapsular hematoma, subchondral sclerosis,
  subchorionic hemorrhage, subcutaneous   emphysema, subcutaneous edema, subdural hematoma, subgaleal hematoma,
  subluxation, subsegmental atelectasis, subsolid nodule, supracondylar fracture, swelling, syncopal, syncope,
  synechiae, synovial cyst, synovitis, syringomyelia, syrinx, tachyarrhythmia, tachycardia, tamponade, Tarlov cyst,
  tarsal coalition, telangiectasia, tendinitis, tendinopathy, tendinosis, tenosynovitis, tension pneumothorax,
  teratoma, testicular torsion, tethered cord, tetralogy of Fallot, thickening, thrombocytopenia, thromboembolism,
  thrombophlebitis, thrombosis, thrombus, thymoma, thyroglossal duct cyst, thyroid nodule, thyroiditis, thyromegaly,
  tinnitus, tonsillar herniation, tonsillitis, torsion, torticollis, toxoplasmosis, tracheomalacia, traction
  bronchiectasis, trauma, tree-in-bud, tree-in-bud nodularity, trochanteric bursitis, tuberculosis, tumor, typhlitis,
  ulcer, ulceration, ulcerative colitis, umbilical hernia, uncal herniation, uremia, ureteral calculus, ureterocele,
  ureterolithiasis, urethritis, urethrocele, urinoma, urolithiasis, urothelial carcinoma, urticaria, uterine fibroid,
  uveitis, vaginitis, varices, varicocele, vascular congestion, vasculitis, vasogenic edema, vasospasm, venous sinus
  thrombosis, ventral hernia, ventriculitis, ventriculomegaly, verruca, vertigo, vesicles, vesicoureteral reflux,
  vestibular schwannoma, vitiligo, volvulus, vomiting, wart, wheal, wheezing, Wilms tumor, xanthogranuloma, xerosis,
  Zenker diverticulum, zoster
`;
