import type { HandIn } from './demo-question.ts';

/** Solutions of the last task of «Законы Ньютона». */
export const slidingBlock: readonly HandIn[] = [
  {
    file: 'handin-block-1.png',
    name: 'Решение задачи.png',
    size: 15_111,
    sha256: '59d73a5a5e3f55e36a4d6c92380b35d654270b920a53288a12724e3ee2298510',
    share: 1,
    comment: 'Рисунок, проекции и ответ верны.',
  },
  {
    file: 'handin-block-2.png',
    name: 'задача.png',
    size: 5_737,
    sha256: 'cecb873744e3fdd877452c895559bdabaeeba0872851a76799055f4569d48d1a',
    share: 0.4,
    comment: 'Нет рисунка, а сила нормальной реакции равна mg·cos 30°, не mg.',
  },
];

/** Flowcharts of Euclid's algorithm. */
export const euclidFlowchart: readonly HandIn[] = [
  {
    file: 'handin-flowchart-1.png',
    name: 'Блок-схема.png',
    size: 8_233,
    sha256: '30bf1a80e04aba371c753007f14cbd73661c052ea75ea355d69b92d6b67ce3c8',
    share: 1,
    comment: 'Всё верно.',
  },
  {
    file: 'handin-flowchart-2.png',
    name: 'Алгоритм Евклида.png',
    size: 7_994,
    sha256: 'aa725dccfcf948bf6014d5fb496da30e231542ee819b48434c34b69320f994bf',
    share: 0.5,
    comment: 'После a = b прежнее значение a потеряно: остаток нужно вычислить раньше.',
  },
];
