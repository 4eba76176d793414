/** Test dictations in English. */
import type { TestDictations } from './test-dictations.ts';

export const dictationsEn: TestDictations = {
  notice: (seconds) =>
    seconds === null
      ? 'Simulated transcript (test mode): the speech was not recognized; the text that follows is a sample.'
      : `Simulated transcript (test mode): ${seconds} s of speech were not recognized; the text that follows is a sample.`,
  patient: 'Test Patient',
  instruction: 'Add simulated correction in test mode to the impression section.',
  scripts: {
    test_template_general: {
      chest: [
        {
          findings:
            'The lungs are clear, without consolidation, nodule or mass. No pleural effusion or pneumothorax.' +
            ' Heart size and mediastinum are normal.',
          impression: 'Normal chest examination.',
        },
        {
          findings:
            'Solid nodule of 6 mm in the right upper lobe. The lungs are otherwise clear. No pleural effusion.' +
            ' No mediastinal adenopathy.',
          impression: 'Right upper lobe nodule of 6 mm; correlate with prior examinations.',
        },
      ],
      abdomen: [
        {
          findings:
            'The liver is normal in size and contour, without focal lesion. No gallstones.' +
            ' Pancreas, spleen and kidneys are normal. No free fluid.',
          impression: 'Normal abdominal examination.',
        },
        {
          findings:
            'Simple cyst of 2.1 cm in the left kidney. No hydronephrosis.' +
            ' Liver, spleen and pancreas are normal. No free fluid.',
          impression: 'Simple left renal cyst.',
        },
      ],
      head: [
        {
          findings:
            'No focal lesion of the brain parenchyma. Ventricles are normal in size. No hemorrhage.' +
            ' No midline shift.',
          impression: 'Normal examination of the head.',
        },
        {
          findings:
            'Nonspecific foci in the cerebral white matter. No hemorrhage or mass effect.' +
            ' Ventricles are normal in size.',
          impression: 'Nonspecific white matter changes.',
        },
      ],
      spine: [
        {
          findings:
            'Vertebral bodies are aligned and normal in height. Disc spaces are preserved. No canal stenosis.' +
            ' No fracture.',
          impression: 'Normal examination of the spine.',
        },
        {
          findings:
            'Loss of disc height at L5-S1 with central disc protrusion. No nerve root compression. No fracture.',
          impression: 'Degenerative disc disease at L5-S1 without nerve root compression.',
        },
      ],
      limb: [
        {
          findings: 'No fracture. Joint spaces are preserved. No joint effusion. Soft tissues are unremarkable.',
          impression: 'Normal examination.',
        },
        {
          findings: 'Small joint effusion. No fracture. No tear of ligaments or tendons.',
          impression: 'Small joint effusion without fracture.',
        },
      ],
      breast: [
        {
          findings:
            'The breasts are almost entirely fatty. No mass, distortion or suspicious calcifications.' +
            ' No suspicious axillary nodes.',
          impression: 'Negative. BI-RADS category 1.',
        },
        {
          findings: 'Scattered benign calcifications in both breasts. No mass or architectural distortion.',
          impression: 'Benign. BI-RADS category 2.',
        },
      ],
      other: [
        {
          findings: 'The structures examined are unremarkable. No focal lesion.',
          impression: 'Normal examination.',
        },
        {
          findings: 'No acute abnormality of the structures examined. No mass.',
          impression: 'No acute abnormality.',
        },
      ],
    },
    test_template_cardiology: {
      other: [
        {
          measurements: 'Left atrium 36 mm. Septum 9 mm. Ejection fraction 64%.',
          findings:
            'Ventricles are normal in size with preserved systolic function. Valves are unremarkable.' +
            ' No pericardial effusion.',
          impression: 'Normal echocardiogram.',
        },
        {
          measurements: 'Left atrium 42 mm. Septum 11 mm. Ejection fraction 58%.',
          findings:
            'Mildly enlarged left atrium. Mild mitral regurgitation. Preserved systolic function.' +
            ' No pericardial effusion.',
          impression: 'Mild mitral regurgitation. Preserved ventricular function.',
        },
      ],
      ecg: [
        {
          measurements: 'Heart rate 68 bpm. PR interval 160 ms. QRS 90 ms. QTc 410 ms.',
          findings: 'Regular sinus rhythm. Normal axis. No repolarization abnormality.',
          impression: 'Normal electrocardiogram.',
        },
        {
          measurements: 'Heart rate 74 bpm. PR interval 180 ms. QRS 124 ms.',
          findings: 'Sinus rhythm. Complete right bundle branch block. No sign of acute ischemia.',
          impression: 'Complete right bundle branch block.',
        },
      ],
    },
    test_template_dermatology: {
      other: [
        {
          history: 'Lesion on the left forearm for three months, without itching or bleeding.',
          examination: 'Brown papule of 4 mm on the left forearm, symmetric, with regular borders.',
          diagnosis: 'Melanocytic nevus.',
          plan: 'Sun protection advised. Follow-up in six months.',
        },
        {
          history: 'Itchy plaques on both elbows for one year, without fever.',
          examination: 'Well-demarcated erythematous scaly plaques on both elbows. No mucosal lesions.',
          diagnosis: 'Plaque psoriasis.',
          plan: 'Skin moisturizing. Return in eight weeks.',
        },
      ],
    },
  },
};
