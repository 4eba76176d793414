/** Names of parts of the body in English. */
export const anatomy = `
  abdomen, abdominal aorta, abductor, abductor pollicis longus, acetabulum, Achilles tendon, acromioclavicular joint,
  acromion, adductor, adductor longus, adenoid, adenoids, adipose tissue, adnexa, adrenal, adrenal gland, alveolus,
  amnion, ampulla of Vater, amygdala, annulus fibrosus, antecubital fossa, anterior cerebral artery, anterior cruciate
  ligament, anterior talofibular   ligament, antrum, anus, aorta, aortic arch, aortic root, aortic valve, apex,
  aponeurosis, apophysis, appendix, aqueduct, arachnoid, areola, arteriole, artery, articular cartilage, ascending
  aorta, ascending colon, atrial   appendage, atrium, auditory canal, auricle, axilla, axis, azygos, azygos vein,
  basal cisterns, basal ganglia, basilar artery, biceps, biceps tendon, bile duct, bladder, bone marrow, bowel,
  brachial artery, brachial plexus, brachiocephalic, brain parenchyma, brainstem, breast, broad ligament, bronchi,
  bronchiole, bronchus, bursa, buttock, calcaneofibular ligament, calcaneus, calf, calvaria, calvarium, calyces,
  calyx, canaliculus, capitate, capitellum, cardia, cardiac silhouette, carina, carotid, carotid artery, carotid bulb,
  carpal tunnel, carpometacarpal joint, carpus, cartilage, cauda equina, caudate, caudate lobe, caudate nucleus,
  cavernous sinus, cavoatrial junction, cecum, celiac artery, celiac axis, celiac trunk, cerebellar   tonsils,
  cerebellopontine angle, cerebellum, cerebrum, cervical spine, cervix, chorion, choroid plexus, cingulate   gyrus,
  circle of Willis, circumflex artery, cisterna magna, clavicle, clivus, coccyx, cochlea, collateral ligament, colon,
  common bile duct, common hepatic duct, conus medullaris, coracoid process, cornea, corona radiata, coronal   suture,
  coronary artery, coronary sinus, corpora cavernosa, corpus callosum, corpus luteum, cortex, costal   cartilage,
  costophrenic angle, costophrenic sulcus, cribriform plate, cricoid, cruciate ligament, crus, cuboid, cul-de-sac,
  cuneiform, cystic duct, deltoid, deltoid ligament, descending aorta, descending colon, diaphragm, diaphysis,
  diencephalon, diploe, distal phalanx, distal radioulnar joint, ductus arteriosus, duodenal bulb, duodenum, dura,
  dura mater, elbow, endocardium, endocervical canal, endometrial cavity, endometrium, epicardium, epicondyle,
  epidermis, epididymis, epidural space, epigastrium, epiglottis, epiphysis, epithelium, esophageal   hiatus,
  esophagogastric junction, esophagus, ethmoid, ethmoid air cells, eustachian tube, extensor carpi ulnaris, extensor
  hallucis longus, extensor pollicis brevis, extensor tendon, external   iliac, eyelid, facet, facet joint, falciform
  ligament, fallopian tube, falx, falx cerebri, fascia, fascia lata, femoral artery, femoral condyle, femoral head,
  femoral neck, femoropopliteal, femur, fetus, fibula, fimbria, flexor   digitorum, flexor hallucis longus, flexor
  tendon, fontanelle, foramen magnum, foramen of Monro, foramen ovale, foramina, forearm, forefoot, fornix, fossa,
  fourth ventricle, fovea, fundus, gallbladder, ganglion, gastrocnemius, gastroduodenal artery, gastroesophageal
  junction, gastrohepatic ligament, genu, glenohumeral joint, glenoid, glenoid   labrum, globe, globus pallidus,
  glomerulus, glottis, gluteus maximus, gluteus medius, gluteus minimus, gracilis, gray matter, great saphenous vein,
  great vessels, greater trochanter, greater tuberosity, groin, gyrus, hallux, hamate, hamstring, hamstrings, haustra,
  hemidiaphragm, hemisphere, hemithorax, hepatic   parenchyma, hepatic artery, hepatic flexure, hepatic vein, hiatus,
  hila, hilum, hindfoot, hippocampus, Hoffa fat pad, humeral head, humerus, hyoid, hypochondrium, hypogastrium,
  hypopharynx, hypothalamus, ileocecal valve, ileum, iliac artery, iliac crest, iliac wing, iliacus, iliolumbar
  ligament, iliopsoas, iliotibial band, ilium, incus, inferior mesenteric artery, inferior vena cava, infraspinatus,
  infundibulum, inguinal canal, innominate, insula, intermetatarsal, internal auditory canal, internal capsule,
  interosseous, interphalangeal joint, interpolar, interspinous ligament, intervertebral disc, intervertebral disk,
  iris, ischial tuberosity, ischium, isthmus, jejunum, jugular vein, Kager fat pad, kidney, kidneys, knee, labrum,
  lacrimal gland, lamina, large bowel, laryngopharynx, larynx, lateral collateral ligament, lateral epicondyle,
  lateral malleolus, lateral meniscus, lateral ventricles, latissimus   dorsi, left anterior descending artery, left
  ventricle, lenticular nucleus, lentiform nucleus, leptomeninges, lesser   sac, lesser trochanter, levator ani,
  ligament, ligamentum flavum, ligamentum teres, lingula, lister tubercle, liver, lobe, lower lobe, lower pole, lumbar
  spine, lunate, lung, lung parenchyma, lungs, lunotriquetral ligament, lymph node, lymph nodes, main pancreatic duct,
  main portal vein, mainstem bronchus, malleolus, malleus, mandible, manubrium, mastoid, mastoid air cells, maxilla,
  maxillary sinus, meatus, medial collateral ligament, medial epicondyle, medial malleolus, medial meniscus,
  mediastinum, medulla, medulla oblongata, meninges, meniscus, mesencephalon, mesentery, mesocolon, mesorectal fascia,
  mesorectum, metacarpal, metacarpophalangeal joint, metaphysis, metatarsal, metatarsophalangeal joint, midbrain,
  middle cerebral artery, middle lobe, middle phalanx, midfoot, mitral valve, Morison pouch, mucosa, musculature,
  myocardium, myometrium, nail bed, nail plate, nasal   septum, nasal bones, nasal turbinate, nasopharynx, navicular,
  neural foramina, neurohypophysis, nipple, nucleus pulposus, obturator, obturator externus, obturator internus,
  occiput, odontoid, odontoid process, olecranon, omentum, optic chiasm, optic nerve, orbit, oropharynx, os calcis,
  ossicles, ostiomeatal complex, ostium, ovaries, ovary, palate, palmar, pancreas, pancreatic duct, pancreatic head,
  pancreatic tail, papilla, paracolic gutter, parametrial, parametrium, paranasal sinuses, parathyroid, parenchyma,
  parietal lobe, parotid, parotid gland, pars interarticularis, patella, patellar tendon, pectineus, pectoralis,
  pectoralis major, pectoralis minor, pedicle, pelvis, penis, pericardium, perineum, periosteum, peritoneal cavity,
  peritoneum, peroneus brevis, peroneus longus, pes anserinus, phalanges, phalanx, pharynx, pia   mater, pineal gland,
  piriform sinus, piriformis, pisiform, pituitary, pituitary gland, pituitary stalk, placenta, plantar fascia,
  plantaris, pleura, pleural space, plica, pons, popliteal artery, popliteal fossa, popliteal vein, popliteus, porta
  hepatis, portal vein, posterior cerebral artery, posterior cruciate ligament, posterior fossa, pouch of Douglas,
  prepuce, pronator, proximal phalanx, proximal tibiofibular joint, psoas, pubic   symphysis, pubic rami, pubic ramus,
  pubis, puborectalis, pulmonary artery, pulmonary vasculature, pulmonary vein, putamen, pylorus, quadratus femoris,
  quadratus lumborum, quadriceps, quadriceps tendon, quadrilateral space, radial head, radiocarpal joint, radius,
  rectosigmoid, rectum, rectus abdominis, rectus femoris, renal artery, renal calyx, renal cortex, renal parenchyma,
  renal pelvis, renal sinus, renal vein, rete testis, retina, retinaculum, retroperitoneum, rib, ribs, right
  ventricle, rotator cuff, round ligament, sacral ala, sacroiliac joint, sacrum, sagittal sinus, saphenous vein,
  sartorius, scalp, scaphoid, scapholunate ligament, scapula, sciatic nerve, sclera, scrotum, scutum, sella, sella
  turcica, semicircular canal, semimembranosus, seminal vesicle, seminal vesicles, semitendinosus, septum pellucidum,
  sesamoid, sigmoid, sigmoid colon, sigmoid sinus, sinus tarsi, small bowel, soleus, spermatic cord, sphenoid,
  sphenoid sinus, sphincter, spinal canal, spinal cord, spinoglenoid notch, spinous   process, spinous processes,
  spleen, splenic artery, splenic flexure, splenic vein, splenium, stapes, sternoclavicular joint,
  sternocleidomastoid, sternum, stomach, straight sinus, stroma, styloid process, subcarinal, subclavian artery,
  subclavian vein, sublingual gland, submandibular gland, subscapularis, subtalar joint, sulci, sulcus, superior
  mesenteric artery, superior vena cava, supinator, suprascapular notch, suprasellar cistern, supraspinatus,
  supraspinatus tendon, symphysis, syndesmosis, synovium, talar dome, talofibular ligament, talus, tarsus, tectum,
  temporal   lobe, temporal bone, temporomandibular joint, tendon, tensor fasciae latae, tentorium, teres major, teres
  minor, terminal ileum, testes, testicle, testis, thalami, thalamus, thecal sac, thenar, thigh, third ventricle,
  thoracic   duct, thoracic aorta, thoracic spine, thorax, thymus, thyroid, thyroid cartilage, thyroid gland, tibia,
  tibial   plateau, tibial artery, tibial tuberosity, tibialis, tibialis anterior, tibialis posterior, tibiofibular
  syndesmosis, toe, tongue, tonsil, trachea, tragus, transverse   colon, transverse process, transverse sinus,
  trapeziometacarpal joint, trapezium, trapezius, trapezoid, triangular fibrocartilage complex, triceps, tricuspid
  valve, trigone, triquetrum, trochanter, trochlea, tunica albuginea, tympanic membrane, ulna, ulnar collateral
  ligament, umbilical artery, umbilical cord, umbilicus, uncinate process, uncus, upper lobe, upper pole, ureter,
  ureteropelvic junction, ureterovesical junction, urethra, urinary bladder, uterine artery, uterine fundus, uterus,
  uvula, vagina, vallecula, vas deferens, vastus intermedius, vastus lateralis, vastus medialis, vena cava, ventricle,
  vermis, vertebra, vertebrae, vertebral artery, vertebral bodies, vertebral body, vestibule, viscera, vitreous, vocal
  cord, vocal cords, volar plate, vomer, vulva, white matter, wrist, xiphoid, yolk sac, zona pellucida, zygoma,
  zygomatic arch
`;
