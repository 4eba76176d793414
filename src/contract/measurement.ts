/** A measurement that a person made in a viewer of images (extension). */
import { array, identifier, line, named, number, object } from './schema.ts';
import type { TypeOf } from './schema.ts';

const Coding = object(
  { code: line({ minLength: 1, maxLength: 100, description: 'The code in its system.', examples: ['410668003'] }) },
  {
    system: line({ minLength: 1, maxLength: 300, description: 'URI of the code system.' }),
    display: line({ minLength: 1, maxLength: 300, description: 'Words of the code.' }),
  },
);

export const Measurement = named(
  'Measurement',
  object(
    {
      id: identifier({ minLength: 1, maxLength: 64, description: 'Id of the Observation that the viewer shared.' }),
      values: array(
        object(
          {
            value: number({ description: 'What was measured.', examples: [12.4] }),
            unit: line({
              minLength: 1,
              maxLength: 40,
              description: 'Unit, as the viewer writes it.',
              examples: ['mm'],
            }),
          },
          {
            code: line({ minLength: 1, maxLength: 40, description: 'Unit in UCUM.', examples: ['mm'] }),
            title: line({ minLength: 1, maxLength: 300, description: 'Name of the value.', examples: ['Long axis'] }),
            codes: array(Coding, { maxItems: 10, description: 'Codes of the value.' }),
          },
        ),
        { minItems: 1, maxItems: 10, description: 'The values: one, or one for each axis.' },
      ),
    },
    {
      title: line({ minLength: 1, maxLength: 300, description: 'Name of the measurement.', examples: ['Length'] }),
      codes: array(Coding, { maxItems: 10, description: 'Codes of the measurement.' }),
      sites: array(Coding, { maxItems: 10, description: 'Codes of where in the body it was made.' }),
      tracking_uid: identifier({ maxLength: 64, description: 'Tracking UID of what was measured, as in DICOM SR.' }),
      series_uid: identifier({ maxLength: 64, description: 'Series of the image on which it was made.' }),
      instance_uid: identifier({ maxLength: 64, description: 'The image on which it was made.' }),
      class_uid: identifier({ maxLength: 64, description: 'SOP class of the image.' }),
    },
  ),
  'A measurement that a viewer of images shared over FHIRcast.',
);
export type Measurement = TypeOf<typeof Measurement>;
