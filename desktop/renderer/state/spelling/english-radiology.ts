/** Words of radiology that a general English dictionary lacks, separated by white space; compared in lower case. */

/** Prefixes that form a word with a known word: "subpleural", "nonobstructing", "hyperintensities". */
export const prefixes = `
  ante anti bi bronchio cardio centri cerebello cerebro cervico circum contra costo cranio dextro endo epi extra fibro gastro hemi
  hemo hepato hydro hyper hypo ilio infra inter intra juxta latero levo lympho macro meso micro multi myo neuro non osteo pan para
  pelvi peri pneumo poly post pre pseudo pulmo radio re retro sacro semi spleno sub supra tendo thoraco thrombo trans tri ultra un uni
  uretero vaso ventriculo vertebro
`;

export const words = `
  abscesses acetabular acetabulum achalasia acinar acromioclavicular acromion adenocarcinoma adenoma adenomatous adenomyosis
  adenopathy adipose adnexa adnexal adrenal adrenals agenesis allograft ampullary anastomosis anastomotic aneurysmal angiogram
  angiography angiomyolipoma ankylosing ankylosis annular anterolateral anterolisthesis anteromedial anteroposterior anterosuperior
  anteverted antegrade antral anulus aortic aortoiliac aponeurosis appendiceal appendicolith aqueductal arachnoid arterially
  arteriovenous arthrodesis arthropathy arthroplasty ascites atelectases atelectasis atelectatic atheroma atheromatous
  atherosclerosis atherosclerotic atretic atrophic attenuating autosplenectomy avascular avulsed avulsion axillary azygos basal
  basilar bibasal bibasilar bicipital bicornuate bifurcation biliary bilobed bladder bosniak brachial brachiocephalic bronchi
  bronchial bronchiectasis bronchiectatic bronchiolar bronchiolitis bronchocele bronchogram bronchograms bronchopneumonia
  bronchovascular bronchus bulla bullae bullous bursa bursal bursitis calcaneal calcaneus calcific calcifications calculi calculous
  caliceal calices calvaria calvarial calyceal calyces capitellum caput carcinoid carcinoma carcinomatosis cardia cardiac
  cardiomegaly cardiomediastinal cardiophrenic cardiothoracic carina carinal carotid carpal carpometacarpal caudal caudate cava
  caval cavernoma cavernous cavitary cavitation cavoatrial cecal cecum celiac centrilobular cephalad cephalic cerebellar
  cerebellopontine cerebrospinal cervix chiari cholangiocarcinoma cholangiogram cholangiography cholangiopancreatography cholangitis
  cholecystectomy cholecystitis choledochal choledocholithiasis cholelithiasis chondral chondrocalcinosis chondroid chondroma
  chondromalacia choroid cingulate cirrhosis cirrhotic cisternal claustrum clavicular clinoid clivus coccygeal coccyx colic colitis
  collimation colonic colonography comminuted comminution conglomerate contracta contralateral conus coracoid cor coracoclavicular
  corticomedullary costophrenic craniocaudal craniocervical cribriform cruciate cubital cuneiform cystic cystitis cystogram
  debulking degenerated dehiscence deltoid demyelinating demyelination dermoid desiccated desiccation dextroconvex dextroscoliosis
  diaphragmatic diaphyseal diaphysis diffusely dilatation dilated disc discal discs discectomy discitis diskitis distal distally
  diverticula diverticular diverticulitis diverticulosis dorsally doppler ductal ductus duodenal duodenum dural dyskinesia dysplasia
  dysplastic ecchymosis echocardiogram echogenic echogenicity echotexture ectasia ectatic ectopic ectopy edematous effusions
  elastography embolic emboli embolism embolization embolus emphysema emphysematous empyema enchondroma encephalitis
  encephalomalacia endobronchial endocervical endoleak endometrial endometrioma endometriomas endometriosis endometrium endoscopic
  endotracheal endplate endplates enhancement enostosis enteric enteritis enterography enthesis enthesopathic enthesopathy
  enthesophyte enthesophytes epicondyle epicondylitis epididymal epididymis epididymitis epidural epigastric epiglottis epiphyseal
  epiphysis epiploic erosions erosive esophageal esophagitis esophagram esophagus ethmoid ethmoidal eventration excavatum exophytic
  exostosis extensor extraaxial extracapsular extraluminal extraperitoneal extraprostatic extravasation extubation exudate exudative
  facet facets falciform falx fascia fascial fasciitis fatty febrile femoral femoroacetabular femur fibroadenoma fibroadenomas
  fibroglandular fibroid fibroids fibrosis fibrotic fibula fibular filum fissural fistula fistulae fistulous fleischner flexor
  fluoroscopic fluoroscopy focally foci foramen foramina foraminal fossa fovea frontoparietal fundal fusiform gadobutrol gadoterate
  gadobenate gadoxetate gadolinium ganglia ganglion gantry gastritis gastroesophageal gastrointestinal genicular gleason
  glenohumeral glenoid glioblastoma glioma gliosis gliotic globus gluteal gluteus goiter granuloma granulomas granulomata
  granulomatous greulich gynecomastia gyral gyri gyriform gyrus hamartoma hamstring haustral hemangioma hemangiomas hemangiomata
  hemarthrosis hematoma hematomas hematuria hemidiaphragm hemidiaphragms hemithorax hemivertebra hemoperitoneum hemoptysis
  hemorrhagic hemorrhoids hemothorax hepatic hepatis hepatitis hepatobiliary hepatocellular hepatomegaly hepatopetal hepatofugal
  hepatosplenomegaly hernia hernias hernial herniated herniation heterogeneity heterogeneous heterogeneously heterotopic hiatal
  hiatus hila hilar hilum hippocampal hippocampus homogeneous homogeneously honeycombing humeral humerus hydrocele hydrocephalus
  hydronephrosis hydronephrotic hydropneumothorax hydrosalpinx hydroureter hydroureteronephrosis hygroma hyoid hyperdense
  hyperdensity hyperdynamic hyperechoic hyperemic hyperenhancement hyperenhancing hyperemia hyperinflated hyperinflation
  hyperintense hyperintensities hyperintensity hyperlucency hyperlucent hypermetabolic hypermetabolism hyperostosis hyperplasia
  hyperplastic hypertrophic hypertrophied hypertrophy hypervascular hypoattenuating hypoattenuation hypodense hypodensities
  hypodensity hypoechoic hypoenhancement hypoenhancing hypogastric hypointense hypointensity hypoperfusion hypoplasia hypoplastic
  hypovascular ileal ileitis ileocecal ileum ileus iliac iliacus ilioinguinal iliopsoas iliotibial impingement indeterminate
  inferiorly inferolateral inferomedial infarct infarcts infarction infiltrate infiltrates infiltrative inflammatory infraspinatus
  infrarenal infratentorial inguinal inhomogeneous innominate insula insular insufflation interbody intercostal interlobar
  interlobular internodal interphalangeal interpolar interspinous interstitial interstitium intertrochanteric interval
  interventricular intervertebral intima intimal intraarticular intraaxial intracapsular intracranial intracranially intraductal
  intrahepatic intraluminal intramedullary intramural intramuscular intraosseous intraparenchymal intraperitoneal intrapulmonary
  intrarenal intrasubstance intrathecal intrauterine intraventricular invaginated iodinated iohexol iopamidol ipsilateral ischemia
  ischemic ischial ischium isoattenuating isodense isoechoic isointense isthmus jejunal jejunum jugular junctional juxtacortical
  juxtarenal kellgren kerma kyphoplasty kyphosis kyphotic labral labrum lacrimal lacunar lacune lacunes lamellar lamina laminae
  laminectomy laryngeal larynx lateralization leiomyoma leiomyomas lenticular lentiform leptomeningeal leukoaraiosis leukomalacia
  levoconvex levoscoliosis ligament ligamentous ligamentum lingula lingular lipoma lipomatosis lipomatous lithiasis lobar lobulated
  lobulation loculated loculation lordosis lordotic lucencies lucency lucent lumbar lumbosacral lumen luminal lunate lunotriquetral
  lymphadenopathy lymphangitic lymphatics lymphocele lymphoma lymphomatous lytic macroadenoma macrocalcification macrocalcifications
  macroscopic malalignment malformation malformations malleolar malleoli malleolus malrotation mammogram mammograms mammographic
  mammography mandible mandibular manubrium mastectomy mastoid mastoids mastoiditis maxilla maxillary meatus meckel mediastinal
  mediastinum medulla medullary melanoma meningeal meningioma meningiomas meningitis menisci meniscal meniscectomy meniscus
  mesenteric mesentery mesenteritis mesothelioma metacarpal metacarpals metacarpophalangeal metadiaphyseal metaphyseal metaphysis
  metaplasia metastases metastasis metastatic metatarsal metatarsals metatarsophalangeal metoprolol micrometastases microadenoma
  microangiopathic microangiopathy microcalcification microcalcifications microhemorrhage microhemorrhages microlithiasis midazolam
  midbrain midclavicular midfoot midline midpole midshaft mitral modic mosaicism mucinous mucocele mucosa mucosal mucus multifocal
  multifidus multilevel multilocular multiloculated multinodular multiparametric multiplanar multiseptated multisequence myelogram
  myelographic myelography myelomalacia myeloma myelopathy myocardial myocardium myoma myomas myometrial myometrium myositis myxoid
  nabothian nasogastric nasopharyngeal nasopharynx navicular necrosis necrotic neoplasm neoplasms neoplastic neovascular nephrectomy
  nephritis nephrogram nephrograms nephrolithiasis nephropathy nephrostomy neural neurofibroma neuroforaminal neurogenic neuroma
  neurovascular nitrofurantoin nodal nodular nodularity nonobstructing nonobstructive nulliparous obliterated obliteration obturator
  occipital occlusion occlusive odontoid olecranon oligohydramnios omental omentum omnipaque oncocytoma opacification opacified
  opacities opacity opercular ophthalmic opponens orbital oropharyngeal oropharynx orthogonal osseous ossicles ossicular
  ossification ossified osteitis osteoarthritis osteoarthrosis osteoblastic osteochondral osteochondritis osteochondroma
  osteochondrosis osteodystrophy osteoid osteolysis osteolytic osteoma osteomalacia osteomeatal osteomyelitis osteonecrosis
  osteopenia osteopenic osteophyte osteophytes osteophytic osteophytosis osteoporosis osteoporotic osteosarcoma osteosclerosis
  osteotomy ostial ostium ostiomeatal ovale ovarian pachymeningeal palatine palmar pancreas pancreatic pancreatitis
  pancreaticobiliary pancreaticoduodenectomy panniculitis papillary papilloma paraaortic paracentesis paracentral paracolic
  paraesophageal paranasal parapelvic parapneumonic paraseptal paraspinal paraspinous parasagittal parathyroid paratracheal
  paravertebral parenchyma parenchymal parietal parietooccipital parotid parotids pars patella patellar patellofemoral pathologic
  pathologically patulous pectoralis pectus pedicle pedicles pedunculated pelvicaliceal pelvicalyceal pelviectasis percutaneous
  perforator perfusion perianal periappendiceal periapical periarticular peribronchial peribronchovascular pericardial pericardium
  pericholecystic pericolic pericolonic peridiverticular perihepatic perihilar perilesional perimesencephalic perinephric perineural
  perineum periosteal periosteum peripancreatic periportal periprosthetic perirectal perirenal perisplenic peristalsis
  peritendinitis peritoneal peritoneum peritonitis periumbilical periureteral perivascular periventricular perivesical peroneal
  peroneus petrous phalangeal phalanges phalanx pharyngeal pharynx phasicity phlebolith phleboliths phlegmon phlegmonous phrenic
  phyllodes pineal piriform pituitary placenta placental plantar planum plantaris platysma pleura pleural pleurodesis pneumatocele
  pneumatosis pneumobilia pneumocephalus pneumoconiosis pneumomediastinum pneumonectomy pneumonia pneumonic pneumonitis
  pneumopericardium pneumoperitoneum pneumothoraces pneumothorax polycystic polyhydramnios polyp polypoid polyposis pons pontine
  popliteal popliteus porta portal portosystemic portovenous postcontrast postganglionic postmenopausal postoperative postprandial
  postradiation postsurgical postvoid precarinal precontrast predominance preperitoneal presacral previa proctitis pronator
  prostatectomy prostatic prostatitis prostatomegaly prostheses prosthesis prosthetic protrusion protrusions proximal proximally
  pseudarthrosis pseudoaneurysm pseudocapsule pseudocyst pseudocysts psoas pterygoid pterygopalatine pubic pubis pulmonary
  pulsatility pulvinar putamen pyelogram pyelonephritis pyelogram pylorus pyloric pyosalpinx quadriceps quadratus radicular
  radiculopathy radiodense radiograph radiographic radiographically radiographs radiolucency radiolucent radiopaque
  radiopharmaceutical radiotracer radioulnar ramus recess reconstructions rectal rectosigmoid rectum rectus recurrent reformats
  reformations reformatted renal reticular reticulation reticulations reticulonodular retroareolar retrocaval retrocardiac
  retrocrural retroflexed retrograde retrolisthesis retroperitoneal retroperitoneum retropharyngeal retropulsion retrosternal
  retroverted rotator sacral sacroiliac sacroiliitis sacrum sagittal salpingitis saphenous sarcoid sarcoidosis sarcoma scaphoid
  scapholunate scapula scapular schmorl schwannoma scintigraphy sclerosis sclerotic scoliosis scoliotic scrotal scrotum sellar sella
  semilunar semimembranosus seminal seminoma septa septal septate septated septation septations septum seroma serosal serosa
  serpiginous sesamoid sesamoids sestamibi shoddy shotty sialolithiasis sigmoid sinogram sinonasal sinus sinusitis sonogram
  sonographic sonographically sonography spermatocele sphenoid sphenoidal spiculated spiculation spinous splaying splenectomy
  splenic splenium splenomegaly splenorenal splenule splenules spondylitis spondylolisthesis spondylolysis spondylolytic spondylosis
  spondylotic stapes steatosis steatotic stenoses stenosed stenosis stenotic sternal sternotomy sternoclavicular sternum stent
  stented stents stomal striatal striatum styloid subacromial subacute subaortic subarachnoid subareolar subarticular subcapital
  subcapsular subcarinal subcentimeter subchondral subclavian subcoracoid subcortical subcutaneous subdeltoid subdiaphragmatic
  subdural subependymal subfalcine subglottic subhepatic subligamentous sublingual subluxation subluxed submandibular submucosal
  submucosa suboptimal subpleural subscapularis subsegmental subsegments subserosal subsolid subtalar subtrochanteric subungual
  subxiphoid sulcal sulci sulcus superolateral superomedial supraclavicular supracondylar suprapatellar suprapubic suprarenal
  suprasellar supraspinatus supratentorial surgically suture sutures symphysis syndesmosis syndesmotic synechia synovial synovitis
  synovium syringohydromyelia syringomyelia syrinx tailgut talar talofibular talonavicular talus tarlov tarsal tarsometatarsal
  tegmental telangiectasia tendinitis tendinopathy tendinosis tendinous tenosynovitis tentorial tentorium teratoma testes testicular
  testis thalami thalamic thalamus thecal thoracentesis thoracic thoracolumbar thoracotomy thorax thrombectomy thrombi thrombosed
  thrombosis thrombotic thrombus thymic thymoma thymus thyroglossal thyroid thyroidectomy thyroiditis thyromegaly tibia tibial
  tibialis tibiofemoral tibiofibular tomosynthesis tonsillar torsion tortuosity tortuous trabecula trabecular trabeculated
  trabeculation tracer trachea tracheal tracheobronchial tracheomalacia tracheostomy transabdominal transaxial transcortical
  transitional transhepatic transpedicular transsphenoidal transtentorial transureteral transurethral transvaginal trapezium
  trapezius trapezoid triangular tricompartmental tricuspid trigone triquetral triquetrum trochanter trochanteric trochlea trochlear
  tubercle tuberosity tubulovillous tunica turbinate turbinates ulna ulnar umbilical umbilicus uncal uncinate uncovertebral
  undescended unenhanced ureter ureteral ureteric ureterocele ureterolithiasis ureteropelvic ureters ureterovesical urethra urethral
  urinoma urogram urography urolithiasis urothelial uterine uterus uvula vagal vaginal valgus valsalva valvular variceal varices
  varicocele varicoid varicosities varus vascularity vascularized vasculature vasculitis vasogenic vastus venogram venography venous
  ventral ventrally ventricular ventriculomegaly ventriculoperitoneal ventriculostomy vermian vermis vertebra vertebrae vertebral
  vertebrobasilar vertebroplasty vesical vesicoureteral vesicular vestibular villous viscera visceral volar volvulus vomer vulvar
  wallstent washout xiphoid zygapophyseal zygoma zygomatic
`;
