import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { MIN_AREA_SIZE, drawnArea, fittedArea, movedArea, resizedArea } from './area-geometry.ts';

const area = { shape: 'ellipse', left: 0.2, top: 0.3, width: 0.4, height: 0.1 } as const;
const anywhere = fc.double({ min: -3, max: 3, noNaN: true });

const accepts = (given: typeof area) =>
  v.is(Question, {
    questionId: '11111111-1111-4111-8111-111111111111',
    kind: 'variant',
    text: '',
    points: 1,
    multiple: false,
    options: [
      { optionId: '22222222-2222-4222-8222-222222222222', text: '', isRight: false, area: given },
    ],
  });

test('an area is drawn from any corner, within the picture; a tap draws none', () => {
  const drawn = { shape: 'rectangle', left: 0.2, top: 0.3, width: 0.5, height: 0.4 };
  expect(drawnArea({ x: 0.7, y: 0.3 }, { x: 0.2, y: 0.7 }, 'rectangle')).toEqual(drawn);
  expect(drawnArea({ x: -1, y: 0.5 }, { x: 0.25, y: 9 }, 'ellipse')).toMatchObject({
    left: 0,
    width: 0.25,
    top: 0.5,
    height: 0.5,
  });
  expect(drawnArea({ x: 0.2, y: 0.2 }, { x: 0.21, y: 0.9 }, 'rectangle')).toBeNull();
});

test('an area is moved to the edge at most; the lower right corner sets its size', () => {
  expect(movedArea(area, { x: 0.1, y: -0.1 })).toEqual({ ...area, left: 0.3, top: 0.2 });
  expect(movedArea(area, { x: 5, y: -5 })).toEqual({ ...area, left: 0.6, top: 0 });
  expect(resizedArea(area, { x: 0.1, y: -0.05 })).toEqual({ ...area, width: 0.5, height: 0.05 });
  expect(resizedArea(area, { x: 5, y: -5 })).toEqual({
    ...area,
    width: 0.8,
    height: MIN_AREA_SIZE,
  });
});

test('whatever is dragged or typed stays an area that the contract accepts', () => {
  fc.assert(
    fc.property(anywhere, anywhere, anywhere, anywhere, (left, top, width, height) => {
      const typed = { ...area, left, top, width, height };
      for (const made of [
        fittedArea(typed),
        movedArea(area, { x: left, y: top }),
        resizedArea(area, { x: width, y: height }),
        drawnArea({ x: left, y: top }, { x: width, y: height }, 'ellipse'),
      ])
        expect(made === null || accepts(made as typeof area)).toBe(true);
    }),
  );
});
