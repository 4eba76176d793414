/** Facts of a report in English, and the subjects of reports. */
import type { FactTables, LexiconTables } from '../tables.ts';

const facts: FactTables = {
  sides: { right: 'right right-sided rt', left: 'left left-sided lt', both: 'bilateral bilaterally both' },
  shortSides: { right: 'R', left: 'L', first: true },
  sidedParts: `
    lobe kidney breast lung hemithorax ovary testis testicle knee shoulder hip wrist ankle elbow foot hand eye orbit ear
    ureter adrenal carotid hemisphere arm thigh leg forearm base apex side sinus femur tibia fibula humerus radius ulna
    clavicle scapula patella parotid tube axilla fossa flank atrium ventricle hilum
  `,
  places: [
    { rightward: 'rightward rightwards', leftward: 'leftward leftwards' },
    { upper: 'upper superior', lower: 'lower inferior', middle: 'middle mid' },
    { front: 'anterior anteriorly', back: 'posterior posteriorly' },
    { medial: 'medial', lateral: 'lateral' },
    { proximal: 'proximal', distal: 'distal' },
    { inner: 'internal inner', outer: 'external outer' },
    { apical: 'apical', basal: 'basal basilar' },
    { systolic: 'systolic', diastolic: 'diastolic' },
  ],
  negations: `
    no, not, without, absence of, absent, denies, denied, none, neither, nor, negative for, free of, never, lack of, cannot,
    no evidence of, excluded, ruled out, isn't, aren't, wasn't, weren't, can't, couldn't, don't, doesn't, didn't, hasn't, haven't
  `,
  misheard: [
    String.raw`\$ no(?: \$ no)+ \$`,
    String.raw`(?:\$|is|are|has|shows) know \w+`,
    String.raw`\$ now (?:{finding}|pleural|acute|evidence|free|focal)`,
    String.raw`\$ not evidence of`,
    'bright {place}',
    '(?:write|wright|rite|lift) (?:{place}|{part})',
    'with our {finding}',
    String.raw`(?:grade|stage|category) (?:to|too|for|fore|won|ate) \$`,
    String.raw`grade (?:to|too|won) [a-z]+`,
    String.raw`negative (?:form|fore|four) \w+`,
    String.raw`c\d see \d`,
    'l5s one',
    String.raw`rads (?:for|fore|to|too|won|tree)(?: [abc])? \$`,
    'injection fraction',
    'auxiliary (?:lymph|nod(?:es?|al)|lymphadenopathy|adenopathy)',
  ],
  beforeUnits:
    'the few several some half in per of a an many these those tenth tenths hundredth hundredths thousandths fractional single square cubic',
  absences: `
    not seen, not identified, not visualized, not present, not demonstrated, not evident, not detected, not noted,
    not appreciated, not been seen, not been identified, not been visualized, not been present, not been
    demonstrated, not been evident, not been detected, not been noted, not been appreciated, are not seen, are not
    identified, are not visualized, are not present, are not demonstrated, are not evident, are not detected, are
    not noted, are not appreciated, is not seen, is not identified, is not visualized, is not present, is not
    demonstrated, is not evident, is not detected, is not noted, is not appreciated, was not seen, was not
    identified, was not visualized, was not present, was not demonstrated, was not evident, was not detected, was
    not noted, was not appreciated, were not seen, were not identified, were not visualized, were not present,
    were not demonstrated, were not evident, were not detected, were not noted, were not appreciated, absent, is
    absent, are absent, excluded, ruled out
  `,
  scopeEnds: 'but however except although there is are measuring with shows otherwise apart',
  exceptions: `
    except, except for, other than, apart from, aside from, with the exception of, besides, save for, beyond, excepting, but for
  `,
  others: `
    other new additional significant further larger suspicious definite residual specific acute focal discrete obvious large gross convincing recurrent
    displaced malignant active obstructing obstructive tension complete total thickness transfixing aggressive pathologic pathological
    loculated drainable sizable sizeable massive frank overt comminuted depressed severe extensive superimposed evolving interval
    subacute unstable enlarging growing worrisome concerning destructive compressive solid enhancing critical grade
    measurable superseding associated underlying unexpected hemodynamically compression burst recurrent
  `,
  comparisons: `
    similar to the right, similar to the left, symmetric with the right, symmetric with the left,
    symmetric to the right, symmetric to the left, symmetrical with the right, symmetrical with the left,
    symmetrical to the right, symmetrical to the left, same as the right, same as the left, identical to the right,
    identical to the left, equal to the right, equal to the left,
    compared, as opposed to, unlike the, unlike, in contrast to, versus the, versus, than on the, than that of the, than that on the, than, with respect to, relative, in relation to, vis-a-vis,
    compared to, compared with, in comparison, relative to, contralateral, opposite side, as a control, as control, for comparison, than the, asymmetry, asymmetric to,
    as compared
  `,
  priors: `
    previously, prior, previous, before, formerly, was, were, had been, on the prior, since, resolved, resolution of, status post,
    history of, interval resolution, earlier, no longer, comparison, postsurgical, s/p
  `,
  history: `
    status post, s/p, postsurgical, postoperative, history of, nephrectomy, mastectomy, lobectomy, pneumonectomy, colectomy,
    arthroplasty, replacement, prosthesis, resolved, resolution of, no longer, resection, resected
  `,
  hypothetical: `
    suspected, suspicion of, concern for, rule out, evaluate for, evaluation for, evaluation of, assess for, assessment for,
    screening, risk of, possibility of, question of, to exclude, differential, cannot be excluded, cannot exclude, can't be excluded, can't exclude,
    not excluded, if there is, in case of, history of, query, follow up of, versus
  `,
  communication: `
    communicated, communication, discussed with, notified, informed, telephoned, called, relayed, conveyed, by phone,
    by telephone, aware, reported to, contacted, paged, read back, verbally
  `,
  chronic: 'chronic old remote unchanged stable residual',
  acute: 'acute hyperacute subacute new enlarging increasing',
};

const lexicon: LexiconTables = {
  findings: {
    pneumothorax: 'pneumothorax, pneumothoraces',
    pulmonary_embolism:
      'pulmonary embolism, pulmonary embolus, pulmonary emboli, pulmonary thromboembolism, PE, saddle embolus, thrombus pulmonary artery, thrombus pulmonary arteries, thrombus artery pulmonary, embolus pulmonary artery, emboli pulmonary arteries',
    intracranial_haemorrhage: `
      intracranial hemorrhage, subdural hematoma, epidural hematoma, subarachnoid hemorrhage, intraparenchymal hemorrhage,
      intracerebral hemorrhage, intracranial bleed, intracranial bleeding, intracerebral bleed, intraventricular hemorrhage, subdural hemorrhage, acute hemorrhage, parenchymal hemorrhage
    `,
    free_air: 'pneumoperitoneum, free air, free intraperitoneal air, free gas',
    torsion:
      'ovarian torsion, testicular torsion, adnexal torsion, volvulus, torsion of the ovary, torsion of the testis',
    ectopic_pregnancy: 'ectopic pregnancy, ectopic gestation',
    aortic_dissection:
      'aortic dissection, dissection of the aorta, aortic rupture, rupture of the aorta, ruptured aorta, ruptured aneurysm, ruptured aortic aneurysm',
    acute_infarct: 'acute infarct, acute infarction, acute ischemic stroke, acute stroke, acute ischemia',
    cord_compression: 'cord compression, spinal cord compression',
    tamponade: 'cardiac tamponade, tamponade',
    cauda_equina: 'cauda equina syndrome',
    herniation:
      'uncal herniation, transtentorial herniation, tonsillar herniation, brain herniation, subfalcine herniation',
    active_bleeding: 'active bleeding, active extravasation, active hemorrhage, active contrast extravasation',
    bowel_ischaemia: 'mesenteric ischemia, bowel ischemia, pneumatosis intestinalis, portal venous gas',
    vessel_occlusion:
      'large vessel occlusion, middle cerebral artery occlusion, basilar artery occlusion, internal carotid artery occlusion',
    venous_sinus_thrombosis: 'venous sinus thrombosis, cerebral venous thrombosis, sagittal sinus thrombosis',
    epidural_abscess: 'epidural abscess',
    necrotising_fasciitis: 'necrotizing fasciitis, Fournier gangrene',
    placental_abruption: 'placental abruption, abruptio placentae',
    fetal_death: 'fetal demise, fetal death, intrauterine demise',
    pleural_effusion: 'pleural effusion, pleural effusions, pleural fluid',
    pericardial_effusion: 'pericardial effusion',
    joint_effusion: 'joint effusion',
    free_fluid: 'free fluid, ascites',
    hydronephrosis:
      'hydronephrosis, hydroureteronephrosis, pelvicaliectasis, caliectasis, pelviectasis, collecting system dilatation',
    gallstone: 'gallstone, gallstones, cholelithiasis',
    kidney_stone:
      'renal calculus, renal calculi, kidney stone, kidney stones, nephrolithiasis, urolithiasis, renal stone, renal stones',
    ureter_stone: 'ureteral stone, ureteral stones, ureteral calculus, ureteral calculi, ureterolithiasis',
    stone: 'stone, stones, calculus, calculi',
    fracture: 'fracture, fractures',
    nodule: 'nodule, nodules',
    pulmonary_nodule: 'pulmonary nodule, pulmonary nodules, lung nodule, lung nodules',
    cyst: 'cyst, cysts',
    mass: 'mass, masses',
    consolidation: 'consolidation, consolidations, airspace disease',
    adenopathy: 'lymphadenopathy, adenopathy',
    hernia: 'disc herniation, disk herniation, disc extrusion, disc protrusion',
    tear: 'tear, tears, rupture',
    appendicitis: 'appendicitis',
    cholecystitis: 'cholecystitis',
    pancreatitis: 'pancreatitis',
    thrombosis: 'deep venous thrombosis, deep vein thrombosis, DVT, thrombosis',
    stenosis: 'stenosis',
    aneurysm: 'aneurysm, aneurysms',
    steatosis: 'steatosis, fatty infiltration',
    cardiomegaly: 'cardiomegaly',
    calcification: 'calcification, calcifications, microcalcifications',
  },
  maleOrgans:
    'prostate, prostatic, seminal vesicle, seminal vesicles, testis, testes, testicle, testicles, testicular, scrotum, scrotal, penis, epididymis, epididymides, spermatic cord, varicocele, hydrocele',
  femaleOrgans:
    'uterus, uterine, ovary, ovaries, ovarian, endometrium, endometrial, myometrium, vagina, vaginal, vulva, fibroid, fibroids, fallopian tube, cervix uteri',
  fetus: 'fetus, fetal, fetuses, placenta, embryo',
  pregnancy: 'pregnant, pregnancy, gestation, gestational, fetus, embryo, gestational sac, gravid',
  male: 'man, male, boy, gentleman',
  female: 'woman, female, girl, lady, pregnant',
  patient: 'patient man woman male female boy girl age aged gentleman lady old child infant',
  years: 'years year year-old',
  childhood: 'fontanelle, fontanelles, fontanel, newborn, neonate, premature infant, infant',
  family: `
    father, mother, brother, sister, brothers, sisters, grandfather, grandmother, uncle, aunt, son, daughter, cousin, wife,
    husband, family, relative, relatives, maternal, paternal, sibling, siblings, parent, parents
  `,
  modalities: {
    CT: 'CT, computed tomography, CT scan, CTA, CT angiography, tomography, helical, multidetector',
    MR: 'MRI, MR, magnetic resonance, magnetic resonance imaging, MRA, gadolinium, T1-weighted, T2-weighted, STIR, FLAIR, spin echo',
    US: 'ultrasound, ultrasonography, sonography, sonogram, sonographic, transducer, grayscale',
    CR: 'radiograph, radiographs, radiography, x-ray, x-rays, plain film, plain films, radiographic',
    MG: 'mammogram, mammography, mammographic, tomosynthesis',
    PT: 'PET/CT, PET-CT, PET, positron emission tomography',
    NM: 'scintigraphy, bone scan',
    BMD: 'densitometry, DXA, DEXA',
  },
  devices: `
    absorptiometry dual energy beam tube tubes source generator equipment unit detector detectors spectrum fluoroscopy
    fluoroscopic attenuation dose filter kv kvp radiation physics principle photons
  `,
  spine: {
    cervical: 'cervical, cervicothoracic, atlantoaxial, craniocervical',
    dorsal: 'thoracic, thoracolumbar',
    lumbar: 'lumbar, lumbosacral',
  },
  regions: {
    chest: 'chest, thorax, thoracic cavity, lungs',
    abdomen: 'abdomen, abdominal, abd',
    pelvis: 'pelvis, pelvic',
    head: 'head, brain, cranial, skull',
    cervical: 'cervical spine, C-spine',
    lumbar: 'lumbar spine, lumbosacral spine, L-spine',
    dorsal: 'thoracic spine, T-spine',
    knee: 'knee, knees',
    shoulder: 'shoulder, shoulders',
    hip: 'hip, hips',
    wrist: 'wrist, wrists',
    ankle: 'ankle, ankles',
    elbow: 'elbow, elbows',
    foot: 'foot, feet',
    hand: 'hand, hands',
    breast: 'breast, breasts',
    thyroid: 'thyroid',
    prostate: 'prostate',
    thigh: 'thigh, thighs, femur',
    testis: 'testis, testes, testicle, testicles, testicular, scrotum, scrotal',
    leg: 'leg, legs, tibia',
    forearm: 'forearm',
    neck: 'neck',
    carotid: 'carotid, carotids',
    heart: 'echocardiogram, heart',
  },
  measured: {
    kidney: 'kidney, kidneys',
    liver: 'liver',
    spleen: 'spleen',
    gallbladder_wall: 'gallbladder wall',
    wall_thickness: 'wall thickness',
    bile_duct: 'common bile duct, common duct, CBD',
    portal_vein: 'portal vein',
    aorta: 'aorta, abdominal aorta, aortic root, ascending aorta',
    endometrium: 'endometrium, endometrial stripe, endometrial thickness, endometrial echo complex',
    ovary: 'ovary, ovaries',
    uterus: 'uterus',
    prostate: 'prostate',
    appendix: 'appendix',
    pulmonary_nodule: 'pulmonary nodule, lung nodule, micronodule',
    nodule: 'nodule, granuloma',
    ureter_stone: 'ureteral stone, ureteral calculus',
    aortic_aneurysm: 'aortic aneurysm, abdominal aortic aneurysm, aneurysm of the aorta, AAA',
    protrusion: 'disc protrusion, disc bulge, protrusion',
    biparietal: 'biparietal diameter, BPD',
    fetal_femur: 'femur length, femoral length',
    fetal_head: 'head circumference',
    fetal_abdomen: 'abdominal circumference',
    node: 'lymph node, lymph nodes, node',
    nuchal: 'nuchal translucency',
    intima: 'intima media thickness, intima-media thickness',
    midline: 'midline shift',
    ejection: 'ejection fraction, EF, LVEF',
    heart_rate: 'heart rate, ventricular rate',
    stenosis: 'stenosis',
    attenuation: 'attenuation, density',
    suv: 'SUV, SUVmax',
    septum: 'interventricular septum',
    heart_wall: 'septum, posterior wall',
    atrium: 'left atrium',
    bladder_wall: 'bladder wall',
  },
  organs: {
    lung: 'lung, lungs, pulmonary, lingula',
    liver: 'liver, hepatic',
    kidney: 'kidney, kidneys, renal, ureter, ureters, ureteral',
    spleen: 'spleen, splenic',
    pancreas: 'pancreas, pancreatic',
    gallbladder: 'gallbladder, biliary',
    thyroid: 'thyroid, isthmus',
    breast: 'breast, breasts',
    ovary: 'ovary, ovaries, ovarian, adnexal',
    uterus: 'uterus, uterine, endometrial, endometrium',
    prostate: 'prostate, prostatic',
    bladder: 'bladder, vesical',
    adrenal: 'adrenal, adrenals',
    brain:
      'brain, intracranial, basal ganglia, supratentorial, infratentorial, cerebral, subdural, frontal, parietal, temporal, occipital, frontoparietal, cerebellar',
    heart: 'heart, cardiac, atrium, ventricle, mitral, aortic',
    bowel: 'colon, bowel, appendix, cecum, sigmoid',
    knee: 'knee, meniscus, menisci, meniscal, patella, patellar, cruciate',
    shoulder: 'shoulder, supraspinatus, infraspinatus, subscapularis, rotator cuff',
    hip: 'hip, acetabulum, acetabular',
    wrist: 'wrist, scaphoid, radius, ulna',
    ankle: 'ankle, talus, fibula, calcaneus',
    femur: 'femur, femoral',
    tibia: 'tibia, tibial',
    humerus: 'humerus, humeral',
    rib: 'rib, ribs, costal',
    skin: 'skin, cutaneous, back, face, arm',
    carotid: 'carotid, carotids, vertebral artery',
    testis: 'testis, testes, testicle, testicular, epididymis',
    pleura: 'pleural, pleura',
    node: 'node, nodes, lymph, lymphadenopathy',
  },
  shifts:
    'midline shift, shift of midline, shift of the midline, midline structures, midline, shifted, displaced, rotation, rotated, convex, convexity',
  within:
    'in within at on to near beside behind against into over under between along through around inside outside across toward towards by adjacent abutting',
  measuresFirst: true,
  measures: 'measuring measures measure measured is are was were',
  bears: 'with has have having had',
  genitives: 'of',
  distances: 'from above below beyond cephalad caudad proximal distal away',
  distanceMarks: 'by',
  joints: 'with without while',
  removals: {
    gallbladder: 'cholecystectomy',
    uterus: 'hysterectomy',
    spleen: 'splenectomy',
    prostate: 'prostatectomy',
    kidney: 'nephrectomy',
    testis: 'orchiectomy, orchidectomy',
  },
  partial: 'partial',
  removedSigns:
    'absent, absence, surgically absent, removed, resected, bed, fossa, remnant, stump, not seen, not visualized, bile duct, bile ducts, clips, cuff',
  changes:
    'increased increase increases decreased decrease decreases grown growth grew enlarged larger smaller reduced reduction interval',
  changedBy: 'by of',
  grows: 'grew grown shrunk',
  limits: 'under below less smaller than greater larger above over exceeding threshold cutoff',
  alongside: 'length long longitudinal craniocaudal',
  normal: `
    normal, unremarkable, within normal limits, preserved, intact, clear, no abnormality, no abnormalities
  `,
  small: `
    a an the of in on at to and or with that which is are was were be there for from by as it its this these measuring
    measures cm mm right left bilateral side about approximately up upper lower anterior posterior medial lateral seen noted
    small large mild moderate severe minimal tiny consistent suggestive compatible likely probable evidence signs has have
  `,
  alternatives: 'or nor and/or',
  introducing: `
    seen noted present identified visualized demonstrated observed shown shows showing demonstrates demonstrating reveals
    revealing presence located situated on
  `,
  turning: `
    possible possibly probable probably likely unlikely presumed presumably suspicious suspected suggestive suggesting suggests
    suggest questionable question equivocal indeterminate consistent compatible keeping apparent apparently favored favoring
    favors represent represents representing may might could can maybe perhaps versus differential mimic mimics mimicking
    artifact artifactual pseudo resolved resolving resolution healed healing removed resected absent former treated post after
    only almost nearly incomplete incompletely partial partially borderline risk if about approximately around least most up
    nonspecific limited hardly barely poorly technically whether unclear uncertain doubtful drained evacuated excised embolized repaired
    cannot unable simulating simulates extracted retrieved ablated aspirated ligated cleared subsided disappeared regressed replaced explanted
    operated clipped stented
  `,
};

export const meaning = { facts, lexicon };
